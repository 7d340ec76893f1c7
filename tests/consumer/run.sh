#!/usr/bin/env bash
# Installs into an empty prefix, moves it, then builds and runs consumers through find_package and through pkg-config: C++ with
# the static libraries, C with the shared one.
set -euo pipefail
build=$1 here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { printf 'consumer: %s\n' "$*" >&2; exit 1; }
said=$(JAWARI_BUILD=$build "$here/../../script/install" --prefix "$work/first")
grep -q "$work/first/bin is not on the PATH" <<<"$said" || fail "script/install does not say that its folder is not on the PATH: $said"
said=$(PATH="$work/first/bin:$PATH" JAWARI_BUILD=$build "$here/../../script/install" --prefix "$work/first")
grep -q "not on the PATH" <<<"$said" && fail "script/install says that its folder is not on the PATH, but it is"
HOME="$work/home" JAWARI_BUILD=$build "$here/../../script/install" >/dev/null
test -x "$work/home/.local/bin/jawari" || fail "script/install does not install for the user by default"
rm -r "${work:?}/home"
"$here/../../script/install" --prefix 2>/dev/null && fail "script/install takes --prefix without a folder"
mkdir "$work/some where"
mv "$work/first" "$work/some where/else"  # an installed tree may be moved
ln -s "$work/some where/else" "$work/prefix"
cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/build" >/dev/null
"$work/build/consumer"
"$work/build/consumer-c"
"$work/build/consumer-core"
for program in "$work/build/consumer" "$work/build/consumer-core" "$work/prefix/bin/jawari"; do
  if ldd "$program" | grep libfmt; then fail "$program needs libfmt, which src/core/format.cpp should hold"; fi
done
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix/" -name jawari.pc)")
export PKG_CONFIG_PATH
grep -rl "$work/first" "$work/prefix/" && fail "the files above name the folder of the installation"
# shellcheck disable=SC2046
g++ -std=c++20 "$here/main.cpp" -o "$work/by-pkg-config" $(pkg-config --cflags --libs jawari)
"$work/by-pkg-config"
for part in core midi audio scene report; do pkg-config --exists "jawari-$part" || fail "there is no jawari-$part.pc"; done
# shellcheck disable=SC2046
g++ -std=c++20 "$here/../core/main.cpp" -o "$work/core" $(pkg-config --cflags --libs jawari-core)
"$work/core"
if ldd "$work/core" | grep -E 'sndfile|jawari'; then fail "a program that uses the core alone needs the libraries above"; fi

# The shared library: C alone, nothing but jawari_* to be seen.
lib=$(dirname "$(find "$work/prefix/" -name 'libjawari.so')")
# shellcheck disable=SC2046
gcc -std=c11 "$here/../realtime/c_program.c" -o "$work/by-pkg-config-c" $(pkg-config --cflags --libs jawari-c) -lm
LD_LIBRARY_PATH=$lib "$work/by-pkg-config-c"
cmake -S "$here/c" -B "$work/build-c" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/build-c" >/dev/null
"$work/build-c/by-cmake"
others=$(nm -D --defined-only "$lib/libjawari.so" | awk '{print $3}' | grep -v '^jawari_' || true)
[[ -z $others ]] || fail "libjawari.so also exports: $(head -n 5 <<<"$others")"
declared=$(grep -o 'jawari_[a-z0-9_]*(' "$here/../../include/jawari/c_api.h" | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$lib/libjawari.so" | awk '{print $3}' | sort -u)
for name in $exported; do grep -qx "$name" <<<"$declared" || fail "$name is exported and not declared"; done
(($(wc -l <<<"$exported") > 10)) || fail "libjawari.so exports next to nothing"

# Headers are complete: all of them can be included.
(cd "$work/prefix/include" && find -L jawari -name '*.h' | sort | sed 's/.*/#include "&"/') >"$work/all.cpp"
(($(wc -l <"$work/all.cpp") == $(grep -c '^[a-z]' "$here/../../cmake/public_headers.txt"))) || fail "other headers are installed than cmake/public_headers.txt says"
(($(wc -l <"$work/all.cpp") > 50)) || fail "hardly any header is installed"
# shellcheck disable=SC2046
g++ -std=c++20 -fsyntax-only $(pkg-config --cflags jawari) "$work/all.cpp"
# Names of version 0.1 are there, and each of them warns.
# shellcheck disable=SC2046
g++ -std=c++20 -Wno-deprecated-declarations $(pkg-config --cflags jawari) "$here/old_names.cpp" -o "$work/old-names" $(pkg-config --libs jawari)
"$work/old-names"
# shellcheck disable=SC2046
warnings=$(LC_ALL=C g++ -std=c++20 -fsyntax-only $(pkg-config --cflags jawari) "$here/old_names.cpp" 2>&1 | grep 'warning:.*is deprecated' || true)
lines=$(grep -rhF '[[deprecated' "$here/../../include/jawari")
names=$(sed -nE 's/^.*using ([A-Za-z]+) \[\[.*$/\1/p; s/^.*\[\[deprecated\("[^"]*"\)\]\] [^(]*[ &]([a-z_]+)\(.*$/\1/p' <<<"$lines")
(($(wc -l <<<"$names") == $(wc -l <<<"$lines"))) || fail "deprecated names are read wrongly: $names"
for name in $names; do
  grep -qE "'[^']*\b$name\b[^']*' is deprecated" <<<"$warnings" || fail "old_names.cpp is not warned of $name"
done
test -x "$work/prefix/bin/jawari" && "$work/prefix/bin/jawari" --version
licences=$("$work/prefix/bin/jawari" --licences)  # not into a pipe that is closed early: that is an error of the output
grep -q "Copyright (c) 2022 Leon Sorokin" <<<"$licences"
for file in LICENSE NOTICE; do cmp "$here/../../$file" "$work/prefix/share/doc/jawari/$file"; done
