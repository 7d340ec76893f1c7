#!/usr/bin/env bash
# Every package that CMake, script/bootstrap, npm or Python need is named in NOTICE, whole word by whole word.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake=$(git ls-files '*CMakeLists.txt' '*.cmake' '*.cmake.in' | xargs sed -nE \
  's/^[^#]*(find_package|find_dependency|pkg_check_modules|find_path)\(([A-Za-z0-9_+.-]+).*/\2/p')
debian=$(perl -0ne 'print "$1\n" while /packages\+?=\(([^)]*)\)/g' script/bootstrap)
npm=$(sed -nE '/ependencies"/,/}/s/^ *"([^"]+)": "[0-9].*/\1/p' package.json)
python=$(sed "/^\[project.scripts\]/q" pyproject.toml | sed -nE "s/^[a-z]+ = \\[(.*)\\]/\\1/p" | tr "," "\n" | sed -nE "s/^ *\"([A-Za-z0-9_-]+).*/\\1/p" | grep -vx version)
status=0 count=0
for name in $cmake $debian $npm $python; do
  [[ $name == jawari* ]] && continue
  count=$((count + 1))
  grep -qE "(^|[][ ,(])$(sed 's/[.+]/\\&/g' <<<"$name")([][ ,)]|\$)" NOTICE || { echo "$name is not named in NOTICE"; status=1; }
done
[ "$count" -ge 50 ] || { echo "only $count packages were found: the search is broken"; status=1; }
while read -r line; do  # the notice that every report carries is the one of the package
  grep -qF "$line" NOTICE || { echo "uPlot says \"$line\", NOTICE does not"; status=1; }
done < <(grep -i '^copyright' node_modules/uplot/LICENSE)
for where in cmake/Install.cmake pyproject.toml cmake/Parts.cmake; do  # installed, in the wheel, printed by --licences
  grep -q NOTICE "$where" || { echo "$where leaves NOTICE out"; status=1; }
done
[ $status = 0 ] && echo "$count packages are named"
exit $status
