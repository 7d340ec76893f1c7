# SPDX-License-Identifier: MIT
"""One scene, many schemes and rates: error against a converged reference, energy imbalance, cost."""
from __future__ import annotations

import os
from typing import Any, Callable, Sequence

import numpy as np

from . import _core
from ._tables import not_allowed
from .run import _scene, _whole
from .scene import Scene, actions

__all__ = ["Comparison", "compare"]

_dtype = np.dtype([("scheme", "U40"), ("rate_hz", float), ("error", float), ("centroid_error", float),
                   ("level_error_dB", float), ("imbalance", float), ("samples", float),
                   ("iterations", float), ("ns_per_step", float), ("real_time", float), ("failure", "U80")])


class Comparison:
    """Rows of a comparison.

    ``entries`` is a structured array: scheme, rate_hz, error (rms distance to the reference over the rms motion; NaN
    where a run failed), centroid_error and level_error_dB (what is heard: relative error of the spectral centroid and error
    of third-octave levels, rms over windows of 0.1 s, mean of two starts that differ by 1e-6; NaN where the sound is silent
    or shorter than 0.05 s), imbalance, samples of the shortest contact, iterations per solve, ns_per_step, real_time, failure.
    """

    def __init__(self, rows: list[dict], reference: str, reference_change: float,
                 reference_centroid_change: float = np.nan, reference_level_change_dB: float = np.nan) -> None:
        self.entries = np.array([tuple(r[n] for n in _dtype.names or ()) for r in rows], dtype=_dtype)
        #: scheme and rate of the reference
        self.reference = reference
        #: distance of the reference to the same at half its rate: what it is good for
        self.reference_change = reference_change
        #: the same for what is heard: centroid (relative) and third-octave levels [dB]
        self.reference_centroid_change = reference_centroid_change
        self.reference_level_change_dB = reference_level_change_dB

    def __getitem__(self, scheme: str) -> np.ndarray:
        return self.entries[self.entries["scheme"] == scheme]

    def __len__(self) -> int:
        return len(self.entries)

    def order(self, scheme: str) -> float:
        """Slope of the error over the rate of a scheme, by least squares: its order of convergence here."""
        rows = self[scheme]
        return float(-np.polyfit(np.log(rows["rate_hz"]), np.log(rows["error"]), 1)[0])

    def to_dataframe(self):
        """As a pandas DataFrame."""
        import pandas
        return pandas.DataFrame(self.entries)

    def plot(self, x: str = "rate_hz", *, ax=None):
        """Error over "rate_hz" or "ns_per_step", a line per scheme."""
        from .plot import _axes
        ax = _axes(ax)
        for scheme in dict.fromkeys(self.entries["scheme"]):
            rows = self[scheme]
            ax.loglog(rows[x], rows["error"], marker="o", label=scheme)
        ax.set(xlabel={"rate_hz": "rate [Hz]", "ns_per_step": "cost [ns per step]"}.get(x, x), ylabel="error")
        ax.legend(fontsize="small")
        return ax

    def __repr__(self) -> str:
        lines = [f"{'scheme':<22} {'rate [Hz]':>10} {'error':>10} {'centroid':>9} {'levels':>8} {'energy':>10} {'samples':>9} {'solves':>7}"]
        for e in self.entries:
            error = "failed" if np.isnan(e["error"]) else f"{e['error']:.2e}"
            centroid = "-" if np.isnan(e["centroid_error"]) else f"{100 * e['centroid_error']:.1f} %"
            levels = "-" if np.isnan(e["level_error_dB"]) else f"{e['level_error_dB']:.1f} dB"
            lines.append(f"{e['scheme']:<22} {e['rate_hz']:>10g} {error:>10} {centroid:>9} {levels:>8} "
                         f"{e['imbalance']:>10.1e} {e['samples']:>9g} {e['iterations']:>7.1f}")
        return "\n".join([*lines, f"against {self.reference}, good to about {self.reference_change:.1e}"])


def compare(scene: Scene | str | os.PathLike, schemes: Sequence[str] | None = None, rates: Sequence[int] = (1, 2, 4), *,
            progress: Callable[[float], Any] | None = None, report: str | os.PathLike = "") -> Comparison:
    """Runs a scene with many schemes at many rates.

    Parameters
    ----------
    schemes : list of names
        They replace the scheme of every contact, those of gestures included.  Without it: schemes that serve all of them.
    rates : list of whole numbers
        Multiples of the scene's rate, in [1, 1024].
    report : path
        Also writes a self-contained HTML page.
    """
    scene = _scene(scene)
    if schemes is None:
        schemes = _core.comparable_schemes(scene._core) or ["two-point"]  # nothing fits, and the comparison says why
    if isinstance(schemes, str):
        not_allowed("schemes", repr(schemes), "be a list of names")
    return Comparison(*_core.compare(scene._core, list(schemes), [_whole("rates", r, 1) for r in rates], progress,
                                     os.fspath(report)))


actions["compare"] = compare
