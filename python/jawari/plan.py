# SPDX-License-Identifier: MIT
"""Plans: a scene, values of its parameters, what is kept of every run.  A plan says everything that a store depends on."""
from __future__ import annotations

import functools
import hashlib
import json
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from . import _core
from ._tables import InputError, not_allowed, refuse
from .batch import Batch
from .draws import Draw, as_values, drawn
from .fingerprint import fingerprint
from .measures import labels, listen, measures, named
from .run import simulate
from .scene import Scene
from .zarr_store import Field, Layout

__all__ = ["Plan"]

sound_types = ("float32", "float64")
devices, kernel_words = ("cpu", "cuda"), _core.kernel_names


class Recipe:
    """What a single run needs, without the values of the others: what an executor sends with every run."""

    def __init__(self, scene: Scene, kept: tuple[str, ...], measure: Callable | None, trace: bool, sound_type: str | None, quality: str) -> None:
        self.scene, self.kept, self.measure, self.trace = scene, kept, measure, trace
        self.sound_type, self.quality = sound_type, quality  # None: the sound is not kept

    def play(self, parameters: Mapping[str, Any], stop: Any = None) -> tuple[dict[str, Any] | None, str, dict[str, list[str]]]:
        """What is kept of a run with these values, why there is nothing, and names along the axes."""
        try:
            scene = self.scene.copy()
            for path, value in parameters.items():
                scene.set(path, value)
            result = simulate(scene, trace=self.trace, quality=self.quality, stop=stop)
        except InputError as e:
            return None, str(e), {}
        if result.stopped:
            raise InterruptedError("the run was ended")
        if result.failed:
            return None, f"the run failed after {result.steps} steps: {result.failure}", {}
        values: dict[str, Any] = {name: np.asarray(measures[name].of(result), float) for name in self.kept}
        if self.measure:
            own = self.measure(result)
            values.update(own if isinstance(own, dict) else {"value": own})
        if self.sound_type:
            values["sound"] = listen(result, scene._core.rate_hz, self.sound_type)
        return values, "", {along: labels(result, along) for along in self.axes()}

    def axes(self) -> list[str]:
        found = {measures[name].along for name in self.kept} | ({"pickup"} if self.sound_type else set())
        return sorted(found - {""})


