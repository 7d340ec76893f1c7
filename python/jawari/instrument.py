# SPDX-License-Identifier: MIT
"""A scene with a voice that is played: notes, bends, pedals, tunings and controls while it sounds."""
from __future__ import annotations

import os
from typing import NamedTuple, Sequence

import numpy as np

from . import _core
from ._tables import not_allowed, refuse
from .run import _kernels, _scene, _sound, _whole
from .scene import Scene

__all__ = ["Instrument", "ControlValue", "tuning"]

_types = ("note_on", "note_off", "note_cut", "tuning", "pressure", "timbre", "volume", "pan", "expression", "vibrato", "bend",
          "bend_range", "pedal", "sostenuto", "legato", "mpe_zone", "reset_controllers", "notes_off", "sound_off", "panic", "control", "modulation")


class ControlValue(NamedTuple):
    """What a player turns: see ``Instrument.set``."""

    name: str
    text: str
    unit: str
    least: float
    most: float
    usual: float
    value: float


def tuning(scale: str | os.PathLike | Sequence[float], *, kbm: str | os.PathLike | None = None, tonic: int = 60,
           a4_hz: float = 440.0) -> np.ndarray:
    """The frequencies of the 128 keys [Hz]; 0: a silent key.

    Parameters
    ----------
    scale : str, path or sequence of float
        A name ("12-tet", "just", "tanpura", "sitar", "pythagorean", "meantone"), the path of a Scala file (``.scl``), or 128
        frequencies.
    kbm : path, optional
        A Scala keyboard mapping, with a Scala file.
    tonic : int, default 60
        The key of the first degree, with a name.
    a4_hz : float, default 440
        What equal temperament is tuned to, with a name: the tonic is a note of it.
    """
    if not isinstance(scale, (str, os.PathLike)):
        return np.asarray(scale, dtype=float)
    name = os.fspath(scale)
    if name.lower().endswith(".scl"):
        return np.array(_core.read_tuning(name, "" if kbm is None else os.fspath(kbm)))
    if kbm is not None:
        refuse("kbm", f"kbm is {os.fspath(kbm)!r}, but goes with a Scala file (.scl), not with {name!r}",
               repr(os.fspath(kbm)), "go with a Scala file (.scl)")
    return np.array(_core.tuning_by_name(name, _whole("tonic", tonic, 0), float(a4_hz)))


