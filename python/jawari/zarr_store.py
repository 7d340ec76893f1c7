# SPDX-License-Identifier: MIT
"""Results of many runs in a zarr store (format 2, a folder): one chunk per point and array, so that points are written
in any order by any number of processes.  Written here byte by byte, with nothing but NumPy and zlib: the same content is
the same bytes.  zarr and xarray read it; arrays have the names of their dimensions, units and coordinates.
"""
from __future__ import annotations

import json
import os
import shutil
import zlib
from typing import Any, Iterable, Mapping, NamedTuple

import numpy as np

from ._tables import refuse
from .part_folder import PartFolder

__all__ = ["Field", "Layout", "ZarrStore", "played", "failed"]

played, failed = 1, 2  # in the array `status`; 0: missing
_longest_sentence = 320
_level = 1


class Field(NamedTuple):
    """An array with a value per point."""

    name: str
    shape: tuple[int, ...]  #: of the value of a point
    dims: tuple[str, ...]
    dtype: str
    attributes: dict[str, Any]


class Layout(NamedTuple):
    """Dimensions of the points, coordinates, fields."""

    shape: tuple[int, ...]
    dims: tuple[str, ...]
    coordinates: dict[str, tuple[tuple[str, ...], np.ndarray, dict[str, Any]]]
    fields: tuple[Field, ...]
    attributes: dict[str, Any]

    @property
    def points(self) -> int:
        return int(np.prod(self.shape))


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=1, sort_keys=True, ensure_ascii=True) + "\n").encode()


def _packed(array: np.ndarray, whole: np.dtype) -> bytes:
    """A chunk: bytes of equal rank side by side, then deflated."""
    raw = np.ascontiguousarray(array, dtype=whole)
    if whole.kind != "U" and whole.itemsize > 1:
        raw = np.ascontiguousarray(raw.reshape(-1).view(np.uint8).reshape(-1, whole.itemsize).T)
    return zlib.compress(raw.tobytes(), _level)


def _unpacked(data: bytes, dtype: np.dtype) -> np.ndarray:
    raw = np.frombuffer(zlib.decompress(data), np.uint8)
    if dtype.kind != "U" and dtype.itemsize > 1:
        raw = np.ascontiguousarray(raw.reshape(dtype.itemsize, -1).T)
    return raw.reshape(-1).view(dtype)


def _description(shape: tuple[int, ...], chunks: tuple[int, ...], dtype: np.dtype) -> dict[str, Any]:
    shuffled = dtype.kind != "U" and dtype.itemsize > 1
    return {"zarr_format": 2, "shape": list(shape), "chunks": [max(c, 1) for c in chunks], "dtype": dtype.str, "order": "C",
            "fill_value": {"f": "NaN", "U": ""}.get(dtype.kind, 0), "compressor": {"id": "zlib", "level": _level},
            "filters": [{"id": "shuffle", "elementsize": dtype.itemsize}] if shuffled else None}


