#!/usr/bin/env bash
# tidy.sh BUILD: clang-tidy over src/ and cli/ with the checks of .clang-tidy, after a file with a fault in it, which must be found.
# BUILD was configured with the preset "tidy"; nothing is compiled.
set -euo pipefail
build=$1
cd "$(dirname "$0")/../.."
tidy() { clang-tidy-14 -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option "$@" 2>/dev/null; }
export -f tidy
export build

fault=$(mktemp -d)
trap 'rm -rf "$fault"' EXIT
cp .clang-tidy "$fault/"
printf '#include <string>\n#include <utility>\nint size(std::string s) {\n  std::string t = std::move(s);\n  return static_cast<int>(s.size() + t.size());\n}\n' >"$fault/fault.cpp"
if clang-tidy-14 --quiet "$fault/fault.cpp" -- -std=c++20 >"$fault/found" 2>/dev/null || ! grep -q 'bugprone-use-after-move' "$fault/found"; then
  echo 'tidy: a planted fault was not found'
  exit 1
fi

mapfile -t files < <(python3 -c '
import json, os, sys
root = os.getcwd()
files = sorted({os.path.relpath(entry["file"], root) for entry in json.load(open(sys.argv[1] + "/compile_commands.json"))})
print("\n".join(f for f in files if f.startswith(("src/", "cli/"))))' "$build")
((${#files[@]} > 100)) || { echo "tidy: only ${#files[@]} files: the search is broken"; exit 1; }
failed=$(printf '%s\n' "${files[@]}" |
  xargs -P "$(nproc)" -I FILE bash -c 'out=$(tidy FILE) || { printf "%s\n" "$out" >&2; echo FILE; }' | wc -l)
printf '%d passed, %d failed\n' $((${#files[@]} - failed)) "$failed"
exit $((failed > 0))
