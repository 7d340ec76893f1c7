#!/usr/bin/env bash
# Every equation label that code, tests or pages cite is defined exactly once in docs/theory, every defined label is cited in code or
# tests, and every page and file that they name exists.   (Whether an equation is implemented once: tests/lint/formulas.py.)
set -euo pipefail
cd "${1:-$(dirname "$0")/../..}"
shopt -s globstar nullglob
status=0
code=(include/**/*.h src/**/*.{h,cpp} tests/**/*.{h,cpp,c,cu,mjs} experiments/**/*.{h,cpp} bench/*.{h,cpp} cli/*.{h,cpp} python/src/*.{h,cpp})
pages=(*.md docs/**/*.md)
((${#code[@]} >= 400 && ${#pages[@]} >= 30)) || { echo "only ${#code[@]} files and ${#pages[@]} pages: the search is broken"; exit 1; }
papers=$(grep -oE '^\* \*\*[A-Z]+[0-9]+\*\*' docs/theory/index.md | grep -oE '[A-Z]+[0-9]+' | sed 's/.*/(&)/')
# In pages (C4) may be a pitch or a correction of errata.md, and (C7) is a correction in one test.
cited=$({ grep -hoE '\([A-Z]{1,2}[0-9]+\)' "${code[@]}"
  grep -hoE '\((LD|[B-Z])[0-9]+\)' docs/{theory,decisions}/*.md docs/guide/{speed,reports,scenes,convergence}.md | grep -v '(C[0-9])'; } |
  sort -u | { grep -vxF "$papers" || true; } | { grep -vxF '(C7)' || true; })
[ "$(wc -l <<<"$cited")" -ge 80 ] || { echo "too few labels are cited: the search is broken"; exit 1; }
for label in $cited; do
  n=$({ grep -rhoF "**$label**" docs/theory || true; } | wc -l)
  if [ "$n" -ne 1 ]; then echo "$label is defined $n times in docs/theory"; status=1; fi
done
defined=$(grep -rhoE '\*\*\([A-Z]{1,2}[0-9]+\)\*\*' docs/theory | tr -d '*' | sort -u)
for label in $defined; do
  grep -qF "$label" "${code[@]}" || { echo "$label is defined in docs/theory, but no code and no test cites it"; status=1; }
done
for page in $(grep -hoE '(docs|tests)/[a-z0-9_/-]+\.(md|cpp|h)' "${code[@]}" "${pages[@]}" | sort -u); do
  [ -e "$page" ] || { echo "$page is named but does not exist"; status=1; }
done
for page in "${pages[@]}"; do  # relative links, and headings of the same page or another
  for link in $({ grep -oE '\]\([^) ]+' "$page" || true; } | cut -c3- | { grep -v :// || true; }); do
    file=${link%%#*} heading=${link#*#}
    target=$page
    [ -z "$file" ] || target=$(dirname "$page")/$file
    [ -e "$target" ] || { echo "$page links to $file, which does not exist"; status=1; continue; }
    [[ $link == *'#'* && $target == *.md ]] || continue
    sed -nE 's/^#+ +//p' "$target" | tr 'A-Z' 'a-z' | sed -E 's/[^a-z0-9 _-]//g; s/ +/-/g' | grep -qxF -- "$heading" ||
      { echo "$page links to $file#$heading, and there is no such heading"; status=1; }
  done
done
[ $status = 0 ] && echo "$(wc -l <<<"$cited") cited labels are defined once, $(wc -l <<<"$defined") defined ones are cited"
exit $status
