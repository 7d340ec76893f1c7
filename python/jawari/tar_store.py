# SPDX-License-Identifier: MIT
"""Results of many runs in .tar files, a .wav and a .json per run, as loaders of training data (WebDataset) take them.

Runs lie in the folder beside the store until all of their .tar file are there; it is then written as a whole.  Times and
owners in it are zero: the same runs are the same bytes.
"""
from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import struct
import tarfile
from typing import Any, Iterable, Iterator, Mapping

import numpy as np

from ._tables import not_allowed, refuse
from .part_folder import PartFolder

__all__ = ["TarStore", "wav_bytes"]

usual_per_shard = 1000


def wav_bytes(sound: np.ndarray, rate_hz: float) -> bytes:
    """Channels as floating-point numbers, not scaled."""
    channels, width = sound.shape[0], sound.dtype.itemsize
    data = np.ascontiguousarray(sound.T, dtype=sound.dtype.newbyteorder("<")).tobytes()
    rate = round(rate_hz)
    form = struct.pack("<HHIIHHH", 3, channels, rate, rate * channels * width, channels * width, 8 * width, 0)
    chunks = [(b"fmt ", form), (b"fact", struct.pack("<I", sound.shape[1])), (b"data", data)]
    body = b"WAVE" + b"".join(k + struct.pack("<I", len(c)) + c for k, c in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _label(value: Any) -> Any:
    array = np.asarray(value)
    return array.tolist() if np.all(np.isfinite(array)) else [None if not np.isfinite(v) else v for v in np.ravel(array).tolist()]


class TarStore:
    def __init__(self, path: str | os.PathLike, per_shard: int | None = None) -> None:
        if per_shard is not None and (isinstance(per_shard, bool) or int(per_shard) != per_shard or per_shard < 1):
            not_allowed("per_shard", repr(per_shard), "be a whole number, at least 1")
        self.path = os.fspath(path)
        self._stem = self.path[:-len(".tar")]
        self._about = self._stem + ".json"
        self._per_shard = None if per_shard is None else int(per_shard)
        self.part = PartFolder(self.path)
        self._points = os.path.join(self.part.path, "points")

    @property
    def per_shard(self) -> int:
        """As it was begun, where nothing else is asked for."""
        if self._per_shard is None:
            self._per_shard = int(self.attributes()["per_shard"]) if self.exists() else usual_per_shard
        return self._per_shard

    def exists(self) -> bool:
        return os.path.exists(self._about)

    def attributes(self) -> dict[str, Any]:
        try:
            with open(self._about, encoding="utf-8") as file:
                about = json.load(file)
            if self._per_shard not in (None, about["per_shard"]):
                refuse("per_shard", f"per_shard is {self._per_shard}, but {self.path!r} was begun with {about['per_shard']}",
                       f"{self._per_shard}", f"be {about['per_shard']}")
            return about
        except (OSError, ValueError, KeyError, TypeError):
            refuse("store", f"store is {self.path!r}, but {self._about!r} is no description of one; give another path or remove it",
                   repr(self.path), "be a store of runs")

    def create(self, layout: Any) -> None:
        about = {**layout.attributes, "per_shard": self.per_shard,
                 "labels": {f.name: {"shape": f.shape, **f.attributes} for f in layout.fields if f.name not in ("sound", "status", "failure")},
                 "axes": {name: values.tolist() for name, (dims, values, _) in layout.coordinates.items() if values.dtype.kind == "U"},
                 "parameters": {name: about for name, (dims, _, about) in layout.coordinates.items() if dims == layout.dims}}
        self.part.write(self._about, (json.dumps(about, indent=1, sort_keys=True) + "\n").encode())

    def _shard(self, number: int) -> str:
        return f"{self._stem}-{number:06d}.tar"

    def _point(self, point: int, suffix: str) -> str:
        return os.path.join(self._points, f"{point:08d}.{suffix}")

    def has(self, point: int) -> bool:
        return os.path.exists(self._point(point, "json")) or os.path.exists(self._shard(point // self.per_shard))

    def done(self) -> set[int]:
        points = int(self.attributes()["points"])
        found: set[int] = set()
        for shard in range((points + self.per_shard - 1) // self.per_shard):
            if os.path.exists(self._shard(shard)):
                found.update(self._range(shard, points))
        if os.path.isdir(self._points):
            found.update(int(name[:-len(".json")]) for name in os.listdir(self._points) if name.endswith(".json"))
        return found

    def _range(self, shard: int, points: int) -> range:
        return range(shard * self.per_shard, min((shard + 1) * self.per_shard, points))

    def put(self, point: int, values: Mapping[str, Any] | None, why: str, parameters: Mapping[str, Any] | None = None) -> None:
        about = self.attributes()
        label: dict[str, Any] = {"run": point, "parameters": dict(parameters or {})}
        if why:
            label["failure"] = why
        wav = None
        for name, value in (values or {}).items():
            if name == "sound":
                wav = wav_bytes(np.asarray(value), about["rate_hz"])
            else:
                label[name] = _label(value)
        self._put(point, (json.dumps(label, sort_keys=True) + "\n").encode(), wav, int(about["points"]))

    def _put(self, point: int, label: bytes, wav: bytes | None, points: int) -> None:
        os.makedirs(self._points, exist_ok=True)
        if wav is not None:
            self.part.write(self._point(point, "wav"), wav)
        self.part.write(self._point(point, "json"), label)
        shard = point // self.per_shard
        if all(os.path.exists(self._point(i, "json")) for i in self._range(shard, points)):
            self._pack(shard, points)

    def create_like(self, other: "TarStore") -> None:
        """The same store without its points."""
        self._per_shard = other.per_shard
        with open(other._about, "rb") as file:
            self.part.write(self._about, file.read())

    def _files(self, wanted: Iterable[int]) -> Iterator[tuple[int, bytes, bytes | None]]:
        """Label and sound of points, wherever they lie."""
        def content(point: int, suffix: str, tar: tarfile.TarFile | None) -> bytes | None:
            try:
                if tar is not None:
                    return tar.extractfile(f"{point:08d}.{suffix}").read()  # type: ignore[union-attr]
                with open(self._point(point, suffix), "rb") as file:
                    return file.read()
            except (KeyError, FileNotFoundError):
                return None  # it has failed: there is no sound
        for shard, points in itertools.groupby(sorted(wanted), lambda point: point // self.per_shard):
            with contextlib.ExitStack() as stack:
                packed = os.path.exists(self._shard(shard))
                tar = stack.enter_context(tarfile.open(self._shard(shard))) if packed else None
                for point in points:
                    label = content(point, "json", tar)
                    if label is not None:
                        yield point, label, content(point, "wav", tar)

    def copy_points(self, other: "TarStore", points: Iterable[int]) -> None:
        """Points of another store of the same plan."""
        most = int(self.attributes()["points"])
        for point, label, wav in other._files(points):
            self._put(point, label, wav, most)

    def _pack(self, shard: int, points: int) -> None:
        """A .tar file of runs that are all there; another process may be about it too, and makes the same one."""
        out = io.BytesIO()
        try:
            with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
                for point in self._range(shard, points):
                    for suffix in ("json", "wav"):
                        if suffix == "wav" and not os.path.exists(self._point(point, suffix)):
                            continue  # it has failed
                        with open(self._point(point, suffix), "rb") as file:
                            content = file.read()
                        member = tarfile.TarInfo(f"{point:08d}.{suffix}")
                        member.size = len(content)
                        tar.addfile(member, io.BytesIO(content))
        except FileNotFoundError:
            if os.path.exists(self._shard(shard)):
                return
            raise
        if not os.path.exists(self._shard(shard)):
            self.part.write(self._shard(shard), out.getvalue())
        for point in self._range(shard, points):
            for suffix in ("json", "wav"):
                if os.path.exists(self._point(point, suffix)):
                    try:
                        os.remove(self._point(point, suffix))
                    except FileNotFoundError:
                        pass

    def failures(self) -> dict[int, str]:
        """Why runs have left nothing."""
        labels = (json.loads(label) for _, label, _ in self._files(self.done()))
        return {label["run"]: label["failure"] for label in labels if "failure" in label}

    def finish(self) -> None:
        """Nothing is missing: what was not packed is."""
        points = int(self.attributes()["points"])
        for shard in range((points + self.per_shard - 1) // self.per_shard):
            if not os.path.exists(self._shard(shard)):
                self._pack(shard, points)
        self.part.remove()
