#!/usr/bin/env bash
# Runs every snippet of README.md and docs/: ```toml is rendered, ```sh is executed, ```cpp is compiled, linked and run, and so
# is ```c, with the shared library.  (```console and ```text are not run.)  Fails on the first one that does not work, and if a
# kind was not found.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd) build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/snippets" "$work/run"
find "$root/README.md" "$root/docs" -name '*.md' | sort | while read -r page; do
  awk -v out="$work/snippets" -v page="$(basename "$page" .md)" '
    /^```(toml|sh|cpp|c)$/ { kind = substr($0, 4); name = sprintf("%s/%s-%03d.%s", out, page, NR, kind); next }
    /^```/ { name = "" }
    name != "" { print > name }' "$page"
done
cd "$work/run"
ln -s "$root/scenes" scenes
export PATH="$build:$PATH"
count=0
fail() { printf 'snippet %s does not work:\n' "$(basename "$1")"; cat "$1" "$work/log"; exit 1; }
for snippet in "$work"/snippets/*; do
  count=$((count + 1))
  case "$snippet" in
    *.toml) jawari --quiet render "$snippet" --duration 0.02 >"$work/log" 2>&1 || fail "$snippet" ;;
    *.sh) bash -euo pipefail "$snippet" >"$work/log" 2>&1 || fail "$snippet" ;;
    *.cpp)
      { g++ -std=c++20 -O1 -Wall -Wextra -Werror -I "$root/include" "$snippet" -o "$work/program" \
          "$build"/libjawari-{report,scene,audio,midi,core}.a -lsndfile -pthread &&
        "$work/program"; } >"$work/log" 2>&1 || fail "$snippet" ;;
    *.c)
      { gcc -std=c11 -O1 -Wall -Wextra -Werror -I "$root/include" "$snippet" -o "$work/program" \
          -L "$build" -ljawari -lm -Wl,-rpath,"$build" && "$work/program"; } >"$work/log" 2>&1 || fail "$snippet" ;;
  esac
done
for kind in toml sh cpp c; do
  compgen -G "$work/snippets/*.$kind" >/dev/null || { echo "no $kind snippet was found: the search is broken"; exit 1; }
done
printf '%d snippets work\n' "$count"
