# SPDX-License-Identifier: MIT
"""Comparisons, experiments, pictures, command line, stubs."""
import ast
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import jawari
from conftest import needed, package


def test_compare_ranks_schemes(ball):
    c = ball.compare(["two-point", "quadratised"], [1, 2, 4])
    assert len(c) == 6 and np.all(np.isfinite(c.entries["error"])) and c.reference_change < 1e-5
    assert c.order("two-point") == pytest.approx(2, abs=0.3)
    assert np.all(c["two-point"]["error"] < c["quadratised"]["error"])
    assert "two-point at" in repr(c)
    with pytest.raises(ValueError, match="did you mean"):
        ball.compare(["two-pont"])
    for bad in ([], [0], [1.5], [2000]):
        with pytest.raises(ValueError, match="rates"):
            ball.compare(["two-point"], bad)
    with pytest.raises(ValueError, match="schemes"):
        ball.compare("two-point")


def test_experiments():
    needed((pathlib.Path(jawari.__file__).parent / "bin").exists(), "command line in the package")
    listed = jawari.experiments()
    assert {"PAR11", "D17", "CW17", "B14", "DB19"} <= {e["paper"] for e in listed}
    finding, = jawari.reproduce("par11-fig1")
    assert finding.stands and finding.claims and all(c.band[0] <= c.ours <= c.band[1] for c in finding.claims)
    assert finding.plots[0]["curves"][0][1].shape == finding.plots[0]["curves"][0][2].shape
    assert "par11-fig1" in repr(finding)
    with pytest.raises(ValueError, match="par11-fig99"):
        jawari.reproduce("par11-fig99")


def test_pictures(bridge, tmp_path):
    plt = package("matplotlib.pyplot")
    r = bridge.simulate(state=10, maps=10)
    for what in ("waveform", "spectrogram", "string", "contact-map", "energy"):
        ax = r.plot(what)
        assert ax.get_xlabel() and (ax.lines or ax.collections), what
        ax.figure.savefig(tmp_path / f"{what}.png")
        plt.close(ax.figure)
    figure = r.plot()
    assert len(figure.axes) >= 5
    plt.close(figure)
    with pytest.raises(ValueError, match="'wavefrm'"):
        r.plot("wavefrm")


def test_phase_portrait_and_other_pictures(ball):
    plt = package("matplotlib.pyplot")
    r = ball.simulate()
    line, = r.plot("phase").lines
    assert np.array_equal(line.get_xdata(), 1e3 * r["ball.displacement_m"])
    assert ball.compare(["two-point"], [1, 2]).plot().lines
    s = jawari.sweep(ball, {"rate_hz": [44100, 48000, 96000], "ball.mass_kg": [1.0, 2.0]})
    assert s.plot().collections
    if any(e["id"] == "par11-fig1" for e in jawari.experiments()):
        assert jawari.reproduce("par11-fig1")[0].plot().lines
    plt.close("all")


@pytest.mark.parametrize("words", [["list", "laws"], ["--version"], ["list", "scene", "--json"], ["impact", "--mass", "0.01", "--stiffness",
                                   "1e9", "--exponent", "1.5", "--speed", "1"], ["render", "absent.toml"], ["rendr"]])
def test_module_equals_the_command_line(words):
    program = pathlib.Path(jawari.__file__).parent / "bin" / "jawari"
    a, b = (subprocess.run([*start, *words], capture_output=True) for start in ([program], [sys.executable, "-m", "jawari"]))
    assert (a.returncode, a.stdout, a.stderr) == (b.returncode, b.stdout, b.stderr)
    assert a.stdout or a.stderr


def test_stubs_are_current_and_complete():
    package = pathlib.Path(jawari.__file__).parent
    source = pathlib.Path(__file__).resolve().parents[1]
    sys.path.insert(0, str(source / "tools"))
    try:
        import make_stubs
    finally:
        sys.path.pop(0)
    for name, text in make_stubs.stubs().items():
        assert (source / "jawari" / name).read_text() == text, f"run python/tools/make_stubs.py: {name} is not current"
        ast.parse(text)
        assert (package / name).exists()
    known = set()
    for stub in package.glob("*.pyi"):
        known |= {n.name for n in ast.parse(stub.read_text()).body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
    for name in ("Mass", "String", "Scene", "PowerLaw", "HuntCrossley", "load", "tabulate", "Scheme"):
        assert name in known, name


def test_everything_public_has_a_docstring():
    for name in jawari.__all__:
        thing = getattr(jawari, name)
        if name != "__version__" and callable(thing):
            assert (thing.__doc__ or "").strip(), name


def test_types(tmp_path):
    mypy = needed(shutil.which("mypy"), "mypy")
    package = pathlib.Path(jawari.__file__).parent
    run = [mypy, "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run([*run, package], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    (tmp_path / "user.py").write_text("""\
import jawari
mass = jawari.Mass(name="a", mass_kg=1.0)
fine: float = mass.mass_kg
result: jawari.Result = jawari.Scene(mass, duration_s=1.0).simulate()
law = jawari.Contact(bodies=("a", "wall"), law=jawari.PowerLaw(stiffness=1.0, exponent=1.5)).law.force(1.0)
wrong: str = mass.mass_kg
jawari.Mass(name="a", weight=1.0)
jawari.Mass(name="a", mass_kg="heavy")
""")
    done = subprocess.run([*run, tmp_path / "user.py"], capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(package.parent)})
    lines = [int(line.split(":")[1]) for line in done.stdout.splitlines() if "error:" in line]
    assert sorted(set(lines)) == [6, 7, 8], done.stdout


def test_modules_do_not_import_one_another_in_a_circle():
    package = pathlib.Path(jawari.__file__).parent
    uses = {}
    for file in package.glob("*.py"):
        tree = ast.parse(file.read_text())
        typed = {n for i in ast.walk(tree) if isinstance(i, ast.If) and ast.unparse(i.test) == "TYPE_CHECKING" for n in ast.walk(i)}
        found = set()
        for node in ast.walk(tree):  # also within functions
            if isinstance(node, ast.ImportFrom) and node.level and node not in typed:
                found |= {node.module.split(".")[0]} if node.module else {n.name for n in node.names}
        uses[file.stem] = found
    assert uses["run"] >= {"scene", "result"}
    while leaves := {name for name in uses if not uses[name] & set(uses)}:
        for name in leaves:
            del uses[name]
    assert not uses, f"modules that import one another in a circle, or are imported by such: {sorted(uses)}"
