# SPDX-License-Identifier: MIT
"""A scene that plays in blocks, and takes events while it plays."""
from __future__ import annotations

import os
import warnings
from typing import NamedTuple

import numpy as np

from . import _core
from ._tables import not_allowed
from .run import _kernels, _scene, _sound, _whole
from .scene import Event, Scene

__all__ = ["Engine", "Parameter"]

_value_keys = ("velocity_m_s", "depth_m", "damping_1_s", "height_m", "frequency_hz", "value")


class Parameter(NamedTuple):
    """A number that may change while an engine plays, by ``Event(do="set", ...)``."""

    name: str
    unit: str
    text: str
    least: float
    most: float
    value: float


class Engine:
    """Plays a scene in blocks of any size; the samples do not depend on it.

    Parameters
    ----------
    scene : Scene or path
        Of the ``quality`` that it says, else "draft": one time step per sample.  The sound is filtered down to the scene's
        rate where there are several.
    channels : int, default 1
        1: sum of the pickups, 2: panned, 0: a channel per pickup.
    threads : int, default 1
        For groups of bodies that are not coupled.
    kernels : str, default "exact"
        Strings by fused loops: "exact" (the same samples everywhere), "fused" (faster, other rounding), "single" (float32),
        "off".

    Examples
    --------
    >>> engine = Engine(scene)
    >>> y = engine.process(512)          # (channels, 512)
    >>> engine.send(Event(do="strike", target="hammer", velocity_m_s=2.0))
    """

    def __init__(self, scene: Scene | str | os.PathLike, *, channels: int = 1, threads: int = 1,
                 kernels: str = "exact") -> None:
        if _whole("channels", channels, 0) > 2:
            not_allowed("channels", f"{channels}", "be 0, 1 or 2")
        self._engine = _core.Engine(_scene(scene)._core, channels, _whole("threads", threads, 1), _kernels(kernels))

    @property
    def channels(self) -> int:
        """Channels of the sound."""
        return self._engine.channels

    @property
    def sr(self) -> float:
        """Samples per second [Hz]."""
        return self._engine.rate_hz

    @property
    def latency(self) -> int:
        """Samples by which the sound is late: of the oversampling filter."""
        return self._engine.latency

    def __getattr__(self, name: str):
        if name == "knobs":  # until version 0.3
            warnings.warn("Engine.knobs is called Engine.parameters now", DeprecationWarning, stacklevel=2)
            return self.parameters
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def failed(self) -> bool:
        """Whether the motion has failed.  The block in which it does is silence from its first sample, and so are later ones."""
        return self._engine.failed

    @property
    def failure(self) -> str:
        """Which contact or body failed, why and in which step, as one sentence; empty if nothing failed."""
        return self._engine.failure

    @property
    def parameters(self) -> dict[str, Parameter]:
        """What may be set while it plays, by name."""
        return {k[0]: Parameter(*k) for k in self._engine.parameters()}

    @property
    def inputs(self) -> int:
        """Channels of sound that comes in, for excitations of type "input"; 0 if there is none."""
        return self._engine.inputs

    @property
    def input_latency(self) -> int:
        """Frames by which oversampling delays what comes in before it acts."""
        return self._engine.input_latency

    @property
    def replaced_input(self) -> int:
        """Samples that came in so far and did not count as they came: not finite, or beyond 16 times full scale."""
        return self._engine.replaced_input

    def process(self, frames: int | None = None, input: np.ndarray | None = None) -> np.ndarray:
        """The next samples, (channels, frames); memory of their own.  ``input``: sound that comes in, (frames,) or (channels, frames)."""
        count, sound = _sound(frames, input)
        return self._engine.process(count, sound)

    def send(self, event: Event, offset: int = 0) -> None:
        """An `Event` for the next block, so many samples after its start; its ``time_s`` does not count."""
        if not isinstance(event, Event):
            not_allowed("event", repr(event), "be an Event")
        given = event.to_dict()
        value = next((float(given[k]) for k in _value_keys if k in given), 0.0)
        self._engine.send(event.do, event.target, event.parameter or "", value, event.duration_s or 0.0, _whole("offset", offset, 0))

    def reset(self) -> None:
        """Back to the state after opening, bit for bit, also after a failure; events that wait are forgotten."""
        self._engine.reset()

    def save(self) -> bytes:
        """The whole state: motion, contacts, parameters on their way, events that wait, energy account."""
        return self._engine.save()

    def load(self, state: bytes) -> None:
        """Goes on where the engine was that saved the state, with the same samples.

        It must play the same scene with as many channels; threads and kernels may differ.  Raises `InputError` otherwise.
        """
        if not isinstance(state, bytes):
            not_allowed("state", repr(state), "be the bytes of Engine.save()")
        self._engine.load(state)

    def snapshot(self) -> dict[str, float]:
        """The energy account [J] as it was read last, and its imbalance."""
        return self._engine.snapshot()

    def __repr__(self) -> str:
        return f"<Engine: {self.channels} channels at {self.sr:g} Hz>"
