# SPDX-License-Identifier: MIT
"""Values of the parameters of many runs: drawn at random, or lists.

What is drawn for a run depends on the seed, the path of the parameter and the number of the run alone, so that every
worker draws the same.
"""
from __future__ import annotations

import hashlib
import math
from typing import Any, Mapping, Sequence

import numpy as np

from ._tables import not_allowed, refuse

__all__ = ["Draw", "uniform", "log_uniform", "choice", "number_in_0_1", "drawn", "spread"]


class Draw:
    """How values of a parameter are drawn; made by `uniform`, `log_uniform` and `choice`."""

    def __init__(self, kind: str, arguments: tuple) -> None:
        self.kind, self.arguments = kind, arguments

    def at(self, share: float) -> Any:
        """The value at a number from 0 (included) to 1 (excluded)."""
        if self.kind == "choice":
            return self.arguments[min(int(share * len(self.arguments)), len(self.arguments) - 1)]
        low, high = self.arguments
        if self.kind == "uniform":
            return low + (high - low) * share
        return min(max(low * math.exp(math.log(high / low) * share), low), high)

    def __repr__(self) -> str:
        inside = repr(list(self.arguments)) if self.kind == "choice" else ", ".join(f"{v:g}" for v in self.arguments)
        return f"{self.kind}({inside})"

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Draw) and (self.kind, self.arguments) == (other.kind, other.arguments)

    def __hash__(self) -> int:
        return hash((self.kind, self.arguments))


def _bounds(name: str, low: Any, high: Any) -> tuple[float, float]:
    try:
        bounds = float(low), float(high)
    except (TypeError, ValueError):
        refuse(name, f"{name} got {low!r} and {high!r}, but takes two numbers", f"{low!r} and {high!r}", "take two numbers")
    if not (math.isfinite(bounds[0]) and math.isfinite(bounds[1]) and bounds[0] <= bounds[1]):
        refuse(name, f"{name} got {low:g} and {high:g}, but takes two finite numbers, the smaller one first",
               f"{low:g} and {high:g}", "take two finite numbers, the smaller one first")
    return bounds


def uniform(low: float, high: float) -> Draw:
    """Every value between two numbers, equally likely."""
    return Draw("uniform", _bounds("uniform", low, high))


def log_uniform(low: float, high: float) -> Draw:
    """Every ratio equally likely: as many values from 1 to 10 as from 10 to 100."""
    bounds = _bounds("log_uniform", low, high)
    if bounds[0] <= 0:
        refuse("log_uniform", f"log_uniform got {bounds[0]:g}, but its numbers must be above 0", f"{bounds[0]:g}", "take numbers above 0")
    return Draw("log_uniform", bounds)


def choice(values: Sequence) -> Draw:
    """One of several values, equally likely."""
    kept = tuple(v.item() if isinstance(v, np.generic) else v for v in values)
    if not kept:
        refuse("choice", "choice got no values, but takes at least one", "", "take at least one value")
    return Draw("choice", kept)


def number_in_0_1(seed: int, path: str, run: int) -> float:
    """53 bits of a hash: the same on every machine."""
    digest = hashlib.sha256(f"{seed}\n{path}\n{run}".encode()).digest()
    return (int.from_bytes(digest[:8], "little") >> 11) * 2.0**-53


def drawn(parameters: Mapping[str, Any], count: int, seed: int) -> dict[str, np.ndarray]:
    """Values of all runs, by parameter."""
    found = {}
    for path, values in parameters.items():
        if isinstance(values, Draw):
            found[path] = as_values(path, [values.at(number_in_0_1(seed, path, i)) for i in range(count)])
            continue
        found[path] = as_values(path, values)
        if len(found[path]) != count:
            refuse(path, f"{path} has {len(found[path])} values, but there are {count} runs", f"{len(found[path])} values", f"have {count} values")
    return found


def as_values(path: str, values: Any) -> np.ndarray:
    """A list of numbers or words."""
    try:
        array = np.asarray(list(values))
    except (TypeError, ValueError):
        not_allowed(path, repr(values), "be a list of values, uniform(...), log_uniform(...) or choice(...)")
    if array.ndim != 1 or not len(array):
        refuse(path, f"{path} must be a list of at least one value", repr(values), "be a list of at least one value")
    if array.dtype.kind not in "biufU":
        refuse(path, f"{path} has values of type {array.dtype}, but must have numbers or words", str(array.dtype), "have numbers or words")
    return array


def spread(name: str, low: float, high: float, count: int, scale: str) -> list[float]:
    """Values of an axis: equal steps, or equal ratios."""
    bounds = uniform(low, high) if scale == "linear" else log_uniform(low, high)
    if count < 1 or (count == 1 and low != high):
        refuse(name, f"{name}.count is {count}, but must be at least 2", f"{count}", "be at least 2")
    return [bounds.at(i / (count - 1)) if i + 1 < count else high for i in range(count)] if count > 1 else [low]
