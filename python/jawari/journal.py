# SPDX-License-Identifier: MIT
"""The restart file of a sweep: an SQLite database with one row per finished point, each committed by itself.

Killed at any moment, it holds every point that was finished.  It knows what it belongs to: another problem, grid or
measure is refused instead of being mixed in.
"""
from __future__ import annotations

import hashlib
import io
import os
import sqlite3
from typing import Any, Callable, Mapping

import numpy as np

from ._tables import refuse

__all__ = ["Journal"]


def _fingerprint(axes: Mapping[str, np.ndarray], problem: Any, measure: Callable) -> str:
    mark = hashlib.sha256()
    for name, values in axes.items():
        mark.update(f"{name}={values.tolist()!r};".encode())
    for thing in (problem, measure):
        text = getattr(thing, "text", None)
        if text is not None and not callable(thing):
            mark.update(text().encode())
        else:  # a function: where it is and what it does
            code = getattr(thing, "__code__", None)
            mark.update(f"{getattr(thing, '__qualname__', type(thing).__qualname__)};".encode())
            if code is not None:
                mark.update(code.co_code + repr([c for c in code.co_consts if not hasattr(c, "co_code")]).encode())
    return mark.hexdigest()


class Journal:
    def __init__(self, path: str | os.PathLike | None, axes: Mapping[str, np.ndarray], problem: Any, measure: Callable) -> None:
        self._db = None
        if path is None:
            return
        mark = _fingerprint(axes, problem, measure)
        try:
            self._db = sqlite3.connect(os.fspath(path))
            self._db.execute("create table if not exists about (mark text)")
            self._db.execute("create table if not exists points (number integer primary key, value blob, why text)")
            known = self._db.execute("select mark from about").fetchone()
            if known is None:
                self._db.execute("insert into about values (?)", (mark,))
                self._db.commit()
        except sqlite3.Error as e:
            refuse("restart", f"restart is {os.fspath(path)!r}, which cannot be used: {e}")
        if known is not None and known[0] != mark:
            self.close()
            refuse("restart", f"restart is {os.fspath(path)!r}, which belongs to another problem, grid or measure; "
                   "give another file or remove it")

    def finished(self) -> dict[int, tuple[Any, str]]:
        """What is there already: number of the point -> value, why it failed."""
        if self._db is None:
            return {}
        return {n: (_unpack(value) if value is not None else None, why)
                for n, value, why in self._db.execute("select number, value, why from points")}

    def keep(self, number: int, value: Any, why: str) -> None:
        if self._db is not None:
            self._db.execute("insert or replace into points values (?, ?, ?)", (number, None if value is None else _pack(value), why))
            self._db.commit()

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None


def _pack(value: Any) -> bytes:
    out = io.BytesIO()
    if isinstance(value, dict):
        np.savez(out, **{f"k_{k}": v for k, v in value.items()})
    else:
        np.savez(out, v=value)
    return out.getvalue()


def _unpack(data: bytes) -> Any:
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return arrays["v"] if arrays.files == ["v"] else {k[2:]: arrays[k] for k in arrays.files}