class Instrument:
    """Plays a scene with a voice, in blocks of any size; the samples do not depend on it.

    Events are collected and happen in the next block, at the frame that they say.

    Parameters
    ----------
    scene : Scene or path
        With a ``[voice]``, which says what a note plays.
    voices : int, optional
        Notes that can sound at once, retuned and taken away as needed; by default as the scene says.
    keys : (int, int), optional
        Lowest and highest key; by default as the scene says, 36 to 96 where it says nothing.
    channels : int, default 2
        1: sum of the pickups, 2: panned.
    threads : int, default 1
        For voices that do not touch one another.
    kernels : str, default "exact"
        As for `Engine`.

    Examples
    --------
    >>> keys = Instrument("scenes/prepared-keys.toml", keys=(48, 72))
    >>> keys.note_on(60, 0.8)
    >>> keys.note_off(60, frame=24000)
    >>> y = keys.process(48000)          # (2, 48000)
    """

    def __init__(self, scene: Scene | str | os.PathLike, *, voices: int | None = None, keys: tuple[int, int] | None = None,
                 channels: int = 2, threads: int = 1, kernels: str = "exact") -> None:
        if _whole("channels", channels, 1) > 2:
            not_allowed("channels", f"{channels}", "be 1 or 2")
        count = 0 if voices is None else _whole("voices", voices, 1)
        if count > 256:
            not_allowed("voices", f"{voices}", "lie in [1, 256]")
        low, high = (-1, -1) if keys is None else (_whole("keys", k, 0) for k in keys)
        if low > high or high > 127:
            not_allowed("keys", repr(keys), "be two keys in [0, 127], the lowest first")
        self._instrument = _core.Instrument(_scene(scene)._core, channels, min(_whole("threads", threads, 1), 64),
                                            _kernels(kernels), count, low, high)
        self._events: list[tuple[int, int, int, int, int, float, float]] = []

    @property
    def channels(self) -> int:
        """Channels of the sound."""
        return self._instrument.channels

    @property
    def sr(self) -> float:
        """Samples per second [Hz]."""
        return self._instrument.rate_hz

    @property
    def latency(self) -> int:
        """Samples by which the sound is late: of the oversampling filter."""
        return self._instrument.latency

    @property
    def voices(self) -> int:
        """Notes that can sound at once."""
        return self._instrument.voices

    @property
    def sounding(self) -> int:
        """Voices that have not faded."""
        return self._instrument.sounding

    @property
    def silent(self) -> bool:
        """Whether nothing sounds, and nothing will until an event comes."""
        return self._instrument.silent

    @property
    def ignored(self) -> int:
        """Events that made no sense."""
        return self._instrument.ignored

    @property
    def failed(self) -> bool:
        """Whether the motion has failed; the sound is silence since, until `reset`."""
        return self._instrument.failed

    @property
    def failure(self) -> str:
        """Which contact or body failed, why and in which step; empty if nothing failed."""
        return self._instrument.failure

    @property
    def controls(self) -> dict[str, ControlValue]:
        """What may be turned, by name."""
        return {c[0]: ControlValue(*c) for c in self._instrument.controls()}

    def note_on(self, key: float, velocity: float = 0.7, *, frame: int = 0, channel: int = 0, note_id: int = -1) -> None:
        """A key goes down; 60 is middle C, and keys may lie between semitones."""
        self.send("note_on", velocity, key=key, frame=frame, channel=channel, note_id=note_id)

    def note_off(self, key: float, velocity: float = 0.5, *, frame: int = 0, channel: int = 0, note_id: int = -1) -> None:
        """A key goes up."""
        self.send("note_off", velocity, key=key, frame=frame, channel=channel, note_id=note_id)

    def set(self, control: str, value: float, *, frame: int = 0) -> None:
        """Turns a control of the scene."""
        names = [c[0] for c in self._instrument.controls()]
        if control not in names:
            not_allowed("control", repr(control), f"be one of {', '.join(names) or 'none: the scene has no [[control]]'}")
        self._add("control", value, frame=frame, index=names.index(control))

    def send(self, event: str, value: float = 0.0, *, frame: int = 0, channel: int = 0, key: float = -1, note_id: int = -1) -> None:
        """Any event: "note_on", "note_off", "note_cut"; "tuning", "pressure", "timbre", "volume", "pan", "expression", "vibrato" of
        a note, or of a channel without key and note_id; "bend", "bend_range", "pedal", "sostenuto", "legato", "mpe_zone",
        "reset_controllers", "notes_off", "sound_off" of a channel; "panic".  Events happen in the order in which they are sent."""
        if event not in _types[:-2]:
            not_allowed("event", repr(event), f"be one of {', '.join(_types[:-2])}")
        if not -1 <= channel <= 15:
            not_allowed("channel", repr(channel), "lie in [0, 15], or be -1 for all")
        self._add(event, value, frame=frame, channel=channel, key=key, note_id=note_id)

    def _add(self, event: str, value: float, *, frame: int, channel: int = 0, key: float = -1, note_id: int = -1, index: int = 0) -> None:
        self._events.append((_whole("frame", frame, 0), _types.index(event), int(channel), index, int(note_id), float(key), float(value)))

    def midi(self, data: bytes, *, frame: int = 0) -> None:
        """Events from the bytes of MIDI messages."""
        self._events.extend(self._instrument.read_midi(bytes(data), _whole("frame", frame, 0)))

    def set_tuning(self, scale: str | os.PathLike | Sequence[float], **more) -> None:
        """Other frequencies for all keys from the next block on; notes that sound glide there.  As `tuning`."""
        self._instrument.set_tuning([float(f) for f in tuning(scale, **more)])

    @property
    def inputs(self) -> int:
        """Channels of sound that comes in, for excitations of type "input"; 0 if there is none."""
        return self._instrument.inputs

    def process(self, frames: int | None = None, input: np.ndarray | None = None) -> np.ndarray:
        """The next samples, (channels, frames), with the events sent; memory of their own.  ``input``: sound that comes in, (frames,)
        or (channels, frames)."""
        count, sound = _sound(frames, input)
        late = max((e[0] for e in self._events), default=0)
        if late >= count:
            refuse("frame", f"frame is {late}, but the block has {count} frames", f"{late}", f"lie in [0, {count}] frames")
        events = sorted(self._events, key=lambda e: e[0])  # stable
        self._events = []
        return self._instrument.process(count, events, sound)

    def reset(self) -> None:
        """Back to the state after opening, bit for bit; events that wait are forgotten."""
        self._events = []
        self._instrument.reset()

    def energy(self) -> dict[str, float]:
        """The energy account [J] as of the last 256 frames, and its imbalance."""
        return self._instrument.energy()

    def __repr__(self) -> str:
        return f"<Instrument: {self.voices} voices, {self.channels} channels at {self.sr:g} Hz>"
