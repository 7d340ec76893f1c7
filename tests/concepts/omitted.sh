#!/usr/bin/env bash
# ContactLaw lists all requirements on a law: a minimal law satisfies it, and with any part left out the compiler names that part.
#   omitted.sh COMPILER INCLUDE_DIR
set -euo pipefail
cd "$(dirname "$0")"
compile() { "$compiler" -std=c++20 -fsyntax-only -I"$include" -DJAWARI_OMIT="$1" omitted.cpp 2>&1; }
compiler=$1 include=$2
parts=(sides power_form exponent stiffness loss_factor touches depth potential force curvature psi psi_slope psi_pair anchor
  mean_force weighted stiffened)
if ! text=$(compile 0); then
  echo "the minimal law is no ContactLaw: $text"
  exit 1
fi
status=0
for i in "${!parts[@]}"; do
  part=${parts[$i]}
  if text=$(compile $((i + 1))); then
    echo "$part is not asked for"
    status=1
  elif ! grep -q "ContactLaw" <<<"$text" || ! grep -qE "(law\.|L::)$part" <<<"$text"; then
    printf 'a law without %s is refused without naming it:\n%s\n' "$part" "$text"
    status=1
  fi
done
[ $status = 0 ] && echo "${#parts[@]} parts of a law are asked for by name"
exit $status
