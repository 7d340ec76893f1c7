#!/usr/bin/env bash
# wheel.sh BUILD SOURCE: makes the source archive, a wheel from that archive alone, installs it into a fresh virtual environment and
# uses it there.  The compiled parts are those of BUILD (JAWARI_BUILD=; with JAWARI_COMPILE=1 they are compiled from the archive: ten
# minutes); that the archive holds every file that a build needs is compared.  No network.
set -euo pipefail
build=$(cd "$1" && pwd) source=$2
python=/usr/bin/python3
fail() { printf 'wheel: %s\n' "$*" >&2; exit 1; }
"$python" -c 'import numpy, setuptools, wheel, venv, pip' 2>/dev/null || { echo "skipped: numpy, setuptools, wheel, venv or pip is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source"
mkdir "$work/source"
{ git ls-files -z --cached --others --exclude-standard; printf '%s\0' node_modules/uplot/{LICENSE,package.json,dist/uPlot.iife.min.js,dist/uPlot.min.css}; } |
  tar --null -T - -cf - | tar -xf - -C "$work/source"
cd "$work/source"
"$python" setup.py -q sdist -d "$work/dist" >"$work/log" 2>&1 || { tail "$work/log"; fail "the source archive cannot be made"; }
mkdir "$work/archive"
tar -xzf "$work"/dist/jawari-*.tar.gz -C "$work/archive" --strip-components 1
missing=$(cd "$source" && git ls-files include src cli cmake experiments presets scenes python/jawari python/src python/CMakeLists.txt setup.py \
  pyproject.toml CMakeLists.txt LICENSE NOTICE README.md | while read -r f; do [[ -e $work/archive/$f ]] || echo "$f"; done)
[[ -z $missing ]] || fail "the source archive lacks $(head -n 5 <<<"$missing")"
cmake -S "$work/archive" -B "$work/configured" -G Ninja -DJAWARI_BUILD_TESTS=OFF -DJAWARI_BUILD_PYTHON=ON -DJAWARI_BUILD_CUDA=OFF \
  "-DPython_EXECUTABLE=$python" >"$work/log" 2>&1 || { tail "$work/log"; fail "the source archive cannot be configured"; }

cd "$work/archive"
[[ -n ${JAWARI_COMPILE:-} ]] || export JAWARI_BUILD=$build
"$python" -m pip wheel -q --no-index --no-build-isolation --no-deps . -w "$work/dist"
wheel=$(find "$work/dist" -name 'jawari-*.whl')
[[ $wheel == *linux* ]] || fail "the wheel is not one of this platform: $wheel"
"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/pip" install -q --no-index --no-deps "$wheel"
cd "$work"
env -u PYTHONPATH "$work/venv/bin/python" - <<'PY'
import os
import sys
import jawari
assert jawari.__file__.startswith(sys.prefix), jawari.__file__
assert os.path.exists(os.path.join(os.path.dirname(jawari.__file__), "py.typed"))
scene = jawari.Scene.from_text("""
duration_s = 0.01
[[mass]]
name = "ball"
mass_kg = 0.01
position_m = -1e-3
velocity_m_s = 2.0
[[contact]]
bodies = ["ball", "wall"]
law = { type = "power", stiffness = 1e8, exponent = 1.5 }
""")
result = jawari.simulate(scene)
assert result is not None
print("jawari", jawari.__version__, "works in a fresh environment")
PY
"$work/venv/bin/jawari" --version
"$work/venv/bin/jawari" --licences | grep -c 'Leon Sorokin' >/dev/null
unzip -l "$wheel" 2>/dev/null | grep -q LICENSE || "$python" -m zipfile -l "$wheel" | grep -q LICENSE || fail "the wheel has no licence"
