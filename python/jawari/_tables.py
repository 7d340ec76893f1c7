# SPDX-License-Identifier: MIT
"""Classes made from the library's own tables.

The parts of a scene (`Mass`, `String`, ...), laws and schemes are described in C++ once: names, units, ranges, defaults,
words.  The classes here get their arguments, docstrings and checks from that description.  The library reads them as it
reads the tables of a scene file: whatever a file can say, Python can say, and is refused with the same sentences.
"""
from __future__ import annotations

import inspect
import itertools
import keyword
import numbers
from typing import Any, Iterator, Mapping, NoReturn

import numpy as np

from . import _core

InputError = _core.InputError
_stamps = itertools.count(1)  # every change gets a number of its own: what remembers one sees changes


def refuse(path: str, sentence: str, value: str, allowed: str) -> NoReturn:
    """Refuses input with these as data; ``value`` is empty where the sentence is about no single value."""
    error = InputError(sentence)
    error.path = error.field = path
    error.sentence = sentence
    error.value = value
    error.allowed = allowed
    raise error


def not_allowed(path: str, value: str, allowed: str) -> NoReturn:
    """Refuses a value: "channels is 3, but must be 0, 1 or 2"."""
    refuse(path, f"{path} is {value}, but must {allowed}", value, allowed)


