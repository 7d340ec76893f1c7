#!/usr/bin/env bash
# Five planted errors.  Each must make at least one experiment fall: energy alone would not notice some of them.
#   run.sh FOLDER     FOLDER: for the mutated copies and their builds
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=${1:-$(mktemp -d)}
mkdir -p "$work"
copy=$work/source
rm -rf "$copy"
mkdir -p "$copy"
tar -C "$root" --exclude=./build --exclude=./.git --exclude=./out -cf - . | tar -C "$copy" -xf -
cmake -S "$copy" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DJAWARI_BUILD_TESTS=OFF >/dev/null
failed=0
# name, file, from, to, experiments
try() {
  local name=$1 file=$2 from=$3 to=$4
  shift 4
  cp "$copy/$file" "$work/kept"
  python3 - "$copy/$file" "$from" "$to" <<'EOF'
import sys
path, old, new = sys.argv[1:]
text = open(path).read()
assert text.count(old) >= 1, f"{path} does not hold {old!r}"
open(path, "w").write(text.replace(old, new, 1))
EOF
  cmake --build "$work/build" --target jawari-cli -- --quiet >/dev/null
  if "$work/build/jawari" --quiet reproduce "$@" -o "$work/out" >"$work/log" 2>&1; then
    printf 'NOT NOTICED: %s\n' "$name"
    failed=1
  else
    printf 'noticed: %s (%s)\n' "$name" "$(grep -c 'must lie in' "$work/log" || true) claims fell"
  fi
  cp "$work/kept" "$copy/$file"
}
try 'sign of g psi' include/jawari/scheme/quadratised.h 'return {-(t.g * t.psi + b * s_m), -b};' 'return {-(-t.g * t.psi + b * s_m), -b};' db19
try 'sign of the exciting force' src/body/string_grid.cpp 'load_[p.first + i] += p.weight[i] * force_N' 'load_[p.first + i] -= p.weight[i] * force_N' db19
try 'sign of Kirchhoff-Carrier' src/body/string_grid.cpp 'kap_ = q0_ * string.stretching_N' 'kap_ = -q0_ * string.stretching_N' b14
try 'factor 2 in beta2' src/impact/closed_form.cpp 't / (theta / 2)' 't / theta' cw17
try 'missing (1 + gamma)' src/body/grid_plan.cpp '16 * s.bending_N_m2 * g * k * k' '16 * s.bending_N_m2 * k * k' b14
exit $failed
