# SPDX-License-Identifier: MIT
"""Values as bytes that say what they are: numbers, text, None, arrays, and lists, tuples, sets and dicts of them.

Nothing is ever executed when they are read.  A byte says the kind, eight the length, then comes the content; arrays are
in NumPy's own format, arrays of objects are a shape and their elements.
"""
from __future__ import annotations

import io
from typing import Any

import numpy as np

from ._tables import refuse

__all__ = ["pack", "unpack"]


def _put(kind: bytes, content: bytes) -> bytes:
    return kind + len(content).to_bytes(8, "little") + content


def pack(value: Any) -> bytes:
    """The bytes of a value.  Refuses what could not be read back, with a sentence."""
    kind = type(value)
    if value is None:
        return _put(b"0", b"")
    if kind is bool:
        return _put(b"b", b"1" if value else b"")
    if kind is int:
        return _put(b"i", str(value).encode() if abs(value) < 10**4000 else hex(value).encode())
    if kind is float:
        return _put(b"f", value.hex().encode())
    if kind is complex:
        return _put(b"c", f"{value.real.hex()} {value.imag.hex()}".encode())
    if kind is str:
        return _put(b"s", value.encode("utf-8", "surrogatepass"))
    if kind is bytes:
        return _put(b"y", value)
    if kind in _sequences:
        return _put(_sequences[kind], b"".join(map(pack, value)))
    if kind is dict:
        return _put(b"d", b"".join(pack(k) + pack(v) for k, v in value.items()))
    if isinstance(value, (np.ndarray, np.generic)) and type(value).__module__ == "numpy":
        return _put(b"n" if isinstance(value, np.generic) else b"a", _array(np.asarray(value)))
    refuse("measure", f"measure returned a {kind.__module__}.{kind.__qualname__}, which a restart file cannot keep; return "
           "numbers, text, None, arrays, or lists and dicts of them",
           f"a {kind.__module__}.{kind.__qualname__}", "return numbers, text, None, arrays, or lists and dicts of them")


_sequences: dict[Any, bytes] = {list: b"l", tuple: b"t", set: b"S", frozenset: b"F"}
_kinds = {tag: kind for kind, tag in _sequences.items()}


def _array(value: np.ndarray) -> bytes:
    if value.dtype == object:
        return b"o" + pack(value.shape) + b"".join(pack(v) for v in value.reshape(-1).tolist())
    if value.dtype.hasobject:
        refuse("measure", f"measure returned an array of {value.dtype}, which a restart file cannot keep; give its fields numbers or text",
               f"an array of {value.dtype}", "return arrays whose fields are numbers or text")
    out = io.BytesIO()
    np.lib.format.write_array(out, value, allow_pickle=False)
    return b"n" + out.getvalue()


def unpack(data: bytes) -> Any:
    """The value of bytes that `pack` has made; anything else is a ValueError."""
    value, end = _take(data, 0)
    if end != len(data):
        raise ValueError("there is more than one value")
    return value


def _take(data: bytes, at: int) -> tuple[Any, int]:
    kind, length = data[at:at + 1], int.from_bytes(data[at + 1:at + 9], "little")
    start, end = at + 9, at + 9 + length
    if end > len(data) or start > len(data):
        raise ValueError("it is cut short")
    content = data[start:end]
    if kind == b"0":
        return None, end
    if kind == b"b":
        return content == b"1", end
    if kind == b"i":
        return int(content.decode(), 0), end
    if kind == b"f":
        return float.fromhex(content.decode()), end
    if kind == b"c":
        return complex(*map(float.fromhex, content.decode().split())), end
    if kind == b"s":
        return content.decode("utf-8", "surrogatepass"), end
    if kind == b"y":
        return content, end
    if kind in _kinds:
        return _kinds[kind](_many(content)), end
    if kind == b"d":
        items = _many(content)
        return dict(zip(items[::2], items[1::2], strict=True)), end
    if kind in (b"a", b"n"):
        array = _take_array(content)
        return (array[()] if kind == b"n" else array), end
    raise ValueError(f"it holds a value of the unknown kind {kind!r}")


def _many(content: bytes) -> list:
    found, at = [], 0
    while at < len(content):
        value, at = _take(content, at)
        found.append(value)
    return found


def _take_array(content: bytes) -> np.ndarray:
    if content[:1] == b"n":
        return np.lib.format.read_array(io.BytesIO(content[1:]), allow_pickle=False)
    shape, at = _take(content, 1)
    values = _many(content[at:])
    array = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        array[i] = value
    return array.reshape(shape)
