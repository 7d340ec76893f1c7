# SPDX-License-Identifier: MIT
"""Many runs of one scene with other values, in memory: on the cores of this machine or on a CUDA device.

    batch = jawari.batch(scene, {"string.start.height_m": np.linspace(1e-3, 4e-3, 1000)})
    played = batch.run(device="cuda")
    played.sound            # (1000, pickups, samples)

`jawari.dataset` keeps runs in a store instead; with ``device=`` it plays them in the same way.
"""
from __future__ import annotations

import os
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from . import _core
from ._tables import not_allowed, refuse
from .draws import drawn
from .result import Shape
from .scene import Scene
from .sound_file import SoundFile, StoredSound

__all__ = ["Batch", "BatchResult", "batch"]

counted = ("impacts", "touching_steps", "largest_force_N", "lost_J", "deepest_m")
of_samples = ("peak", "rms", "imbalance", *counted, "ledger")  #: measures that a batch knows, by name


def _peak(sound: np.ndarray) -> np.ndarray:
    return np.abs(sound.sum(axis=1, dtype=float)).max(axis=1, initial=0.0)


def _rms(sound: np.ndarray) -> np.ndarray:
    return np.sqrt(np.mean(np.square(sound, dtype=float), axis=2))


class BatchResult:
    """What the runs of a batch leave: arrays whose first axis is the run.

    Arrays give their memory away through the buffer protocol and ``__dlpack__``; nothing is copied.
    """

    def __init__(self, raw: dict[str, Any], every: int) -> None:
        self._raw, self._every = raw, every
        #: numbers of the runs, along the first axis
        self.runs: list[int] = raw["runs"]
        #: (runs, pickups, samples), at ``rate_hz``; NaN from where a run has failed on
        self.sound: Any = raw.get("sound")
        self.rate_hz: float = raw["rate_hz"]
        self.pickups: list[str] = raw["pickups"]
        self.contacts: list[str] = raw["contacts"]
        #: why a run has left nothing, or not all; by its number
        self.failures: dict[int, str] = raw["failures"]
        #: "cpu" or "cuda": where every run was played
        self.devices: list[str] = raw["devices"]
        #: why a run was not played on the device that was asked for; by its number
        self.why: dict[int, str] = raw["why"]
        #: whether it was ended before all runs were played
        self.stopped: bool = raw["stopped"]

    @property
    def t_s(self) -> np.ndarray:
        """Times of the samples [s]."""
        return np.arange(self._raw["samples"]) / self.rate_hz

    @property
    def readings_s(self) -> np.ndarray:
        """Times of the readings [s]."""
        return (np.arange(1, self._raw["readings"] + 1) * self._every - 1) * self._raw["dt_s"]

    @property
    def ledger(self) -> dict[str, np.ndarray]:
        """The energy account at the end, (runs,) [J]; ``imbalance``: the worst residual over the largest energy."""
        return {name: self._raw["ledger"][:, i] for i, name in enumerate(_core.ledger_names)}

    @property
    def imbalance(self) -> np.ndarray:
        """Worst residual of the energy account over the largest energy, (runs,)."""
        return self.ledger["imbalance"]

    @property
    def energy(self) -> dict[str, np.ndarray]:
        """The energy account at every reading, (runs, readings) [J]."""
        return {name: self._raw["energy"][:, :, i] for i, name in enumerate(_core.ledger_names)}

    @property
    def counts(self) -> dict[str, np.ndarray]:
        """What was counted of every contact, (runs, contacts): impacts, touching_steps, largest_force_N, lost_J, deepest_m."""
        return {name: self._raw["counts"][:, :, i] for i, name in enumerate(counted)}

    @property
    def shapes(self) -> dict[str, Shape]:
        """The shapes that were asked for: positions, times, and displacements (runs, readings, points) [m]."""
        return {name: Shape(x, self.readings_s, u, y) for (name, x, y), u in zip(self._raw["shapes"], self._raw["moving"])}

    def measure(self, name: str) -> np.ndarray:
        """A measure by its name (``jawari.measures``), of every run; of the samples that were kept."""
        if name not in of_samples:
            refuse("measures", f"measures names {name!r}, but a batch knows {', '.join(of_samples)}", repr(name), f"be among {', '.join(of_samples)}")
        if name in counted:
            return self.counts[name]
        if name == "imbalance":
            return self.imbalance
        if name == "ledger":
            return self._raw["ledger"]
        if self.sound is None:
            refuse("measures", f"measures names {name!r}, which needs the sound, but sound is off", repr(name), "go with sound")
        if isinstance(self.sound, StoredSound):  # run by run
            one = _peak if name == "peak" else _rms
            return np.stack([one(self.sound[i][np.newaxis])[0] for i in range(len(self))])
        return (_peak if name == "peak" else _rms)(self.sound if isinstance(self.sound, np.ndarray) else self.sound.numpy())

    def __len__(self) -> int:
        return len(self.runs)

    def __repr__(self) -> str:
        there = ", ".join(f"{self.devices.count(d)} on {d}" for d in ("cpu", "cuda") if d in self.devices)
        return f"<BatchResult: {len(self)} runs of {self._raw['steps']} steps, {there}, {len(self.failures)} failed>"


