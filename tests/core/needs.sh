#!/usr/bin/env bash
# needs.sh BUILD: what the compiler has read for a build of the core holds none of the libraries that the other parts need; so they need
# not be there.
set -euo pipefail
command -v ninja >/dev/null || { echo "skipped: ninja is not installed"; exit 77; }
deps=$(ninja -C "$1" -t deps)
(($(grep -c '^ ' <<<"$deps") > 10000)) || { echo "too few files were read: the search is broken"; exit 1; }
grep -q 'fmt/format.h' <<<"$deps" || { echo "not even {fmt} was read: the search is broken"; exit 1; }
read=$(grep -E 'toml\+\+|sndfile|/smf|nlohmann|node_modules|CLI11|/CLI/|gtest|rapidcheck|pybind11|portaudio|RtMidi' <<<"$deps" | sort -u | head -n 5 || true)
[[ -z $read ]] || { printf 'the core reads\n%s\n' "$read"; exit 1; }
printf '%d files were read, none of another part\n' "$(grep -c '^ ' <<<"$deps")"
