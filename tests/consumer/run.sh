#!/usr/bin/env bash
# Installs into an empty prefix, then builds and runs the consumer through find_package and through pkg-config.
set -euo pipefail
build=$1 here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null
cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/build" >/dev/null
"$work/build/consumer"
"$work/build/consumer-c"
lib=$(dirname "$(find "$work/prefix" -name jawari.pc)")
# shellcheck disable=SC2046
PKG_CONFIG_PATH=$lib g++ -std=c++20 "$here/main.cpp" -o "$work/by-pkg-config" \
  $(PKG_CONFIG_PATH=$lib pkg-config --define-variable=prefix="$work/prefix" --cflags --libs jawari)
"$work/by-pkg-config"
test -x "$work/prefix/bin/jawari" && "$work/prefix/bin/jawari" --version
"$work/prefix/bin/jawari" --licences | grep -q "Copyright (c) 2022 Leon Sorokin"
for file in LICENSE NOTICE; do cmp "$here/../../$file" "$work/prefix/share/doc/jawari/$file"; done
