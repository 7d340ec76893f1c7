# SPDX-License-Identifier: MIT
"""Many impacts of a mass and a wall, simulated: arrays in, arrays out.

    got = jawari.impacts(mass_kg=0.01, stiffness=np.geomspace(1e6, 1e12, 1000), exponent=1.5, mu=0.6, speed_m_s=1.0)
    got.restitution
"""
from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Mapping, NamedTuple

import numpy as np

from . import _core
from ._tables import refuse

__all__ = ["Impacts", "impacts"]


class Impacts(NamedTuple):
    """What simulated impacts did; arrays of one shape.  NaN where a solve failed or a contact did not end."""

    outbound_m_s: np.ndarray
    """Speed away from the wall [m/s]."""
    restitution: np.ndarray
    """Rebound over impact speed."""
    contact_s: np.ndarray
    """Time steps with a force, as a time [s]."""
    compression_m: np.ndarray
    """Largest compression [m]."""
    force_N: np.ndarray
    """Largest force [N]."""
    lost_J: np.ndarray
    """Energy lost in the contact [J]."""
    imbalance: np.ndarray
    """Of the energy account, over the energy at the start."""
    samples: np.ndarray
    """Time steps with a force."""


def _scheme(scheme: Any) -> tuple[str, dict[str, float]]:
    if scheme is None:
        return "", {}
    if isinstance(scheme, str):
        return scheme, {}
    if isinstance(scheme, Mapping) and "type" in scheme:
        return str(scheme["type"]), {k: float(v) for k, v in scheme.items() if k != "type"}
    refuse("scheme", f"scheme is {scheme!r}, but must be a name or a mapping with a \"type\"")


def impacts(*, mass_kg: Any, stiffness: Any, exponent: Any = 1.5, mu: Any = 0.0, speed_m_s: Any = 1.0, scheme: Any = None,
            rate_hz: float = 44100, phase: float = 0.5, longest_s: float = 1.0, workers: int | None = None) -> Impacts:
    """Simulates impacts of a mass thrown at a wall whose law is f = K y^alpha (1 + mu y').

    Parameters
    ----------
    mass_kg, stiffness, exponent, mu, speed_m_s : numbers or arrays
        Broadcast against one another.
    scheme : str or mapping
        As in a scene; by default that of the law.
    rate_hz : float
        Time steps per second.
    phase : float
        Where between two samples the wall is touched, 0 to 1.
    longest_s : float
        A contact that lasts longer counts as failed.
    workers : int
        Threads; all cores by default.
    """
    given = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in (mass_kg, stiffness, exponent, mu, speed_m_s)))
    shape = given[0].shape
    columns = [np.ascontiguousarray(x).ravel() for x in given]
    name, values = _scheme(scheme)
    count = columns[0].size
    parts = max(1, min(workers or os.cpu_count() or 1, count // 64))
    bounds = [count * i // parts for i in range(parts + 1)]

    def run(i: int) -> tuple:
        part = [c[bounds[i]:bounds[i + 1]] for c in columns]
        return _core.play_impacts(*part, name, values, float(rate_hz), float(phase), float(longest_s))

    if parts == 1:
        found = [run(0)]
    else:
        with ThreadPoolExecutor(parts) as pool:
            found = list(pool.map(run, range(parts)))
    outbound, *others = (np.concatenate(c).reshape(shape) for c in zip(*found))
    return Impacts(outbound, outbound / given[4], *others)
