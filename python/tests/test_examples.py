# SPDX-License-Identifier: MIT
"""Every example runs, and leaves its picture; the documentation shows the code that runs."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

import jawari
from conftest import package

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "python" / "tools"))
import make_docs  # noqa: E402

scripts = sorted((root / "examples").glob("*.py"))


def test_there_are_six():
    assert len(scripts) >= 6


@pytest.mark.parametrize("script", scripts, ids=lambda s: s.stem)
def test_runs(script, tmp_path):
    package("matplotlib")
    done = subprocess.run([sys.executable, "-W", "error::RuntimeWarning", script], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(pathlib.Path(jawari.__file__).parents[1])})
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


def test_snippets_of_the_overview_run(tmp_path, monkeypatch):
    (tmp_path / "scenes").symlink_to(root / "scenes")
    monkeypatch.chdir(tmp_path)
    page = (root / "docs" / "python" / "index.md").read_text()
    names = {"__name__": "snippets"}
    snippets = re.findall(r"^```python\n(.*?)^```", page, flags=re.M | re.S)
    assert len(snippets) == 3
    for snippet in snippets:
        exec(compile(snippet, "index.md", "exec"), names)
    assert names["result"].steps == 2205 and (tmp_path / "ball.wav").exists()
    assert names["scene"].simulate().sound.any()


@pytest.mark.parametrize("page", ["README.md", "docs/guide/questions.md", "docs/guide/many.md", "docs/guide/instruments.md"])
def test_snippets_of_other_pages_run(page, tmp_path, monkeypatch):
    (tmp_path / "scenes").symlink_to(root / "scenes")
    monkeypatch.chdir(tmp_path)
    snippets = re.findall(r"^```python\n(.*?)^```", (root / page).read_text(), flags=re.M | re.S)
    assert snippets
    for snippet in snippets:
        snippet = snippet.replace("count=10000", "count=8")  # all of them take minutes
        exec(compile(snippet, page, "exec"), {"__name__": "snippet"})


def test_no_page_has_a_snippet_that_is_not_run():
    run = {root / "README.md", *(root / "docs" / "guide" / name for name in ("questions.md", "many.md", "instruments.md"))}
    pages = [root / "README.md", *(root / "docs" / "guide").rglob("*.md"), *(root / "docs" / "theory").rglob("*.md")]
    for page in pages:
        assert page in run or "\n```python\n" not in page.read_text(), f"{page}: its snippets are not run"
