# SPDX-License-Identifier: MIT
"""Running scenes: compile, simulate, render."""
from __future__ import annotations

import os
import warnings
from typing import Any, Callable

import numpy as np

from . import _core
from ._tables import not_allowed, refuse
from .result import Result
from .scene import Scene, actions

__all__ = ["System", "compile", "simulate", "render"]


def _whole(name: str, value: Any, least: int) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = least - 1
    if isinstance(value, bool) or number != value or number < least:
        not_allowed(name, repr(value), f"be a whole number, at least {least}")
    return number


def _kernels(kernels: Any) -> int:
    if kernels not in _core.kernel_names:
        not_allowed("kernels", repr(kernels), f"be one of {', '.join(_core.kernel_names)}")
    return _core.kernel_names.index(kernels)


def _sound(frames, sound) -> tuple[int, np.ndarray]:
    """Frames of a block and the sound that comes in as (channels, frames), which says how many where nothing else does."""
    if sound is None:
        return _whole("frames", frames, 1), np.empty((0, 0))
    try:
        array = np.asarray(sound, dtype=float)
    except (TypeError, ValueError):
        array = np.empty(())
    if array.ndim not in (1, 2) or array.size == 0:
        refuse("input", "input must be an array of numbers, (frames,) or (channels, frames)",
               "", "be an array of numbers, (frames,) or (channels, frames)")
    array = np.ascontiguousarray(np.atleast_2d(array))
    count = array.shape[1] if frames is None else _whole("frames", frames, 1)
    if count != array.shape[1]:
        refuse("input", f"input has {array.shape[1]} frames, but the block has {count}", f"{array.shape[1]} frames", f"have {count} frames")
    return count, array


def _scene(scene: Any, midi: Any = None) -> Scene:
    if isinstance(scene, (str, os.PathLike)):
        scene = Scene.load(scene)
    if not isinstance(scene, Scene):
        not_allowed("scene", repr(scene), "be a Scene or the path of a scene file")
    if midi is None:
        return scene
    if scene.voice is None:
        refuse("midi", f"midi is {os.fspath(midi)!r}, but the scene has no Voice, which says what a note plays",
               repr(os.fspath(midi)), "go with a scene that has a Voice")
    if scene.notes or scene.midi is not None:
        refuse("midi", f"midi is {os.fspath(midi)!r}, but the scene plays notes of its own already; take them away",
               repr(os.fspath(midi)), "go with a scene without notes of its own")
    played = scene.copy()
    played.midi = midi
    return played


def _run(system: Any, core: Any, steps: int, trace: Any, state: Any, maps: Any, progress: Any, stop: Any) -> Result:
    state = int(state) if isinstance(state, bool) else _whole("state", state, 0)
    maps = int(maps) if isinstance(maps, bool) else _whole("maps", maps, 0)
    first = system.steps
    return Result(system.run(steps, bool(trace), state, maps, stop, progress), core, first, state, maps)


class System:
    """A compiled scene, step by step.

    Runs go on where the last one ended.  What a run returns is its own: arrays stay what they are whatever the system
    does afterwards.  For one thread at a time; several systems run at once in several threads.
    """

    def __init__(self, scene: Scene, *, kernels: str = "exact") -> None:
        scene = _scene(scene)
        self._core = scene._core
        self._system = _core.System(self._core, _kernels(kernels))

    @property
    def channels(self) -> list[str]:
        """Names of what can be traced, with units."""
        return self._system.channels

    @property
    def sr(self) -> float:
        """Time steps per second."""
        return self._core.step_rate_hz

    @property
    def steps(self) -> int:
        """Steps taken."""
        return self._system.steps

    @property
    def time_s(self) -> float:
        """Where the next step begins [s]."""
        return self._system.steps * self._system.dt_s

    @property
    def failed(self) -> bool:
        """A solve did not settle or a number is not finite: go no further."""
        return self._system.failed

    @property
    def failure(self) -> str:
        """Which contact or body failed, why and in which step, as one sentence; empty if nothing failed."""
        return self._system.failure

    @property
    def ledger(self) -> dict[str, float]:
        """The energy account now [J]."""
        return self._system.ledger()

    def readings(self) -> dict[str, float]:
        """Every channel at the last step."""
        return dict(zip(self.channels, self._system.readings().tolist()))

    def shape(self, string: str) -> tuple[np.ndarray, np.ndarray]:
        """Positions x [m] and displacement [m] of a string, or of another body that has a shape, now; copied."""
        drawn = self._system.strings()
        for i, (name, x, _) in enumerate(drawn):
            if name == string:
                return x, self._system.shape(i)
        not_allowed("string", repr(string), f"be one of {[s[0] for s in drawn]}")

    def run(self, steps: int, *, trace: bool = True, state: bool | int = False, maps: bool | int = False,
            progress: Callable[[float], Any] | None = None, stop: Any = None) -> Result:
        """Takes so many steps; see `jawari.simulate` for what is kept."""
        return _run(self._system, self._core, _whole("steps", steps, 1), trace, state, maps, progress, stop)

    def reset(self) -> None:
        """Back to the beginning, bit for bit, also after a failure."""
        self._system.reset()

    def save(self) -> bytes:
        """The whole state: motion, contacts, parameters on their way, energy account.  Not of the integrators of one mass."""
        return self._system.save()

    def load(self, state: bytes) -> None:
        """Goes on where the system was that saved the state, with the same samples.

        It must be of the same scene; kernels may differ.  Raises `InputError` otherwise.
        """
        if not isinstance(state, bytes):
            not_allowed("state", repr(state), "be the bytes of System.save()")
        self._system.load(state)

    def __repr__(self) -> str:
        return f"<System at {self.time_s:.6g} s, {self.sr:g} Hz, {len(self.channels)} channels>"


