# SPDX-License-Identifier: MIT
"""The tables and figures of five papers, recomputed: claims with the band they must lie in, pictures, data."""
from __future__ import annotations

import os
import threading
from typing import Any, Callable, NamedTuple

from . import _core

__all__ = ["Claim", "Finding", "experiments", "reproduce"]


class Claim(NamedTuple):
    """A number of a paper and ours."""

    quantity: str
    unit: str
    published: float | None  #: None: said in words or shown in a picture
    ours: float
    band: tuple[float, float]  #: where ours must lie
    stands: bool
    note: str
    judgement: str


class Finding:
    """What one experiment found."""

    id: str
    paper: str
    item: str
    title: str
    says: str  #: what the paper says, in our own words
    caption: str  #: what our picture shows
    summary: str
    stands: bool  #: every claim does
    failure: str  #: why it did not come to an end, else empty
    cpu_s: float
    plots: list[dict[str, Any]]
    tables: list[tuple[str, list[str], list[list[str]]]]
    sounds: list[tuple[str, Any, float]]
    parameters: list[tuple[str, str, str]]

    def __init__(self, data: dict[str, Any]) -> None:
        self.__dict__.update(data)
        self.claims = [Claim(**c) for c in data["claims"]]

    def plot(self, index: int = 0, *, ax=None):
        """One of its pictures."""
        from .plot import _axes
        ax = _axes(ax)
        picture = self.plots[index]
        styles = {"line": "-", "dots": ".", "both": ".-", "dashed": "--"}
        for label, x, y, style in picture["curves"]:
            ax.plot(x, y, styles[style], label=label, lw=1)
        for side in "xy":
            a = picture[side]
            ax.set(**{f"{side}label": a["label"] + (f" [{a['unit']}]" if a["unit"] else "")})
            if a["log"]:
                ax.set(**{f"{side}scale": "log"})
            if a["from"] is not None or a["to"] is not None:
                ax.set(**{f"{side}lim": (a["from"], a["to"])})
        ax.set_title(picture["title"])
        if any(c[0] for c in picture["curves"]):
            ax.legend(fontsize="small")
        return ax

    def __repr__(self) -> str:
        lines = [f"<{self.id}: {self.paper} {self.item}, {self.title}: {self.summary}"]
        for c in self.claims:
            printed = f", published {c.published:g}" if c.published is not None else ""
            lines.append(f"  {'holds' if c.stands else 'FAILS'}  {c.quantity}: {c.ours:.6g} {c.unit}{printed}")
        return "\n".join(lines) + ">"


def _module():
    try:
        from . import _experiments
    except ImportError as e:
        raise ImportError("the experiments were not built with this package (JAWARI_BUILD_EXPERIMENTS)") from e
    return _experiments


def experiments() -> list[dict[str, str]]:
    """All experiments: id, paper, item, title, what the paper says, what our picture shows."""
    return _module().experiments()


def reproduce(*what: str, folder: str | os.PathLike = "", threads: int | None = None,
              progress: Callable[[float], Any] | None = None) -> list[Finding]:
    """Recomputes experiments by id ("b14-fig3"), by paper ("B14"), or "all".

    Parameters
    ----------
    folder : path
        Also writes index.html, results.json, pictures and data there.
    threads : int
        How many at once; all cores by default.
    """
    module, stop, answer = _module(), _core.Stop(), {}
    words = list(what)

    def work() -> None:
        try:
            answer["findings"] = module.reproduce(words, threads or os.cpu_count() or 1, stop, progress, os.fspath(folder))
        except BaseException as e:  # goes to the thread that asked
            answer["error"] = e

    thread = threading.Thread(target=work, daemon=True)  # so that Ctrl-C is heard here
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.05)
    except KeyboardInterrupt:
        stop.set()
        raise
    if "error" in answer:
        raise answer["error"]
    return [Finding(f) for f in answer["findings"]]
