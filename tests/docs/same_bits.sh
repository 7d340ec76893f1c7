#!/usr/bin/env bash
# What makes samples (core to kernel, and all public headers) calls no function of the C library that differs between systems in the
# last place: core/elementary.h has its own.  Exact ones (sqrt, floor, abs, frexp, ...) are free.  Nor does it use long double or
# Boost, nor `long`, which has 32 bits in WebAssembly and on Windows.
set -euo pipefail
cd "${1:-$(dirname "$0")/../..}"
functions='sin|cos|tan|sincos|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|hypot|cbrt|tgamma|lgamma|erf|erfc|fma|polar|cyl_[a-z_]*|beta|riemann_zeta|legendre'
rooms=(include/jawari)
for room in core contact lines scheme couple body impact engine kernel; do
  [ -d "src/$room" ] && rooms+=("src/$room")
done
[ "${#rooms[@]}" -ge 8 ] || { echo "too few folders: the search is broken"; exit 1; }
# Code without comments and texts, as file:line:code.
code=$(grep -rn '' "${rooms[@]}" --include='*.h' --include='*.cpp' | sed -E 's/"([^"\\]|\\.)*"/""/g; s@//.*@@; s@^([^:]*:[0-9]*:) */?\*.*@\1@')
[ "$(wc -l <<<"$code")" -ge 10000 ] || { echo "too few lines: the search is broken"; exit 1; }
status=0
find_in() { # what, pattern [, lines to leave out]
  local hits
  hits=$(grep -E "$2" <<<"$code" | grep -vE "${3:-^$}" || true)
  [ -z "$hits" ] || { printf '%s:\n%s\n' "$1" "$hits"; status=1; }
}
find_in "functions of the C library" "(std|boost::math)::($functions)(<[a-z ]*>)?\("
find_in "functions of the C library" "(^|[^a-zA-Z0-9_:.>])(::)?($functions)\(" \
  "^(include/jawari/core/elementary\.h|src/core/elementary_[a-z]+\.cpp):|(double|auto|Wide|Exponential|T) ($functions)\(|(auto|double)[&*]? ($functions) = "
find_in "long double" "long double"
find_in "long" "(^|[^a-zA-Z0-9_])long([^a-zA-Z0-9_]|$)|[^a-zA-Z_0-9][0-9]+L[^a-zA-Z0-9_]"
find_in "Boost" "boost"
find_in "lround" "std::lround\("
[ $status = 0 ] && echo "$(wc -l <<<"$code") lines use no function that differs between C libraries"
exit $status
