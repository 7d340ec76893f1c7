# SPDX-License-Identifier: MIT
import os
import pathlib

import pytest

os.environ.setdefault("MPLBACKEND", "Agg")
root = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def scenes():
    return root / "scenes"


@pytest.fixture
def ball():
    """A fast mass and a stiff barrier."""
    import jawari
    return jawari.load(root / "scenes" / "ball.toml")


@pytest.fixture
def bridge():
    """A string over a curved bridge, shortened."""
    import jawari
    scene = jawari.load(root / "scenes" / "bridge.toml")
    scene.duration_s = 0.1
    return scene
