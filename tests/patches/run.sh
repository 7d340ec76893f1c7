#!/usr/bin/env bash
# A new gesture, body, law or kernel touches few files: NAME.patch applies, touches at most MOST files, and what it touches and
# what visits all parts of a scene compiles.  Where there is a NAME.cpp, it plays what is new: linked with the patched files in front
# of the libraries in BUILD it must succeed, without them it must not.
#   run.sh NAME MOST COMPILER SOURCE BUILD FILES...
set -euo pipefail
name=$1 most=$2 compiler=$3 source=$4 build=$5
shift 5
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r "$source/include" "$source/src" "$copy"
touched=$(sed -n 's#^+++ b/##p' "$source/tests/patches/$name.patch")
count=$(wc -l <<<"$touched")
if [ "$count" -gt "$most" ]; then
  echo "$name.patch touches $count files, but at most $most are allowed"
  exit 1
fi
patch --directory "$copy" --strip 1 --fuzz 0 --silent --input "$source/tests/patches/$name.patch"
compile() {
  "$compiler" -std=c++20 -O0 -Wall -Wextra -Werror -Wno-deprecated-declarations -Wno-psabi -DJAWARI_ONE_TARGET -I"$copy/include" -I"$copy/src" "$@"
}
objects=()
for file in $(grep '\.cpp$' <<<"$touched"); do
  objects+=("$copy/${#objects[@]}.o")
  compile -c "$copy/$file" -o "${objects[-1]}"
done
for file in "$@"; do compile -fsyntax-only "$copy/$file"; done
if [ -e "$source/tests/patches/$name.cpp" ]; then
  compile -c "$source/tests/patches/$name.cpp" -o "$copy/play.o"
  link() { "$compiler" "$copy/play.o" "$@" "$build/libjawari-core.a" -lhwy -pthread -ldl -o "$copy/play"; }
  link "${objects[@]}"
  "$copy/play"
  if link 2>/dev/null && "$copy/play" >/dev/null; then
    echo "$name.cpp also succeeds without what $name.patch changes"
    exit 1
  fi
fi
echo "$name.patch: $count files"
