# SPDX-License-Identifier: MIT
"""Every example runs, and leaves its picture; the documentation shows the code that runs."""
import pathlib
import subprocess
import sys

import pytest

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "python" / "tools"))
import make_docs  # noqa: E402

scripts = sorted((root / "examples").glob("*.py"))


def test_there_are_six():
    assert len(scripts) >= 6


@pytest.mark.parametrize("script", scripts, ids=lambda s: s.stem)
def test_runs(script, tmp_path):
    pytest.importorskip("matplotlib")
    done = subprocess.run([sys.executable, "-W", "error::RuntimeWarning", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout and (tmp_path / f"{script.stem}.png").stat().st_size > 5000


@pytest.mark.parametrize("script", scripts, ids=lambda s: s.stem)
def test_documentation_shows_it(script):
    page = (root / "docs" / "python" / f"{script.stem}.md").read_text()
    for kind, content in make_docs.cells(script):
        assert content in page, f"run python/tools/make_docs.py --examples: {script.stem}.md is not current"


def test_reference_pages_are_current():
    for name, text in make_docs.pages().items():
        assert (root / "docs" / "python" / name).read_text() == text, f"run python/tools/make_docs.py: {name} is not current"
        assert "None\n" not in text.split("```")[0]