class ZarrStore:
    def __init__(self, path: str | os.PathLike) -> None:
        self.path = os.fspath(path).rstrip("/")
        self.part = PartFolder(self.path)
        self._layout: dict[str, Any] | None = None

    # -- as a whole

    def exists(self) -> bool:
        return os.path.exists(os.path.join(self.path, ".zattrs"))

    def attributes(self) -> dict[str, Any]:
        try:
            with open(os.path.join(self.path, ".zattrs"), encoding="utf-8") as file:
                found = json.load(file)
            if isinstance(found, dict) and "plan_sha256" in found:
                return found
        except (OSError, ValueError):
            pass
        refuse("store", f"store is {self.path!r}, which is no store of runs; give another path or remove it", repr(self.path), "be a store of runs")

    def create(self, layout: Layout) -> None:
        """Appears as a whole; where another process was faster, its store stays."""
        folder = self.part.temporary()
        os.makedirs(folder)
        files = {".zgroup": _json({"zarr_format": 2}), ".zattrs": _json(layout.attributes)}
        along = ["/".join(map(str, layout.dims))]
        for name, (dims, values, attributes) in layout.coordinates.items():
            dtype = np.dtype(values.dtype.str.replace(">", "<"))
            files.update(self._array(name, values.shape, values.shape, dtype, dims, attributes))
            files[f"{name}/" + ".".join(["0"] * values.ndim)] = _packed(values, dtype)
            along.append(name)
        beside = " ".join(n for n, (dims, _, _) in layout.coordinates.items() if dims == layout.dims and (n,) != layout.dims)
        for field in layout.fields:
            shape, chunks = layout.shape + field.shape, (1,) * len(layout.shape) + field.shape
            attributes = {**field.attributes, **({"coordinates": beside} if beside else {})}
            files.update(self._array(field.name, shape, chunks, np.dtype(field.dtype), layout.dims + field.dims, attributes))
        files[".zmetadata"] = _json({"zarr_consolidated_format": 1, "metadata": {
            name: json.loads(content) for name, content in files.items() if os.path.basename(name) in (".zgroup", ".zattrs", ".zarray")}})
        for name, content in files.items():
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        try:
            os.rename(folder, self.path)
        except OSError:
            shutil.rmtree(folder)
            if not self.exists():
                refuse("store", f"store is {self.path!r}, which cannot be made: there is something else; give another path or remove it",
                       repr(self.path), "be a path where a folder can be made")

    @staticmethod
    def _array(name: str, shape: tuple[int, ...], chunks: tuple[int, ...], dtype: np.dtype, dims: tuple[str, ...],
               attributes: Mapping[str, Any]) -> dict[str, bytes]:
        return {f"{name}/.zarray": _json(_description(shape, chunks, dtype)),
                f"{name}/.zattrs": _json({**attributes, "_ARRAY_DIMENSIONS": list(dims)})}

    def describe(self, name: str) -> dict[str, Any]:
        if self._layout is None:
            with open(os.path.join(self.path, ".zmetadata"), encoding="utf-8") as file:
                self._layout = json.load(file)["metadata"]
        return self._layout[f"{name}/.zarray"]

    def fields(self) -> list[str]:
        """Names of arrays with a value per point."""
        self.describe("status")
        assert self._layout is not None
        shape = self._layout["status/.zarray"]["shape"]
        dims = self._layout["status/.zattrs"]["_ARRAY_DIMENSIONS"]
        return [name[:-len("/.zattrs")] for name, a in self._layout.items() if name.endswith("/.zattrs")
                and a["_ARRAY_DIMENSIONS"][:len(dims)] == dims and self._layout[name[:-len("attrs")] + "array"]["chunks"][:len(dims)] == [1] * len(shape)]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.describe("status")["shape"])

    # -- point by point

    def key(self, name: str, point: int) -> str:
        inner = len(self.describe(name)["shape"]) - len(self.shape)
        index = [str(k) for k in np.unravel_index(point, self.shape)] + ["0"] * inner
        return os.path.join(self.path, name, ".".join(index))

    def done(self) -> set[int]:
        """Points that were played or have failed."""
        found = set()
        for name in os.listdir(os.path.join(self.path, "status")):
            if not name.startswith("."):
                found.add(int(np.ravel_multi_index(tuple(map(int, name.split("."))), self.shape)))
        return found

    def has(self, point: int) -> bool:
        return os.path.exists(self.key("status", point))

    def put(self, point: int, values: Mapping[str, Any] | None, why: str, parameters: Mapping[str, Any] | None = None) -> None:
        """All arrays of a point; its status comes last, and makes it count."""
        for name, value in (values or {}).items():
            about = self.describe(name)
            dtype = np.dtype(about["dtype"])
            self.part.write(self.key(name, point), _packed(fitted(value, tuple(about["chunks"][len(self.shape):]), dtype), dtype))
        if why:
            dtype = np.dtype(self.describe("failure")["dtype"])
            self.part.write(self.key("failure", point), _packed(np.asarray([why[:_longest_sentence]]), dtype))
        self.part.write(self.key("status", point), _packed(np.asarray([failed if why else played]), np.dtype("|u1")))

    def read(self, name: str) -> np.ndarray:
        """A whole array."""
        about = self.describe(name)
        dtype, shape, chunks = np.dtype(about["dtype"]), tuple(about["shape"]), tuple(about["chunks"])
        fill = np.nan if dtype.kind == "f" else "" if dtype.kind == "U" else 0
        array = np.full(shape, fill, dtype)
        for key in os.listdir(os.path.join(self.path, name)):
            if key.startswith("."):
                continue
            at = tuple(slice(int(k) * c, int(k) * c + c) for k, c in zip(key.split("."), chunks))
            with open(os.path.join(self.path, name, key), "rb") as file:
                array[at] = _unpacked(file.read(), dtype).reshape(chunks)
        return array

    def failures(self) -> dict[int, str]:
        """Why runs have left nothing."""
        told = self.read("failure").reshape(-1)
        return {int(i): str(told[i]) for i in np.flatnonzero(self.read("status").reshape(-1) == failed)}

    def create_like(self, other: "ZarrStore") -> None:
        """The same store without its points."""
        folder = self.part.temporary()
        values = set(other.fields())
        shutil.copytree(other.path, folder, ignore=lambda at, names: [n for n in names if not n.startswith(".")]
                        if os.path.basename(at) in values and os.path.dirname(at) == other.path else [])
        os.rename(folder, self.path)

    def copy_points(self, other: "ZarrStore", points: Iterable[int]) -> None:
        """Points of another store of the same plan."""
        names = [n for n in self.fields() if n != "status"] + ["status"]
        for name, point in ((name, point) for point in points for name in names):
            source = other.key(name, point)
            if os.path.exists(source):
                with open(source, "rb") as file:
                    self.part.write(self.key(name, point), file.read())

    def finish(self) -> None:
        """Nothing is missing."""
        self.part.remove()


def fitted(value: Any, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """A value in the shape that all points have: what is missing at the end is NaN."""
    array = np.asarray(value)
    if array.ndim != len(shape) or any(a > b for a, b in zip(array.shape, shape)):
        refuse("store", f"a value has the shape {array.shape}, but the first point had {shape}", f"{array.shape}", f"have the shape {shape}")
    if array.shape == shape:
        return array
    whole = np.full(shape, np.nan if dtype.kind in "fc" else 0, dtype)
    whole[tuple(slice(0, n) for n in array.shape)] = array
    return whole
