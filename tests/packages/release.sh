#!/usr/bin/env bash
# release.sh SOURCE: script/release in a clone: refuses what is not ready, then tags and makes the archive.
set -euo pipefail
source=$1
fail() { printf 'release test: %s\n' "$*" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$source" && git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf -) | (mkdir "$work/tree" && tar -xf - -C "$work/tree")
cd "$work/tree"
export GIT_CONFIG_GLOBAL=$work/config
git config --global user.name test
git config --global user.email test@localhost
git config --global init.defaultBranch main
git init -q
git add -A -f
git commit -qm "All"
refused() { if said=$(script/release "${@:2}" 2>&1); then fail "is not refused: $1"; fi; [[ $said == *"$1"* ]] || fail "says \"$said\", not \"$1\""; }
sed -i '0,/^## .*/s//## Unreleased/' CHANGELOG.md
sed -i -E 's/^(#define JAWARI_VERSION_MAJOR) .*/\1 9/' include/jawari/version.h
refused "not committed"
git commit -qam "Version 9"
version=$(sed -nE 's/^#define JAWARI_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' include/jawari/version.h | paste -sd.)
refused "CHANGELOG.md has no section"
sed -i "0,/^## Unreleased/s//## $version/" CHANGELOG.md
git commit -qam "Changelog"
refused "CITATION.cff"
sed -i -E "s/^version: .*/version: $version/" CITATION.cff
git commit -qam "Citation"
refused "package.json"
sed -i -E "0,/\"version\": /s/\"version\": \"[^\"]*\"/\"version\": \"$version\"/" package.json
git commit -qam "Package"
script/release --check >/dev/null
[[ -z $(git tag) ]] || fail "--check makes a tag"
script/release >/dev/null
[[ $(git describe --exact-match) == "v$version" ]] || fail "there is no tag v$version"
(cd "build/release-$version" && sha256sum -c --quiet "jawari-$version.tar.gz.sha256")
tar -xzf "build/release-$version/jawari-$version.tar.gz" -C "$work"
[[ -x $work/jawari-$version/script/test ]] || fail "the archive is not complete"
diff <(git ls-files | sort) <(cd "$work/jawari-$version" && find . -type f -o -type l | cut -c3- | sort) || fail "the archive and the tag differ"
refused "exists already"
printf 'version %s is tagged and archived\n' "$version"