class Batch:
    """A scene, and values of its fields for every run; made by `batch`."""

    def __init__(self, scene: Scene, values: Mapping[str, np.ndarray], quality: str | None) -> None:
        self.scene, self.values, self.quality = scene.copy(), dict(values), quality
        self._core = _core.Batch(self.scene._core, {path: v.tolist() for path, v in self.values.items()}, quality)

    @property
    def runs(self) -> int:
        """Number of runs."""
        return self._core.runs

    def run(self, *, device: str = "cpu", kernels: str = "exact", sound: bool | str = True, dtype: str | None = None, every: int = 0,
            shapes: Sequence[str] = (), accounts: bool = True, runs: Sequence[int] | None = None, workers: int | None = None,
            out: str | os.PathLike | None = None, progress: Callable[[float], Any] | None = None, stop: Any = None) -> BatchResult:
        """Plays all runs, or some.

        Parameters
        ----------
        device : str
            "cpu": all cores of this machine; "cuda": a GPU.  Runs that a GPU does not serve, or that fail there, are played
            by the processor, and the result says why.
        kernels : str
            "exact": the samples of the reference path, on every device the same bits; "fused": products and sums round once;
            "single": strings in float32, whose energy accounts hold to about 1e-4.
        sound : bool or "device"
            Keep the sound of every pickup, at the rate of the scene.  "device": in the memory of the GPU, from where PyTorch, JAX
            and CuPy take it without a copy.
        dtype : str
            Of the sound, "float32" or "float64", whatever the kernels compute with.  By default "float32"; of sound that stays
            on the GPU what its kernels compute with.
        every : int
            Read the energy account, and shapes, after every so many time steps; 0: not.
        shapes : list of str
            Names of strings, bars, plates whose shapes are read.
        accounts : bool
            Keep the energy account at the end and what contacts have counted; without it a GPU is faster.
        runs : list of int
            Which runs; by default all.
        workers : int
            Threads of this machine; by default one per core.
        out : path
            The sound goes to disk while it is played, not into memory: ``name.npy``, or ``name.zarr``, a store that xarray opens,
            with parameters, counts and energies of every run.  ``sound`` of the result reads it there.
        """
        if dtype not in (None, "float32", "float64"):
            not_allowed("dtype", repr(dtype), "be 'float32' or 'float64'")
        if sound not in (True, False, "device"):
            not_allowed("sound", repr(sound), "be True, False or 'device'")
        for name, value, least in (("every", every, 0), ("workers", 1 if workers is None else workers, 1)):
            if isinstance(value, bool) or int(value) != value or value < least:
                not_allowed(name, repr(value), f"be a whole number, at least {least}")
        if shapes and not every:
            refuse("every", "every is 0, but must say after how many time steps shapes are read",
                   "0", "be a number of time steps, where shapes are asked for")
        wanted = [] if runs is None else [int(i) for i in runs]
        if runs is not None and not wanted:
            refuse("runs", "runs is empty, but must name at least one run", "[]", "name at least one run")
        for i in wanted:
            if not 0 <= i < self.runs:
                refuse("runs", f"runs names {i}, but must be whole numbers from 0 to {self.runs - 1}",
                       str(i), f"be whole numbers from 0 to {self.runs - 1}")
        if sound == "device" and dtype == "float64" and kernels == "single":
            refuse("dtype", "dtype is 'float64', but kernels are 'single', whose sound on a device is float32",
                   "'float64'", "be 'float32' where kernels are 'single'")
        if out is not None and sound is not True:
            refuse("out", f"out is {os.fspath(out)!r}, but sound is {sound!r}: there is no sound to write",
                   repr(os.fspath(out)), "go with sound = True")
        single = dtype == "float32" or (dtype is None and (sound != "device" or kernels == "single"))
        file = None
        if out is not None:
            file = SoundFile(out, len(wanted) or self.runs, self._core.layout(), "float32" if single else "float64")
        try:
            raw = self._core.play(device, kernels, workers or 0, int(every), list(shapes), bool(accounts), wanted, bool(sound),
                                  sound == "device", single, file.chunks if file else [], stop, progress)
        except BaseException:
            if file is not None:
                file.discard()
            raise
        if file is not None:
            raw["sound"] = file.sound
        result = BatchResult(raw, int(every))
        if file is not None:
            self._finish(file, result)
        return result

    def _finish(self, file: SoundFile, r: BatchResult) -> None:
        runs = {"run": np.asarray(r.runs), **{path: v[r.runs] for path, v in self.values.items()}, **r.ledger,
                "failure": np.asarray([r.failures.get(i, "") for i in r.runs] or [""]), "device": np.asarray(r.devices)}
        file.finish({"title": self.scene.title or "", "scene": self.scene.text()}, runs, r.counts)

    def __len__(self) -> int:
        return self.runs

    def __repr__(self) -> str:
        return f"<Batch of {self.runs} runs: {', '.join(self.values)}>"