def plain(value: Any, where: str) -> Any:
    """A value as TOML knows it: number, text, boolean, tuple of them.  Arrays become tuples."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (numbers.Real, np.floating)):
        return float(value)
    if isinstance(value, str):
        return value
    if hasattr(value, "__fspath__"):
        return str(value.__fspath__())
    if isinstance(value, np.ndarray):
        if value.ndim == 0 or value.dtype.kind not in "fiu":
            not_allowed(where, f"an array of {value.dtype}", "hold numbers")
        return tuple(plain(v, where) for v in value) if value.ndim > 1 else tuple(value.astype(float).tolist())
    if isinstance(value, (list, tuple)):
        return tuple(plain(v, where) for v in value)
    if isinstance(value, dict):
        return {str(k): plain(v, f"{where}.{k}") for k, v in value.items()}
    not_allowed(where, f"{_kind(value)}", "be a number, text or a list of numbers")


def _kind(value: Any) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def short(value: Any) -> str:
    """A value as people write it: 5e9 instead of 5000000000.0, and no long lists."""
    if isinstance(value, float):
        brief = f"{value:g}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")
        return brief if float(brief) == value and "e" in brief else repr(value)
    if isinstance(value, tuple) and len(value) > 6:
        return f"({short(value[0])}, ... {len(value)} values)"
    return repr(value)


def native(value: Any) -> Any:
    """A plain value, or a `Table` as the dictionary that the library reads."""
    return {k: native(v) for k, v in value._given()} if isinstance(value, Table) else value


class Table:
    """Named values with checks.  Values are read and set as attributes; None stands for "not given"."""

    _keys: Mapping[str, dict] = {}
    _title = ""
    __slots__ = ("_values", "_own_stamp", "__weakref__")

    def __init__(self, **values: Any) -> None:
        object.__setattr__(self, "_values", {})
        self._set(values)

    def _set(self, changes: Mapping[str, Any]) -> None:
        new = dict(self._values)
        for key, value in changes.items():
            key = self._said(key)
            if value is None:
                new.pop(key, None)
            else:
                new[key] = self._convert(key, value)
        old = self._values
        object.__setattr__(self, "_values", new)
        try:
            self._check()
        except Exception:
            object.__setattr__(self, "_values", old)
            raise
        object.__setattr__(self, "_own_stamp", next(_stamps))

    def _said(self, key: str) -> str:
        """The key of an argument: ``from_`` stands for ``from``, which Python keeps for itself."""
        return key[:-1] if key.endswith("_") and key[:-1] in self._keys else key

    def _convert(self, key: str, value: Any) -> Any:
        return plain(value, f"{self._title}.{key}" if self._title else key)

    def _check(self) -> None:
        raise NotImplementedError

    def _given(self) -> Iterator[tuple[str, Any]]:
        return iter(self._values.items())

    @property
    def _stamp(self) -> int:
        stamp = self._own_stamp
        for value in self._values.values():
            if isinstance(value, Table):
                stamp = max(stamp, value._stamp)
        return stamp

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_"):
            raise AttributeError(key)
        values, key = self._values, self._said(key)
        if key in values:
            value = values[key]
            return dict(value) if isinstance(value, dict) else value
        if key in self._keys:
            return self._keys[key].get("default")
        raise AttributeError(f"{type(self).__name__} has no {key}; it takes {', '.join(self._keys)}")

    def __setattr__(self, key: str, value: Any) -> None:
        self._set({key: value})

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._keys})

    def replace(self, **changes: Any):
        """A copy with other values."""
        copy = self._copy()
        copy._set(changes)
        return copy

    def _copy(self):
        copy = object.__new__(type(self))
        object.__setattr__(copy, "_values", {k: v._copy() if isinstance(v, Table) else v for k, v in self._values.items()})
        object.__setattr__(copy, "_own_stamp", next(_stamps))
        return copy

    __copy__ = _copy

    def __deepcopy__(self, memo: dict):
        return self._copy()

    def to_dict(self) -> dict[str, Any]:
        """What was given, as plain Python."""
        return {k: v.to_dict() if isinstance(v, Table) else v for k, v in self._given()}

    def __eq__(self, other: Any) -> bool:
        return type(self) is type(other) and list(sorted(self._values)) == sorted(other._values) and all(
            v == other._values[k] for k, v in self._values.items())

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self):
        return _rebuild, (type(self), dict(self._values))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={short(v)}' for k, v in self._values.items())})"


def _rebuild(cls: type, values: dict) -> Table:
    return cls(**values)


def argument(key: str) -> str:
    """The name of a key in Python."""
    return key + "_" if keyword.iskeyword(key) else key


def signature(keys: Mapping[str, dict]) -> inspect.Signature:
    """Required keys have no default; all are keywords."""
    ordered = sorted(keys.values(), key=lambda k: not k["required"])
    return inspect.Signature([
        inspect.Parameter(argument(k["name"]), inspect.Parameter.KEYWORD_ONLY, annotation=_annotation(k),
                          default=inspect.Parameter.empty if k["required"] else k.get("default")) for k in ordered])


_annotations = {"number": "float", "integer": "int", "text": "str", "word": "str", "flag": "bool", "list": "Sequence[float]",
                "names": "Sequence[str]", "law": "Law", "location": "float | Sequence[float] | str",
                "points": "Mapping[str, Sequence[float]]", "pitch": "str | float", "scheme": "Scheme | str", "table": "Table",
                "tables": "Sequence[Mapping[str, object]]"}


def _annotation(key: dict) -> str:
    return key["of"].capitalize() if key.get("of") and key.get("type") != "tables" else _annotations[key.get("type", "number")]


def document(title: str, keys: Mapping[str, dict], more: str = "") -> str:
    """A docstring in NumPy's format, from a table."""
    lines = [title, ""]
    if more:
        lines += [more, ""]
    if keys:
        lines += ["Parameters", "----------"]
    for k in sorted(keys.values(), key=lambda k: not k["required"]):
        unit = f" [{k['unit']}]" if k.get("unit") else ""
        default = "" if k["required"] else f", default {k['default']:g}" if isinstance(k.get("default"), float) \
            else f", default {k['default']!r}" if k.get("default") is not None else ", optional"
        lines.append(f"{argument(k['name'])} : {_annotation(k)}{unit}{default}")
        limits = [f"in {k['range']}"] if k.get("range") else []
        if k.get("words"):
            limits.append("one of " + ", ".join(f'"{w}"' for w in k["words"]))
        text = k["text"].removesuffix(".") + (f" ({k['symbol']})" if k.get("symbol") else "")
        lines.append("    " + "; ".join([text, *limits]) + ("." if k["text"].endswith(".") else ""))
    return "\n".join(lines).rstrip() + "\n"
