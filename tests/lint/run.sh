#!/usr/bin/env bash
# run.sh TOOL [plant]: format, shell, python or javascript over the files of the repository; with `plant` over a copy of one of them
# with a fault in it, which must be found.  77: the tool is not installed (script/bootstrap --lint).
set -euo pipefail
tool=$1 plant=${2:-}
cd "$(dirname "$0")/../.."
files() { git ls-files --cached --others --exclude-standard "$@" 2>/dev/null; }
need() { command -v "$1" >/dev/null || { echo "skipped: $1 is not installed"; exit 77; }; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The files to read, or the planted one: check LEAST SUFFIX FAULT FILES...
list=()
choose() {
  local least=$1 name=$2 fault=$3
  shift 3
  mapfile -t list < <(for f in "$@"; do [[ -f $f && ! -L $f ]] && printf '%s\n' "$f"; done)
  ((${#list[@]} >= least)) || { echo "only ${#list[@]} files: the search is broken"; exit 1; }
  [[ -z $plant ]] && return
  printf '%b' "$fault" >"$work/$name"
  list=("$work/$name")
}
case $tool in
  format)
    need clang-format-14
    mapfile -t all < <(files '*.h' '*.cpp' '*.c' '*.cu' | grep -vxF -f tests/lint/unformatted.txt)
    choose 500 fault.cpp 'int  f( ) {return 1;}\n' "${all[@]}"
    others=$(clang-format-14 --style=file:.clang-format --dry-run "${list[@]}" 2>&1 | grep -E ': (error|warning):' | cut -d: -f1-2 | sort -u || true)
    [[ -z $others ]] || { printf '%s\nclang-format-14 -i formats the lines above otherwise\n' "$others"; exit 1; }
    ;;
  shell)
    need shellcheck
    mapfile -t all < <(git grep -lE '^#!.*(bash|sh)$')
    choose 20 fault.sh '#!/bin/bash\nrm $(ls) $1\nif [ $1 = ]; then\nfi\n' "${all[@]}"
    shellcheck -S warning "${list[@]}"
    ;;
  python)
    need flake8
    mapfile -t all < <(files '*.py')
    choose 40 fault.py 'import os\nprint(x)\n' "${all[@]}"
    flake8 --config .flake8 "${list[@]}"
    ;;
  javascript)
    need eslint
    mapfile -t all < <(files 'src/*.js' 'docs/theme/*.mjs' 'docs/guide/*.mjs' 'web/*.js' 'web/*.mjs')
    choose 12 fault.mjs 'var x = 1;\nconst y = z == 1;\n' "${all[@]}"
    # Debian's eslint with any Node.js; what Debian 12's parser does not read yet (top-level await) is not checked.
    NODE_PATH=/usr/share/nodejs eslint --format unix --no-ignore --no-eslintrc --config .eslintrc.json "${list[@]}"
    ;;
  *) echo "run.sh: there is no tool $tool" >&2; exit 2 ;;
esac
echo "${#list[@]} files"
