#!/usr/bin/env bash
# script/other-architecture compiles files that exist, and among them all that CMakeLists.txt has in jawari-core.
# With `plant` as if a file had been renamed, which must be found.
set -euo pipefail
cd "$(dirname "$0")/../.."
mapfile -t list < <(script/other-architecture --list)
[[ ${1:-} != plant ]] || list=("${list[@]/src\/engine\/engine.cpp/src/engine/renamed.cpp}")
((${#list[@]} >= 100)) || { echo "only ${#list[@]} files: the search is broken"; exit 1; }
folders=$(sed -n '/^file(GLOB core /,/)$/p' CMakeLists.txt | grep -oE 'src/[a-z]+/\*\.cpp')
(($(wc -l <<<"$folders") >= 9)) || { echo "too few folders: the search is broken"; exit 1; }
all=$(printf '%s\n' "${list[@]}")
status=0
for source in "${list[@]}"; do
  [[ -f $source ]] || { echo "script/other-architecture compiles $source, which does not exist"; status=1; }
done
for folder in $folders; do
  for source in $folder; do
    [[ $source == src/core/thread_pool_none.cpp ]] && continue
    grep -qxF "$source" <<<"$all" || { echo "script/other-architecture does not compile $source"; status=1; }
  done
done
((status)) || echo "${#list[@]} files"
exit $status