class Plan:
    """``kind`` "grid": every combination of the values; "samples": value i of every parameter for run i."""

    def __init__(self, scene: Scene, kind: str, parameters: Mapping[str, np.ndarray], *, kept: tuple[str, ...] = (),
                 measure: Callable | None = None, trace: bool = True, sound: bool = True, sound_type: str = "float32", quality: str | None = None,
                 seed: int | None = None, about: Mapping[str, Any] | None = None, device: str | None = None, kernels: str = "exact",
                 workers: int | None = None) -> None:
        if not isinstance(scene, Scene):
            not_allowed("scene", repr(scene), "be a Scene")
        if sound_type not in sound_types:
            not_allowed("sound_type", repr(sound_type), f"be one of {', '.join(sound_types)}")
        if not (sound or kept or measure):
            refuse("measures", "measures is empty and sound is off, but at least one of them must be kept",
                   "", "name at least one measure, or go with sound")
        self.kind, self.kept, self.measure, self.trace = kind, named(kept), measure, trace and measure is not None
        self.sound, self.sound_type = sound, sound_type
        self.parameters = dict(parameters)
        if not self.parameters:
            not_allowed("parameters", "empty", "give values for at least one parameter")
        for path in self.parameters:
            try:
                scene.get(path)
            except KeyError as e:
                refuse("parameters", f"parameters names {path!r}, but {e.args[0]}", repr(path), "name parameters of the scene")
        self.scene, self.text = scene.copy(), scene.text()
        self.quality = quality or scene.quality or "standard"
        self.seed, self.about = seed, dict(about or {})
        self.device, self.kernels, self.workers = device, kernels, workers  # device: runs are played in batches
        for key, value, words in (("device", device or "cpu", devices), ("kernels", kernels, kernel_words)):
            if value not in words:
                not_allowed(key, repr(value), f"be one of {', '.join(map(repr, words))}")
        if device is not None and measure is not None:
            refuse("device", f"device is {device!r}, but measure is a function, which needs whole results; name measures instead",
                   repr(device), "go with named measures")
        sizes = tuple(len(v) for v in self.parameters.values())
        self.shape = sizes if kind == "grid" else sizes[:1]
        self._unit = {path: scene_key(scene, path) for path in self.parameters}

    @classmethod
    def grid(cls, scene: Scene, grid: Mapping[str, Any], **options: Any) -> "Plan":
        return cls(scene, "grid", {path: as_values(path, values) for path, values in grid.items()}, **options)

    @classmethod
    def samples(cls, scene: Scene, parameters: Mapping[str, Any], count: int, seed: int, **options: Any) -> "Plan":
        about = {"drawn": {path: repr(v) for path, v in parameters.items() if isinstance(v, Draw)}}
        return cls(scene, "samples", drawn(parameters, count, seed), seed=seed, about=about, **options)

    @property
    def points(self) -> int:
        return int(np.prod(self.shape))

    def values(self, point: int) -> dict[str, Any]:
        """Of the parameters at a point."""
        index = np.unravel_index(point, self.shape)
        return {path: v[index[k if self.kind == "grid" else 0]].item() for k, (path, v) in enumerate(self.parameters.items())}

    @functools.cached_property
    def recipe(self) -> Recipe:
        """Of every run."""
        return Recipe(self.scene, self.kept, self.measure, self.trace, self.sound_type if self.sound else None, self.quality)

    @functools.cached_property
    def identity(self) -> str:
        """Of two plans with the same one, stores are the same bytes."""
        own = {"layout": 1, "jawari": _core.__version__, "scene": self.text, "kind": self.kind, "kept": self.kept, "sound": self.sound,
               "sound_type": self.sound_type, "quality": self.quality, "seed": self.seed,
               "measure": fingerprint(self.measure, "measure") if self.measure else "",
               "parameters": {path: v.tolist() for path, v in self.parameters.items()}}
        if self.device is not None:
            own["batches"] = self.kernels
            if self.kernels != "exact" or {"ledger", "imbalance", "lost_J"} & set(self.kept):
                own["device"] = self.device  # sums of energy are added up in another order there
        return hashlib.sha256(json.dumps(own, sort_keys=False).encode()).hexdigest()

    # -- one point

    def play(self, point: int, stop: Any = None) -> tuple[dict[str, Any] | None, str, dict[str, list[str]]]:
        """What is kept of a run, why there is nothing, and names along the axes."""
        if self.device is not None:
            return self.play_together([point], stop)[0]
        return self.recipe.play(self.values(point), stop)

    @functools.cached_property
    def _batch(self) -> Batch:
        """All runs, for a device."""
        index = np.unravel_index(np.arange(self.points), self.shape)
        values = {path: v[index[k if self.kind == "grid" else 0]] for k, (path, v) in enumerate(self.parameters.items())}
        return Batch(self.scene, values, self.quality)

    def play_together(self, points: Sequence[int], stop: Any = None) -> list[tuple[dict[str, Any] | None, str, dict[str, list[str]]]]:
        """The same of several runs, in one batch."""
        heard = self.sound or bool({"peak", "rms"} & set(self.kept))
        r = self._batch.run(device=self.device or "cpu", kernels=self.kernels, sound=heard, dtype=self.sound_type, runs=points,
                            workers=self.workers, stop=stop)
        if r.stopped:
            raise InterruptedError("the run was ended")
        kept = {name: r.measure(name) for name in self.kept}
        names = {"contact": r.contacts, "pickup": r.pickups, "account": list(r.ledger)}
        played: list[tuple[dict[str, Any] | None, str, dict[str, list[str]]]] = []
        for i, point in enumerate(points):
            if point in r.failures:
                played.append((None, r.failures[point], {}))
                continue
            values = {name: np.asarray(v[i], float) for name, v in kept.items()}
            if self.sound and r.sound is not None:
                values["sound"] = r.sound[i]
            played.append((values, "", {along: names[along] for along in self.recipe.axes()}))
        return played

    @property
    def at_once(self) -> int:
        """Runs of one batch: so many that their sound takes half a gigabyte at most."""
        samples = float(self.scene.duration_s or 1) * self.scene._core.rate_hz
        return int(np.clip(2**29 / (8 * samples), 1, 4096 if self.device == "cuda" else 256))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_batch", "recipe")}

    # -- the store

    def layout(self, values: Mapping[str, Any], names: Mapping[str, list[str]]) -> Layout:
        """Of a store, by what its first run has left."""
        samples = self.kind == "samples"
        dims = ("point",) if samples else tuple(self.parameters)
        coordinates: dict[str, Any] = {}
        for path, v in self.parameters.items():
            coordinates[path] = (dims if samples else (path,), v, self._unit[path])
        for along, words in names.items():
            coordinates[along] = ((along,), np.asarray(words or [""], dtype=str), {})
        fields = []
        for name, value in values.items():
            array = np.asarray(value)
            if array.dtype.kind not in "biuf":
                refuse("measure", f"measure returned {name} of type {array.dtype}, but a store keeps numbers", str(array.dtype), "return numbers")
            if name == "sound":
                rate_hz = self.scene._core.rate_hz
                most = max(array.shape[1], self._most_samples())
                coordinates["time_s"] = (("time_s",), np.arange(most) / rate_hz, {"units": "s"})
                fields.append(Field(name, (array.shape[0], most), ("pickup", "time_s"), array.dtype.str, {"rate_hz": rate_hz}))
            elif name in self.kept:
                m = measures[name]
                fields.append(Field(name, array.shape, (m.along,) if m.along else (), "<f8", {"units": m.unit, "long_name": m.text}))
            else:
                fields.append(Field(name, array.shape, tuple(f"{name}_{k}" for k in range(array.ndim)), "<f8", {}))
        fields.append(Field("status", (), (), "|u1", {"long_name": "0 missing, 1 played, 2 failed"}))
        fields.append(Field("failure", (), (), "<U320", {"long_name": "why there is nothing"}))
        return Layout(self.shape, dims, coordinates, tuple(fields), self.attributes())

    def attributes(self) -> dict[str, Any]:
        """What a store says about itself."""
        return {"title": self.scene.title or "", "made_by": f"jawari {_core.__version__}", "scene": self.text,
                "scene_sha256": hashlib.sha256(self.text.encode()).hexdigest(), "plan_sha256": self.identity, "kind": self.kind,
                "points": self.points, "quality": self.quality, "rate_hz": self.scene._core.rate_hz,
                **({"seed": self.seed} if self.seed is not None else {}),
                **({"kernels": self.kernels} if self.device is not None else {}), **self.about}

    def _most_samples(self) -> int:
        """The longest sound, where runs are not equally long."""
        if not {"duration_s", "rate_hz"} & set(self.parameters):
            return 0
        if "rate_hz" in self.parameters:
            refuse("parameters", "parameters names 'rate_hz', but the sounds of a store have one rate; set sound to false or take it away",
                   "'rate_hz'", "name parameters that keep the rate, or go with sound = false")
        return round(float(max(self.parameters["duration_s"])) * self.scene._core.rate_hz)


def scene_key(scene: Scene, path: str) -> dict[str, Any]:
    """Unit and meaning of a parameter."""
    owner, key = scene._find(path)
    about = owner._keys.get(key, {}) if isinstance(owner._keys, dict) else {}
    return {"units": about.get("unit", ""), "long_name": about.get("text", "")}
