# SPDX-License-Identifier: MIT
"""What a run leaves: arrays that share its memory, and what it has to say about itself."""
from __future__ import annotations

import base64
import os
from typing import Any, Iterator, NamedTuple

import numpy as np

from . import _core
from ._tables import not_allowed

__all__ = ["Result", "Shape", "Verdict", "event_dtype"]

event_dtype = np.dtype([("contact", "U64"), ("start_s", float), ("end_s", float), ("peak_N", float), ("impulse_N_s", float)])


class Verdict(NamedTuple):
    """What should not be trusted, in plain words.  Severity: note, warning or failure."""

    severity: str
    sentence: str


class Shape(NamedTuple):
    """Values over positions and time."""

    x_m: np.ndarray  #: positions (points,)
    t_s: np.ndarray  #: times (n,)
    values: np.ndarray  #: (n, points)
    y_m: np.ndarray | None = None  #: of a surface: the other coordinate of its points


class Result:
    """A finished run.

    ``result.sound`` is (channels, n) with ``result.sr``; ``result["ball.displacement_m"]`` is a channel, (n,);
    ``result.state["string"]`` and ``result.maps["string-barrier"]`` are there on request.
    """

    make_scene: Any = None  # from a text; set by the module that runs scenes, which knows their class

    def __init__(self, run: tuple, core: Any, first: int, state_every: int, maps_every: int) -> None:
        self.mix, self._tracks, self._trace, self._shapes, self._forces, self._facts, self.stopped, self._failure, self.cpu_s = run
        self._first, self._state_every, self._maps_every = first, state_every, maps_every
        self._core = core  # never changes: what was run, whatever becomes of the Scene
        #: time steps per second [Hz]
        self.sr = core.step_rate_hz

    @property
    def failed(self) -> bool:
        """Whether the run ended early because a solve did not settle or a number was not finite."""
        return bool(self._failure)

    @property
    def failure(self) -> str:
        """Which contact or body failed, why and in which step, as one sentence; empty if nothing failed."""
        return self._failure

    # -- time series

    @property
    def steps(self) -> int:
        """Steps taken; fewer than asked for after a failure or a stop."""
        return len(self.mix)

    @property
    def sound(self) -> np.ndarray:
        """A row per pickup, (channels, n); where there is one pickup, a view of ``mix``, the sum of the pickups."""
        if not self._tracks:
            return self.mix[np.newaxis]
        if "_sound" not in self.__dict__:
            self._sound = np.stack(self._tracks)
        return self._sound

    @property
    def tracks(self) -> dict[str, np.ndarray]:
        """Every pickup by its name, (n,), without a copy."""
        return dict(zip(self._fact("tracks"), self._tracks or [self.mix]))

    @property
    def t_s(self) -> np.ndarray:
        """Times of the samples [s]."""
        return (self._first + np.arange(self.steps)) / self.sr

    @property
    def channels(self) -> list[str]:
        """Names of the channels."""
        return self._fact("channels")

    @property
    def trace(self) -> np.ndarray:
        """Every channel, (channels, n), in the order of `channels`."""
        if self._trace is None:
            raise KeyError("the run kept no channels; simulate with trace=True")
        return self._trace

    def __getitem__(self, channel: str) -> np.ndarray:
        try:
            return self.trace[self.channels.index(channel)]
        except ValueError:
            near = _core.nearest(channel, self.channels)
            raise KeyError(f"there is no channel {channel!r}" + (f"; did you mean {near!r}?" if near else "")
                           + f" There are {', '.join(self.channels)}") from None

    def __contains__(self, channel: str) -> bool:
        return self._trace is not None and channel in self.channels

    def __iter__(self) -> Iterator[str]:
        return iter(self.channels)

    def keys(self) -> list[str]:
        return self.channels

    @property
    def energy(self) -> dict[str, np.ndarray]:
        """The energy account over time [J]: kinetic, elastic, ... , residual; each (n,)."""
        return {c[len("ledger."):]: self[c] for c in self.channels if c.startswith("ledger.")}

    # -- strings and barriers

    @property
    def state(self) -> dict[str, Shape]:
        """Shapes of strings, bars, membranes, plates: displacement [m], (n, points)."""
        if not self._state_every:
            raise KeyError("the run kept no shapes; simulate with state=True or state=k for every k-th step")
        return {name: Shape(x, self._times(len(u), self._state_every), u, y)
                for (name, x, y), u in zip(self._fact("strings"), self._shapes)}

    @property
    def maps(self) -> dict[str, Shape]:
        """Contact maps: force [N] at the points of every barrier, (n, points)."""
        if not self._maps_every:
            raise KeyError("the run kept no contact maps; simulate with maps=True or maps=k for every k steps")
        return {b[0]: Shape(b[2], self._times(len(f), self._maps_every), f)
                for b, f in zip(self._fact("barriers"), self._forces)}

    def _times(self, n: int, every: int) -> np.ndarray:
        return (self._first + every * np.arange(n)) / self.sr

    @property
    def events(self) -> np.ndarray:
        """Every contact from touch to release: contact, start_s, end_s, peak_N, impulse_N_s, in order of time."""
        found = []
        dt = 1 / self.sr
        for channel in self.channels:
            if not channel.endswith(".force_N"):
                continue
            force = np.abs(self[channel])
            on = np.concatenate(([False], force > 0, [False]))
            edges = np.flatnonzero(on[1:] != on[:-1])
            for a, b in zip(edges[::2], edges[1::2]):
                found.append((channel[:-len(".force_N")], (self._first + a) * dt, (self._first + b) * dt,
                              force[a:b].max(), force[a:b].sum() * dt))
        events = np.array(found, dtype=event_dtype)
        return events[np.argsort(events["start_s"], kind="stable")]

    # -- what it says about itself

    @property
    def scene(self):
        """What was run, as a `Scene` of its own."""
        return self.make_scene(self._core if isinstance(self._core, str) else self._core.text())

    def _fact(self, name: str) -> Any:
        kept = self.__dict__.setdefault("_told", {})
        if name not in kept:
            kept[name] = getattr(self._facts, name)()
        return kept[name]

    @property
    def ledger(self) -> dict[str, float]:
        """The energy account at the end [J], and its imbalance: the worst residual over the largest energy."""
        return self._fact("ledger")

    @property
    def imbalance(self) -> float:
        """Worst residual of the energy account over the largest energy in the run."""
        return self._fact("imbalance")

    @property
    def contacts(self) -> list[dict[str, Any]]:
        """What every contact remembers: impacts, shortest and longest in samples, deepest compression, largest force."""
        return self._fact("contacts")

    @property
    def accounts(self) -> dict[str, dict[str, float]]:
        """The energy of every body and contact by itself [J]: stored, lost, given, received, changed, residual."""
        return self._fact("accounts")

    @property
    def verdicts(self) -> list[Verdict]:
        """What should not be trusted, and what to change; worst first.  Empty: nothing to say against the run."""
        return [Verdict(*v) for v in self._fact("verdicts")]

    # -- going elsewhere

    def write(self, path: str | os.PathLike, *, gain: float | None = None) -> dict[str, float]:
        """Writes the sum of the pickups, .wav or .flac, 24 bit; without a gain brought to -23 LUFS, its peak to -1 dB at most."""
        if gain is not None and not (isinstance(gain, (int, float)) and np.isfinite(gain)):
            not_allowed("gain", repr(gain), "be a finite number")
        applied, peak, clipped = _core.write_audio(os.fspath(path), self.mix, self.sr, gain)
        return {"gain": applied, "peak": peak, "clipped": clipped}

    def to_dataframe(self):
        """Every channel as a pandas DataFrame with the time as its index."""
        import pandas
        return pandas.DataFrame(self.trace.T, index=pandas.Index(self.t_s, name="t_s"), columns=self.channels)

    def plot(self, what: str | None = None, **options: Any):
        """Draws "waveform", "spectrogram", "string", "contact-map", "energy" or "phase"; see `jawari.plot`."""
        from . import plot
        return plot.draw(self, what, **options)

    def __getstate__(self) -> dict:
        for name in ("ledger", "imbalance", "contacts", "accounts", "verdicts", "channels", "strings", "barriers", "tracks"):
            self._fact(name)
        return {**self.__dict__, "_facts": None, "_core": self._core if isinstance(self._core, str) else self._core.text()}

    def __repr__(self) -> str:
        state = "failed" if self.failed else "stopped" if self.stopped else "done"
        lines = [f"<Result: {state}, {self.steps} steps at {self.sr:g} Hz, energy account closes to {self.imbalance:.1e}"]
        for c in self.contacts:
            lines.append(f"  {c['name']}: {c['law']} by {c['scheme']}, {c['impacts']} impacts, at most {c['largest_force_N']:.4g} N")
        if self.failed:
            lines.append(f"  {self.failure}")
        lines += [f"  {v.severity}: {v.sentence}" for v in self.verdicts]
        return "\n".join(lines) + ">"

    def _repr_html_(self) -> str:
        from html import escape
        flac = base64.b64encode(_core.flac_bytes(self.mix, self.sr)).decode() if self.mix.any() else ""
        player = f'<audio controls src="data:audio/flac;base64,{flac}"></audio>' if flac else ""
        return f"<div><pre>{escape(repr(self)[1:-1])}</pre>{player}</div>"
