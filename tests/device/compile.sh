#!/usr/bin/env bash
# Compiles every law with every scheme and the program of a warp as device code: with nvcc where it is installed, else with clang and a few declarations.
# A function of the host among them is an error; planted errors show that it is.
#   compile.sh INCLUDE_DIR [plant]
set -euo pipefail
cd "$(dirname "$0")"
include=$1
sources=${include%include}src
if nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc); then
  compile() { "$nvcc" -std=c++20 --expt-relaxed-constexpr --fmad=false -G -Werror cross-execution-space-call -I"$include" -I"$sources" -ptx -o /dev/null "$@"; }
elif clang=$(command -v clang++-19 || command -v clang++); then
  compile() { "$clang" -x cuda --cuda-device-only -nocudainc -nocudalib -Wno-unknown-cuda-version --cuda-gpu-arch=sm_70 -std=c++20 -fsyntax-only -include shim.h -I"$include" -I"$sources" "$@"; }
else
  echo "skipped: neither nvcc nor clang++ is installed (package clang-19)"
  exit 0
fi
if [ "${2:-}" != plant ]; then
  compile laws_schemes.cu
  compile warp_program.cu
  echo "every law and scheme and the program of a warp are device code"
  exit 0
fi
if compile planted.cu -DJAWARI_PLANTED=0 && ! compile planted.cu -DJAWARI_PLANTED=1 2>/dev/null && ! compile planted.cu -DJAWARI_PLANTED=2 2>/dev/null; then
  echo "functions of the host are noticed"
else
  echo "functions of the host are not noticed"
  exit 1
fi
