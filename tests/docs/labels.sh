#!/usr/bin/env bash
# Every equation label cited in the code is defined exactly once in docs/theory, and every page that code or docs name exists.
set -euo pipefail
cd "$(dirname "$0")/../.."
cited=$(grep -rhoE "\([A-Z][0-9]+\)" include src --include='*.h' --include='*.cpp' | sort -u)
[ "$(wc -l <<<"$cited")" -ge 40 ] || { echo "too few labels are cited: the search is broken"; exit 1; }
status=0
for label in $cited; do
  n=$({ grep -rhoF "**$label**" docs/theory || true; } | wc -l)
  if [ "$n" -ne 1 ]; then echo "$label is defined $n times in docs/theory"; status=1; fi
done
for page in $(grep -rhoE "(docs|tests)/[a-z0-9_/-]+\.(md|cpp|h)" include src tests docs README.md HACKING.md CONTRIBUTING.md | sort -u); do
  [ -e "$page" ] || { echo "$page is named but does not exist"; status=1; }
done
for page in README.md HACKING.md CONTRIBUTING.md $(find docs -name '*.md'); do  # relative links
  for link in $({ grep -oE "\]\([^)# ]+" "$page" || true; } | cut -c3- | { grep -v :// || true; }); do
    [ -e "$(dirname "$page")/$link" ] || { echo "$page links to $link, which does not exist"; status=1; }
  done
done
[ $status = 0 ] && echo "$(wc -l <<<"$cited") labels are defined once"
exit $status
