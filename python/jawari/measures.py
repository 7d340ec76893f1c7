# SPDX-License-Identifier: MIT
"""What sweeps and data sets keep of a run, by name: numbers that a file or a command line can ask for."""
from __future__ import annotations

from typing import Any, Callable, NamedTuple

import numpy as np

from . import _core
from ._tables import refuse

__all__ = ["Measure", "measures", "named", "listen"]


class Measure(NamedTuple):
    """A number per run, or per contact or pickup of it."""

    of: Callable[[Any], Any]
    along: str  #: "" or the name of the axis: "contact", "pickup", "account"
    unit: str
    text: str


def _contacts(key: str) -> Callable[[Any], Any]:
    return lambda r: [c[key] for c in r.contacts]


def _lost(r: Any) -> list[float]:
    accounts = r.accounts
    return [accounts[c["name"]]["lost_J"] if c["name"] in accounts else np.nan for c in r.contacts]


def _rms(r: Any) -> list[float]:
    return [float(np.sqrt(np.mean(np.square(t)))) if len(t) else 0.0 for t in r.sound]


measures: dict[str, Measure] = {
    "peak": Measure(lambda r: float(np.abs(r.mix).max(initial=0.0)), "", "", "Largest absolute value of the sum of the pickups."),
    "rms": Measure(_rms, "pickup", "", "Root of the mean square of every pickup."),
    "imbalance": Measure(lambda r: r.imbalance, "", "", "Worst residual of the energy account over the largest energy."),
    "impacts": Measure(_contacts("impacts"), "contact", "", "How often every contact was touched and left."),
    "touching_steps": Measure(_contacts("touching_steps"), "contact", "", "Time steps of touching points of every contact."),
    "deepest_m": Measure(_contacts("deepest_m"), "contact", "m", "Deepest compression of every contact."),
    "largest_force_N": Measure(_contacts("largest_force_N"), "contact", "N", "Largest force of every contact."),
    "lost_J": Measure(_lost, "contact", "J", "What every contact has lost."),
    "ledger": Measure(lambda r: list(r.ledger.values()), "account", "J", "The energy account at the end."),
}


def named(names: Any) -> tuple[str, ...]:
    """Names of measures, checked."""
    names = (names,) if isinstance(names, str) else tuple(names)
    for name in names:
        if name not in measures:
            near = _core.nearest(str(name), list(measures)) if isinstance(name, str) else ""
            refuse("measures", f"measures names {name!r}, which there is not" + (f"; did you mean {near!r}?" if near else "")
                   + f" There are {', '.join(measures)}", repr(name), f"be one of {', '.join(measures)}")
    return tuple(dict.fromkeys(names))


def labels(r: Any, along: str) -> list[str]:
    """Names along an axis of measures."""
    if along == "contact":
        return [c["name"] for c in r.contacts]
    if along == "pickup":
        return list(r.tracks)
    return list(r.ledger)


def listen(r: Any, rate_hz: float, dtype: str) -> np.ndarray:
    """The sound of every pickup at the rate of the scene, (pickups, samples)."""
    factor = round(r.sr / rate_hz)
    sound = r.sound if factor == 1 else np.stack([_core.decimated(np.ascontiguousarray(t), factor) for t in r.sound])
    return np.ascontiguousarray(sound, dtype=dtype)