def batch(scene: Scene | str | os.PathLike, parameters: Mapping[str, Any], *, count: int | None = None, seed: int = 0,
          quality: str | None = None) -> Batch:
    """A scene with other values in every run.

    Parameters
    ----------
    scene : Scene or path
        What is played; it is not changed.
    parameters : dict
        For every path a list, a value for each run; or how values are drawn: `uniform`, `log_uniform`, `choice`.
    count : int
        Number of runs; by default as many as there are values in a list.
    seed : int
        Of what is drawn: of run i the same for every count.
    quality : str
        As for `simulate`.
    """
    if isinstance(scene, (str, os.PathLike)):
        scene = Scene.load(scene)
    if not isinstance(scene, Scene):
        not_allowed("scene", repr(scene), "be a Scene or the path of a scene file")
    if not parameters:
        refuse("parameters", "parameters is empty, but must give values for at least one parameter", "{}", "give values for at least one parameter")
    lengths = [len(v) for v in parameters.values() if hasattr(v, "__len__")]
    if count is None and not lengths:
        refuse("count", "count is missing: it says how many runs there are", "", "say how many runs there are")
    number = lengths[0] if count is None else count
    if isinstance(number, bool) or int(number) != number or number < 1:
        not_allowed("count", repr(number), "be a whole number, at least 1")
    for path in parameters:
        try:
            scene.get(path)
        except KeyError as e:
            refuse("parameters", f"parameters names {path!r}, but {e.args[0]}", repr(path), "name parameters of the scene")
    return Batch(scene, drawn(parameters, int(number), int(seed)), quality)
