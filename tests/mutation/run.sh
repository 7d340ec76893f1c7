#!/usr/bin/env bash
# Planted errors.  Each must make at least one experiment fall: energy alone would not notice some of them.
# An experiment that does not end within a minute has noticed, too.
# Only the file with the error is compiled again; everything else comes from the release build.
#   run.sh BUILD_FOLDER
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
# name, file that holds the error, its words, the wrong words, file to compile, experiments
try() {
  local name=$1 file=$2 from=$3 to=$4 unit=$5
  shift 5
  rm -rf "$work/tree"
  mkdir -p "$work/tree"
  cp -R "$root/include" "$root/src" "$work/tree/"
  grep -qF -- "$from" "$work/tree/$file" || { printf '%s does not hold: %s\n' "$file" "$from"; exit 1; }
  FROM=$from TO=$to perl -0pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$work/tree/$file"
  g++ -std=c++20 -O1 -ffp-contract=off -w -Wno-psabi -I"$work/tree/include" -I"$work/tree/src" -I/usr/include/eigen3 -c "$work/tree/$unit" -o "$work/mutant.o"
  # shellcheck disable=SC2046
  g++ "$work/mutant.o" $(find "$build"/CMakeFiles/jawari-cli.dir -name '*.o') "$build"/libjawari-experiments.a "$build"/libjawari-rigs.a \
    "$build"/libjawari-{report,scene,audio,midi,core}.a -lfmt -lsndfile -lhwy -pthread \
    $(pkg-config --libs portaudio-2.0 2>/dev/null || true) $(pkg-config --libs rtmidi 2>/dev/null || true) -o "$work/mutant"
  if timeout 60 "$work/mutant" --quiet reproduce "$@" -o "$work/out" >/dev/null 2>"$work/log"; then
    printf 'NOT NOTICED: %s\n' "$name"
    failed=1
  else
    printf 'noticed: %s, %s claims fell\n' "$name" "$(grep -c 'must lie in' "$work/log" || true)"
  fi
}
try 'sign of g psi' include/jawari/scheme/quadratised.h '{-(t.g * t.psi + b * s_m), -b}' '{-(-t.g * t.psi + b * s_m), -b}' src/lines/power.cpp db19-fig1 db19-fig4
try 'sign of the exciting force' src/body/string_grid.cpp 'load_[p.first + i] += p.weight[i] * force_N' 'load_[p.first + i] -= p.weight[i] * force_N' src/body/string_grid.cpp db19-fig4
try 'sign of Kirchhoff-Carrier' src/body/string_grid.cpp 'kap_ = q0_ * string.stretching_N' 'kap_ = -q0_ * string.stretching_N' src/body/string_grid.cpp b14-kirchhoff
try 'factor 2 in beta2' src/impact/closed_form.cpp 't / (theta / 2)' 't / theta' src/impact/closed_form.cpp cw17
try 'missing (1 + gamma)' src/body/grid_plan.cpp '16 * s.bending_N_m2 * g * k * k' '16 * s.bending_N_m2 * k * k' src/body/grid_plan.cpp b14-fig1
try 'factor 1.1 in (3)' src/impact/closed_form.cpp 'return compression_of(i, stored(i, v));' 'return compression_of(i, 1.1 * stored(i, v));' src/impact/closed_form.cpp par11-fig10
try 'last coefficient of (8)' src/impact/closed_form.cpp 'const double P = 1 + U * (1 + U * (2.0 / 3 + U * (2.0 / 9 + U * 14.0 / 135)))' 'const double P = 1 + U * (1 + U * (2.0 / 3 + U * (2.0 / 9 + U * 11.0 / 135)))' src/impact/closed_form.cpp par11-fig3
try 'force of Heun not recycled' src/impact/integrators.cpp 'a_ = fresh_ ? mass_.acceleration(x_, v_) : a' 'a_ = mass_.acceleration(x_, v_)' src/impact/integrators.cpp par11-table2b
try 'hybrid correction of the incoming half alone' src/impact/corrections.cpp 'std::min(inner_->v(), impact_.speed_m_s)' 'std::abs(std::min(inner_->v(), impact_.speed_m_s))' src/impact/corrections.cpp par11-fig10
try 'sign of the force on modes' src/body/modal.cpp 'push_[i] += shape(tap, i)' 'push_[i] -= shape(tap, i)' src/body/modal.cpp db19-fig4
exit $failed
