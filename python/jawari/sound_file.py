# SPDX-License-Identifier: MIT
"""The sound of a batch on disk, written while it is played: an .npy file, or a zarr store of some hundred runs per chunk."""
from __future__ import annotations

import json
import os
import shutil
from typing import Any, Mapping

import numpy as np

from . import _core
from ._tables import not_allowed, refuse
from .zarr_store import ZarrStore, _description, _json, _packed

__all__ = ["SoundFile", "StoredSound"]

chunk_bytes = 64 << 20  #: of a chunk of the zarr store, about


class StoredSound:
    """Sound in several files, (runs, pickups, samples): runs are read when they are used."""

    def __init__(self, chunks: list[np.memmap], runs: int) -> None:
        self._chunks = chunks
        self.shape, self.dtype = (runs, *chunks[0].shape[1:]), chunks[0].dtype

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: Any) -> np.ndarray:
        run, rest = (index[0], index[1:]) if isinstance(index, tuple) else (index, ())
        if not isinstance(run, (int, np.integer)):
            return self.numpy()[index]
        if not -len(self) <= run < len(self):
            raise IndexError(f"there is no run {run}: there are {len(self)}")
        per_chunk = self._chunks[0].shape[0]
        number, place = divmod(int(run) % len(self), per_chunk)
        return self._chunks[number][(place, *rest)]

    def numpy(self) -> np.ndarray:
        """All of it, in memory."""
        return np.concatenate(self._chunks)[:len(self)]

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.numpy().astype(dtype or self.dtype, copy=False)


def _reserved(path: str, array: np.memmap) -> np.memmap:
    """With room on the disk for all of it: a disk that is full later would end the process at a write."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.posix_fallocate(descriptor, 0, os.fstat(descriptor).st_size)
    finally:
        os.close(descriptor)
    return array


class SoundFile:
    """``path`` ends in .npy or .zarr and is not there yet."""

    def __init__(self, path: str | os.PathLike, runs: int, layout: Mapping[str, Any], dtype: str) -> None:
        self.path, self._runs, self._layout = os.fspath(path).rstrip("/"), runs, layout
        shape = (runs, len(layout["pickups"]), layout["samples"])
        if not self.path.endswith((".npy", ".zarr")):
            not_allowed("out", repr(self.path), "end in .npy or .zarr")
        if os.path.exists(self.path):
            refuse("out", f"out is {self.path!r}, which is there already; give another path or remove it",
                   repr(self.path), "be a path that is not there yet")
        if not all(shape):
            refuse("out", f"out is {self.path!r}, but there is no sound: the scene has {shape[1]} pickups and {shape[2]} samples",
                   repr(self.path), "go with a scene that has a sound")
        self.chunks: list[np.memmap] = []
        try:
            if self.path.endswith(".npy"):
                self.chunks.append(_reserved(self.path, np.lib.format.open_memmap(self.path, mode="w+", dtype=np.dtype(dtype), shape=shape)))
            else:
                self._make_zarr_chunks(shape, np.dtype(dtype).newbyteorder("<"))
        except OSError as e:
            self.discard()
            refuse("out", f"out is {self.path!r}, which cannot be made: {e.strerror}", repr(self.path), "be a path with room for the sound")

    def _make_zarr_chunks(self, shape: tuple[int, ...], dtype: np.dtype) -> None:
        per_chunk = int(np.clip(chunk_bytes // (shape[1] * shape[2] * dtype.itemsize), 1, shape[0]))
        os.makedirs(os.path.join(self.path, "sound"))
        self._sound = {**_description(shape, (per_chunk, *shape[1:]), dtype), "compressor": None, "filters": None}
        count = -(-shape[0] // per_chunk)
        for k in range(count):
            path = os.path.join(self.path, "sound", f"{k}.0.0")
            self.chunks.append(_reserved(path, np.memmap(path, dtype=dtype, mode="w+", shape=(per_chunk, *shape[1:]))))

    @property
    def sound(self) -> Any:
        """As an array: mapped, not in memory."""
        return self.chunks[0] if self.path.endswith(".npy") else StoredSound(self.chunks, self._runs)

    def discard(self) -> None:
        """Nothing was played."""
        self.chunks.clear()
        if os.path.isdir(self.path):
            shutil.rmtree(self.path)
        elif os.path.exists(self.path):
            os.remove(self.path)

    def finish(self, attributes: Mapping[str, Any], runs: Mapping[str, np.ndarray], contacts: Mapping[str, np.ndarray]) -> None:
        """What else a zarr store says of its runs: arrays of a number per run, and of one per run and contact."""
        for chunk in self.chunks:
            chunk.flush()
        if self.path.endswith(".npy"):
            return
        layout = self._layout
        files: dict[str, bytes] = {".zgroup": _json({"zarr_format": 2}), ".zattrs": _json({**attributes, "made_by": f"jawari {_core.__version__}"}),
                                   "sound/.zarray": _json(self._sound),
                                   "sound/.zattrs": _json({"rate_hz": layout["rate_hz"], "_ARRAY_DIMENSIONS": ["run", "pickup", "time_s"]})}
        time_s = np.arange(layout["samples"]) / layout["rate_hz"]
        arrays: list[Any] = [  # name, values, dimensions, attributes
            ("time_s", time_s, ["time_s"], {"units": "s"}), ("pickup", np.asarray(layout["pickups"]), ["pickup"], {}),
            *((name, values, ["run"], {}) for name, values in runs.items())]
        if layout["contacts"]:
            arrays += [("contact", np.asarray(layout["contacts"]), ["contact"], {}),
                       *((name, values, ["run", "contact"], {}) for name, values in contacts.items())]
        for name, values, dims, about in arrays:
            values = np.ascontiguousarray(values)
            dtype = np.dtype(values.dtype.str.replace(">", "<"))
            files.update(ZarrStore._array(name, values.shape, values.shape, dtype, tuple(dims), about))
            files[f"{name}/" + ".".join(["0"] * values.ndim)] = _packed(values, dtype)
        files[".zmetadata"] = _json({"zarr_consolidated_format": 1, "metadata": {
            name: json.loads(content) for name, content in files.items() if os.path.basename(name) in (".zgroup", ".zattrs", ".zarray")}})
        for name, content in files.items():  # .zmetadata comes last: with it the store is whole
            os.makedirs(os.path.dirname(os.path.join(self.path, name)), exist_ok=True)
            with open(os.path.join(self.path, name), "wb") as file:
                file.write(content)