def compile(scene: Scene, *, kernels: str = "exact") -> System:
    """From a scene to what runs.  Refuses what cannot be run with a sentence that names the field.

    Parameters
    ----------
    kernels : str, default "exact"
        As for `simulate`.
    """
    return System(scene, kernels=kernels)


def simulate(scene: Scene | str | os.PathLike, *, trace: bool = True, state: bool | int = False,
             maps: bool | int = False, progress: Callable[[float], Any] | None = None, stop: Any = None,
             midi: str | os.PathLike | None = None, quality: str | None = None, kernels: str = "exact") -> Result:
    """Runs a scene from its beginning to its end.

    Parameters
    ----------
    scene : Scene or path
        What is run; it is not changed.
    trace : bool
        Keep every channel and the energy account, for every time step.
    state : bool or int
        Keep the shapes of strings, as arrays (n, points); a whole number: every so many steps.
    maps : bool or int
        Keep the forces of barriers, as arrays (n, points); a whole number k: of every k steps the largest.
    progress : callable
        Called now and then with the share that is done.
    stop : Stop
        Ends this run, and all others that share it, when it is set.
    midi : path
        A MIDI file for the scene's `Voice`.
    quality : str
        "draft" (one time step per sample), "standard" (at least 88.2 kHz where a string, bar, plate or membrane is touched)
        or "high" (176.4 kHz); by default what the scene says, else "standard".  ``oversample`` in the scene stands.
    kernels : str, default "exact"
        Bodies by fused loops: "exact" (the same samples everywhere), "fused" (faster, other rounding), "single" (strings in
        float32), or "off" (the same samples as "exact", step by step).

    Returns
    -------
    Result
        Its arrays share the memory of the run: nothing is copied.  Values at index n belong to the time n/sr, energies
        to half a step later.
    """
    core = _scene(scene, midi)._core.at_quality(quality, "standard")
    return _run(_core.System(core, _kernels(kernels)), core, core.steps, trace, state, maps, progress, stop)


def render(scene: Scene | str | os.PathLike, path: str | os.PathLike | None = None, *, gain: float | None = None,
           trace: str | os.PathLike | None = None, report: str | os.PathLike | None = None,
           midi: str | os.PathLike | None = None, quality: str | None = None, kernels: str = "exact") -> tuple[np.ndarray, float]:
    """The sound of a scene: ``y, sr = jawari.render(scene)``, y of shape (channels, n), a channel per pickup.

    Files hold the sum of the pickups, as those of the command line do. The sound is filtered down to the rate of the scene
    where there are several time steps per sample.  The scene is run once, whatever is asked for.

    Parameters
    ----------
    path : path
        Also writes a sound file, .wav or .flac; without a ``gain`` brought to -23 LUFS, its peak to -1 dB at most.
    trace : path
        Also writes the time series of every quantity, .csv, .npy or .json.
    report : path
        Also writes a self-contained HTML page.
    midi : path
        A MIDI file for the scene's `Voice`.
    quality, kernels : str
        As for `simulate`.
    """
    if gain is not None and not (isinstance(gain, (int, float)) and np.isfinite(gain)):
        not_allowed("gain", repr(gain), "be a finite number")
    core = _scene(scene, midi)._core.at_quality(quality, "standard")
    (mix, *tracks), failure = _core.render(core, os.fspath(trace or ""), os.fspath(report or ""), _kernels(kernels))
    if failure:
        warnings.warn(f"the run ended early, after {len(mix) / core.rate_hz:.6g} s of sound: {failure}", RuntimeWarning, stacklevel=2)
    if path is not None:
        _core.write_audio(os.fspath(path), mix, core.rate_hz, gain)
    return np.stack(tracks or [mix]), core.rate_hz


actions.update(compile=compile, simulate=simulate, render=render)
Result.make_scene = staticmethod(Scene.from_text)
