#!/usr/bin/env bash
# A new gesture, body, law or kernel touches few files: NAME.patch applies, touches at most MOST files, and what it touches and
# what visits all parts of a scene compiles.
#   run.sh NAME MOST COMPILER SOURCE FILES...
set -euo pipefail
name=$1 most=$2 compiler=$3 source=$4
shift 4
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
for file in $(grep '\.cpp$' <<<"$touched"); do compile -c "$copy/$file" -o "$copy/object.o"; done
for file in "$@"; do compile -fsyntax-only "$copy/$file"; done
echo "$name.patch: $count files"
