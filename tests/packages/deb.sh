#!/usr/bin/env bash
# deb.sh BUILD SOURCE: makes the Debian packages of a build, installs them with dpkg into an empty root, uses what is there,
# and removes them again: nothing may be left.
set -euo pipefail
build=$1 source=$2
fail() { printf 'deb: %s\n' "$*" >&2; exit 1; }
for tool in cpack dpkg dpkg-deb dpkg-shlibdeps; do command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$build" && cpack -G DEB -B "$work/packages" >"$work/log" 2>&1) || { tail -n 30 "$work/log"; fail "cpack could not make the packages"; }
mapfile -t debs < <(find "$work/packages" -maxdepth 1 -name '*.deb' | sort)
((${#debs[@]} == 2)) || fail "cpack made ${#debs[@]} packages, not jawari and libjawari-dev"
version=$(sed -nE 's/^#define JAWARI_VERSION_(MAJOR|MINOR|PATCH) //p' "$source/include/jawari/version.h" | paste -sd.)
for deb in "${debs[@]}"; do
  [[ $(dpkg-deb -f "$deb" Version) == "$version" ]] || fail "$(basename "$deb") has another version than $version"
done
needs=$(dpkg-deb -f "$work"/packages/jawari_*.deb Depends)
for library in libc6 libsndfile1; do [[ $needs == *"$library"* ]] || fail "jawari does not depend on $library: $needs"; done
[[ $needs != *libfmt* ]] || fail "jawari depends on libfmt, which src/core/format.cpp should hold"

root=$work/root
mkdir -p "$root/var/lib/dpkg"/{info,updates,triggers}
touch "$root/var/lib/dpkg/status"
as=()
((EUID == 0)) || as=(fakeroot)
install=("${as[@]}" dpkg --root="$root" --force-depends --force-not-root --force-script-chrootless --log=/dev/null)
"${install[@]}" -i "${debs[@]}" >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg could not install the packages"; }
dpkg --root="$root" -s jawari | grep -q '^Status: install ok installed' || fail "dpkg does not know jawari"
if grep -rlE "$build|$source" "$root/usr"/{bin,include,lib/pkgconfig,lib/cmake,share} 2>/dev/null; then fail "the files above name the build folder"; fi

export LD_LIBRARY_PATH=$root/usr/lib
[[ $("$root/usr/bin/jawari" --version) == "jawari $version" ]] || fail "the program has another version than $version"
"$root/usr/bin/jawari" --quiet render "$root/usr/share/jawari/scenes/tanpura.toml" --duration 0.05 -o "$work/sound.wav"
[[ -s $work/sound.wav ]] || fail "the installed program renders nothing"
export PKG_CONFIG_PATH=$root/usr/lib/pkgconfig
# shellcheck disable=SC2046
g++ -std=c++20 "$source/tests/consumer/main.cpp" -o "$work/consumer" $(pkg-config --cflags --libs jawari)
"$work/consumer"
# shellcheck disable=SC2046
gcc -std=c11 "$source/tests/realtime/c_program.c" -o "$work/consumer-c" $(pkg-config --cflags --libs jawari-c) -lm
"$work/consumer-c"

"${install[@]}" -r jawari libjawari-dev >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg could not remove the packages"; }
left=$(find "$root" -path "$root/usr/*" -type f | head -n 5)
[[ -z $left ]] || fail "left after removal: $left"
printf 'jawari and libjawari-dev %s: %s\n' "$version" "$(du -ch "${debs[@]}" | tail -n 1 | cut -f 1)"
