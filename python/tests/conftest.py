# SPDX-License-Identifier: MIT
import concurrent.futures
import importlib.util
import os
import pathlib
import time

import numpy as np
import pytest

os.environ.setdefault("MPLBACKEND", "Agg")
root = pathlib.Path(__file__).resolve().parents[2]


def needed(thing, what):
    """`thing`; without it the test is skipped, or fails where everything must be there (script/test sets JAWARI_WHOLE)."""
    if not thing:
        (pytest.fail if os.environ.get("JAWARI_WHOLE") else pytest.skip)(f"there is no {what}")
    return thing


# Times depend on the machine and on what else runs there: limits of time are asserted in script/soak only.
limits_of_time = bool(os.environ.get("JAWARI_TIMED"))
timed = pytest.mark.skipif(not limits_of_time, reason="asserts a time; script/soak runs it")


def package(name):
    """A module that may be missing."""
    needed(importlib.util.find_spec(name), name)
    return importlib.import_module(name)


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
    """A string over a curved bridge, shortened, one time step per sample."""
    import jawari
    scene = jawari.load(root / "scenes" / "bridge.toml")
    scene.duration_s, scene.quality = 0.1, "draft"
    return scene


def _spin(n):
    total = 0
    for i in range(n):
        total += i
    return total


@pytest.fixture
def faster():
    """Checks that a job done twice at once is faster than one after the other.  On a machine where two processes are not
    faster than one either, nothing can be said."""
    def check(one_after_the_other, at_once):
        ours, others = [], []
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            list(pool.map(_spin, [1000, 1000]))
            for _ in range(12):
                times = []
                for work in (one_after_the_other, at_once, lambda: [_spin(4000000), _spin(4000000)],
                             lambda: list(pool.map(_spin, [4000000, 4000000]))):
                    start = time.monotonic()
                    work()
                    times.append(time.monotonic() - start)
                ours.append(times[0] / times[1]), others.append(times[2] / times[3])
                if ours[-1] > 1.5:
                    break
        if max(ours) < 1.3 and max(others) < 1.3:
            pytest.skip(f"too much else runs: two processes are {max(others):.2f} times as fast as one")
        print(f"twice at once: {max(ours):.2f} times as fast")
        assert max(ours) > 1.3, (ours, others)

    return check


def same_channels(names, a, b):
    """Rows of channels: the same bits, but for sums of energy in the ledger, which are split where a run is: these agree to rounding."""
    assert a.shape == b.shape and len(names) == len(a)
    largest = max((np.abs(row).max() for name, row in zip(names, a) if name.startswith("ledger.")), default=0.0)
    for name, x, y in zip(names, a, b):
        if name.startswith("ledger."):
            assert np.abs(x - y).max() <= 4 * np.finfo(float).eps * largest, name
        else:
            assert np.array_equal(x, y), name
