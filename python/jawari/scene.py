# SPDX-License-Identifier: MIT
"""Scenes: what there is, how it begins, what is heard.  Plain data in SI units; heights and positions count upwards.

    ball = jawari.Mass(name="ball", mass_kg=1.0, position_m=-0.5, velocity_m_s=20.0)
    hit = jawari.Contact(bodies=("ball", "wall"), law=jawari.PowerLaw(stiffness=5e9, exponent=1.3))
    result = jawari.Scene(ball, hit, duration_s=0.05).simulate()
"""
from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping

import numpy as np

from . import _core
from ._tables import InputError, Table, _stamps, document, native, not_allowed, plain, refuse, short, signature
from .laws import Law, Scheme, law_from

if TYPE_CHECKING:
    from .compare import Comparison
    from .result import Result
    from .run import System

__all__ = ["Scene", "Part", "load"]

_tables = {t["name"]: t for t in [*_core.scene_keys(), *_core.score_keys()]}
_singles = ("voice", "midi")  # parts that a scene has once or not at all
actions: dict[str, Callable] = {}  # what can be done with a scene: filled by the modules that import this one


class Part(Table):
    """A part of a scene."""

    __slots__ = ("_read",)
    _kind = ""

    def __init__(self, **values: Any) -> None:
        object.__setattr__(self, "_read", None)
        super().__init__(**values)

    def _convert(self, key: str, value: Any) -> Any:
        known = self._keys.get(key, {})
        kind = known.get("type")
        if kind == "law":
            return law_from(value, f"{self._title}.law")
        if kind == "scheme":
            return value if isinstance(value, (str, Scheme)) else Scheme(**value) if isinstance(value, dict) else \
                not_allowed(f"{self._title}.scheme", repr(value), "be a name or a Scheme")
        if kind == "table":
            cls = _classes[known["of"]]
            return value if isinstance(value, cls) else cls(**value) if isinstance(value, dict) else \
                not_allowed(f"{self._title}.{key}", repr(value), f"be {cls.__name__}(...)")
        return super()._convert(key, value)

    def _set(self, changes: Mapping[str, Any]) -> None:
        new = {}
        for key, value in changes.items():
            key = self._said(key)
            new[key] = None if value is None else self._convert(key, value)
        given = {k: native(v) for k, v in new.items()}
        try:
            read = _core.Part(self._kind, given, ".") if self._read is None else self._native.changed(given, ".")
        except InputError as e:
            for key in given:  # a misspelt key is worth more than the one that is missing for it
                if key not in self._keys and "is missing" in str(e):
                    _unknown(self, key)
            raise
        values = {k: v for k, v in {**self._values, **new}.items() if v is not None}
        if isinstance(values.get("scheme"), str):
            Scheme(values["scheme"])
        object.__setattr__(self, "_values", values)
        object.__setattr__(self, "_own_stamp", next(_stamps))
        object.__setattr__(self, "_read", (self._stamp, read))

    @property
    def _native(self):
        """The part as the library has read it."""
        stamp, read = self._read
        if stamp != self._stamp:  # a law or another table of it has changed
            read = _core.Part(self._kind, native(self), ".")
            object.__setattr__(self, "_read", (self._stamp, read))
        return read

    def _copy(self):
        copy = super()._copy()
        object.__setattr__(copy, "_read", (copy._stamp, self._native))
        return copy

    __copy__ = _copy


def _unknown(table: Table, key: str) -> None:
    near = _core.nearest(key, list(table._keys))
    refuse(f"{table._title}.{key}", f"{table._title}.{key} is not known here; {table._title} takes "
           f"{', '.join(table._keys)}" + (f" (did you mean {near}?)" if near else ""), key, f"be one of {', '.join(table._keys)}")


class Inner(Table):
    """A table within a part."""

    __slots__ = ()

    def _check(self) -> None:
        _check_values(self)


def _check_values(table: Table) -> None:
    """Keys, numbers and words of a table by itself."""
    for key, value in table._values.items():
        known = table._keys.get(key)
        if known is None:
            _unknown(table, key)
        if known["type"] in ("number", "integer"):
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                not_allowed(f"{table._title}.{key}", repr(value), f"be a number in {known['range']}")
            _core.check_number(table._title, key, value)
            if known["type"] == "integer" and value != int(value):
                not_allowed(f"{table._title}.{key}", repr(value), f"be a whole number in {known['range']}")
        if known["type"] == "text" and not isinstance(value, str):
            not_allowed(f"{table._title}.{key}", repr(value), "be text")
        if known["type"] == "word" and value not in known["words"]:
            not_allowed(f"{table._title}.{key}", repr(value), "be one of " + ", ".join(f'"{w}"' for w in known["words"]))


def plural(name: str) -> str:
    return name + ("es" if name.endswith("s") else "s")


def _make(table: dict) -> type:
    name = table["name"].title().replace("-", "").replace("_", "")
    keys = {k["name"]: k for k in table["keys"]}
    base = Part if table["repeated"] or table["name"] in _singles else Inner
    cls = type(name, (base,), {"__slots__": (), "_keys": keys, "_kind": table["name"], "_title": table["name"],
                               "__module__": "jawari"})
    where = f"``[[{table['name']}]]`` of a scene file." if table["repeated"] else \
        f"``[{table['name']}]`` of a scene file." if table["name"] in _singles else ""
    text = table["text"] if table["text"].endswith(".") else f"``{table['name']}`` of a part: {table['text']}."
    cls.__doc__ = document(text, keys, where)
    cls.__signature__ = signature(keys)
    return cls


_classes: dict[str, type] = {name: _make(t) for name, t in _tables.items() if name}
_kinds = [t["name"] for t in _core.scene_keys() if t["repeated"]]
_all_kinds = [*_kinds, "note", *_singles]
_lists = {plural(kind): kind for kind in [*_kinds, "note"]}
for _cls in _classes.values():
    globals()[_cls.__name__] = _cls
    __all__.append(_cls.__name__)


def _tabulate(function: Callable, length_m: float, points: int) -> tuple[tuple, tuple]:
    x = np.linspace(0, length_m, points)
    heights = np.array([float(function(v)) for v in x])
    if not np.all(np.isfinite(heights)):
        refuse("barrier.height", f"barrier.height at x = {x[~np.isfinite(heights)][0]:g} m is not finite",
               f"{heights[~np.isfinite(heights)][0]:g}", "be finite")
    return tuple(x.tolist()), tuple(heights.tolist())


def barrier_from(function: Callable[[float], float], *, string: Any, points: int = 4001, **keys: Any) -> Part:
    """A `Barrier` whose height [m] is a function of the position x [m] along a `String`, tabulated once.

    The surface is straight between ``points`` positions: with the 4001 of the default a parabola of curvature c along a
    string of length L is met to c (L/4000)^2/8.
    """
    x, heights = _tabulate(function, string.length_m, points)
    return _classes["barrier"](string=string.name, shape="file", positions_m=x, heights_m=heights, **keys)


class Scene(Table):
    __slots__ = ("_parts", "_cache")
    _keys = {k["name"]: k for k in _tables[""]["keys"]}
    _title = ""

    def __init__(self, *parts: Part, **values: Any) -> None:
        object.__setattr__(self, "_parts", {kind: [] for kind in _all_kinds})
        object.__setattr__(self, "_cache", None)
        singles = {kind: values.pop(kind) for kind in _singles if kind in values}
        self.add(*parts)
        for kind, value in singles.items():
            self._put_single(kind, value)
        super().__init__(**values)

    def _check(self) -> None:
        own = dict(self._given())
        if self._parts["voice"]:
            own.setdefault("duration_s", 4.0)  # a score says how long it is
        _core.check_values(own)

    # -- parts

    def add(self, *parts: Part) -> "Scene":
        """Adds parts (or lists of parts); returns the scene."""
        for part in parts:
            if isinstance(part, (list, tuple)):
                self.add(*part)
            elif isinstance(part, Part) and part._kind == "midi":
                self._put_single(part._kind, part)
            elif isinstance(part, Part):
                self._parts[part._kind].append(part)
            else:
                refuse("scene.add", f"scene.add got {part!r}, but takes parts: "
                       + ", ".join(_classes[k].__name__ for k in _all_kinds),
                       repr(part), "be one of " + ", ".join(_classes[k].__name__ for k in _all_kinds))
        return self

    def _put_single(self, kind: str, value: Any) -> None:
        cls = _classes[kind]
        if kind == "voice" and isinstance(value, (list, tuple)):  # several of them
            if not all(isinstance(v, cls) for v in value):
                not_allowed(kind, repr(value), f"be {cls.__name__}(...), a list of them or None")
            self._parts[kind][:] = value
            return
        if kind == "midi" and isinstance(value, (str, os.PathLike)):
            value = cls(file=value)
        if isinstance(value, dict):
            value = cls(**value)
        if value is not None and not isinstance(value, cls):
            not_allowed(kind, repr(value), f"be {cls.__name__}(...) or None")
        self._parts[kind][:] = [] if value is None else [value]

    def __getattr__(self, key: str) -> Any:
        if key in _lists:
            return self._parts[_lists[key]]
        if key in _singles:
            parts = self._parts[key]
            return parts if len(parts) > 1 else next(iter(parts), None)
        return super().__getattr__(key)

    def __setattr__(self, key: str, value: Any) -> None:
        if key in _lists:
            self._parts[_lists[key]][:] = value
        elif key in _singles:
            self._put_single(key, value)
        else:
            super().__setattr__(key, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_lists, *_singles})

    @property
    def parts(self) -> list[Part]:
        """All parts, in the order of a scene file."""
        return [p for kind in _all_kinds for p in self._parts[kind]]

    def __getitem__(self, name: str) -> Part:
        for part in self.parts:
            if _name_of(part) == name:
                return part
        names = [n for n in map(_name_of, self.parts) if n]
        raise KeyError(f"there is nothing called {name!r} in the scene; there are {', '.join(names)}")

    def get(self, path: str) -> Any:
        """The value at a path such as ``"ball.velocity_m_s"``, ``"contact[0].law.exponent"`` or ``"rate_hz"``."""
        owner, key = self._find(path)
        return getattr(owner, key)

    def set(self, path: str, value: Any) -> "Scene":
        """Sets the value at a path; returns the scene."""
        owner, key = self._find(path)
        setattr(owner, key, value)
        return self

    def _find(self, path: str) -> tuple[Table, str]:
        *steps, key = path.split(".")
        owner: Any = self
        for step in steps:
            indexed = re.fullmatch(r"(\w+)\[(\d+)\]", step)
            try:
                if owner is self:
                    owner = self._parts[indexed[1]][int(indexed[2])] if indexed else \
                        self._parts[step][0] if step in _singles else self[step]
                else:
                    owner = getattr(owner, step)
            except (KeyError, IndexError, AttributeError) as e:
                raise KeyError(f"there is no {step!r} at {path!r}") from e
        if not isinstance(owner, Table) or (key not in owner._keys):
            raise KeyError(f"there is no {key!r} at {path!r}")
        return owner, key

    def use_scheme(self, scheme: Scheme | str) -> "Scene":
        """The same scheme for every contact and barrier; returns the scene."""
        for part in self.parts:
            if "scheme" in part._keys:
                part.scheme = scheme
        return self

    # -- as text

    @property
    def _core(self):
        """The scene in C++, made again only after a change."""
        stamp = (self._own_stamp, *[p._stamp for parts in self._parts.values() for p in parts])
        cache = self._cache
        if cache is None or cache[0] != stamp:
            cache = (stamp, _core.Scene.made(dict(self._given()), [p._native for p in self.parts], os.getcwd()))
            object.__setattr__(self, "_cache", cache)
        return cache[1]

    def text(self) -> str:
        """The scene as TOML: defaults left out, files it names written out as lists, losses as the law takes them, notes as
        the events and strings they become."""
        return self._core.text()

    def save(self, path: str | os.PathLike) -> None:
        """Writes a scene file; it appears when it is complete."""
        self._core.save(os.fspath(path))

    @classmethod
    def from_text(cls, text: str, folder: str | os.PathLike = ".") -> "Scene":
        """A scene from TOML; ``folder`` is where files it names lie."""
        _core.Scene.parse(text, os.fspath(folder))  # refuses with a sentence
        data = _core.scene_values(text, os.fspath(folder))
        data.pop("schema", None)
        parts = [_classes[kind](**_with_folder(table, os.fspath(folder))) for kind in _all_kinds if kind in data
                 for table in (data[kind] if isinstance(data[kind], list) else [data[kind]])]
        return cls(*parts, **{k: v for k, v in data.items() if k not in _all_kinds})

    @classmethod
    def load(cls, path: str | os.PathLike, below: str | os.PathLike = "") -> "Scene":
        """Reads a scene file; errors name the line. `below`: no file outside of this folder is opened."""
        _, text = _core.Scene.read(os.fspath(path), os.fspath(below))
        return cls.from_text(text, os.path.dirname(os.path.abspath(path)))

    # -- the rest of a table

    def _copy(self):
        copy = object.__new__(type(self))
        object.__setattr__(copy, "_values", dict(self._values))
        object.__setattr__(copy, "_own_stamp", next(_stamps))
        object.__setattr__(copy, "_parts", {k: [p._copy() for p in v] for k, v in self._parts.items()})
        object.__setattr__(copy, "_cache", None)
        return copy

    __copy__ = _copy

    def copy(self) -> "Scene":
        """A scene of its own, parts included."""
        return self._copy()

    def to_dict(self) -> dict[str, Any]:
        """Everything that was given, as plain Python."""
        parts = {k: v[0].to_dict() if k in _singles and len(v) == 1 else [p.to_dict() for p in v] for k, v in self._parts.items() if v}
        return {**dict(self._given()), **parts}

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Scene) and self._values == other._values and self._parts == other._parts

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self):
        return _rebuild, (dict(self._values), self.parts)

    def __repr__(self) -> str:
        head = ", ".join(f"{k}={short(v)}" for k, v in self._values.items())
        return "Scene(" + "".join(f"\n    {p!r}," for p in self.parts) + ("\n    " if self.parts else "") + head + ")"

    # -- what can be done with it

    def compile(self, **options: Any) -> System:
        """A `System` that runs; see `jawari.compile`."""
        return actions["compile"](self, **options)

    def simulate(self, **options: Any) -> Result:
        """Runs it; see `jawari.simulate`."""
        return actions["simulate"](self, **options)

    def render(self, path: str | os.PathLike | None = None, **options: Any) -> tuple[np.ndarray, float]:
        """Its sound; see `jawari.render`."""
        return actions["render"](self, path, **options)

    def compare(self, *args: Any, **options: Any) -> Comparison:
        """Schemes against one another; see `jawari.compare`."""
        return actions["compare"](self, *args, **options)


Scene.__doc__ = document("A scene: parts, and how long and how finely time is taken.", Scene._keys,
                         "``Scene(part, part, ..., duration_s=1.0)``; parts of a kind are the list ``scene.masses``,\n"
                         "``scene.strings`` and so on, and ``scene[\"ball\"]`` is the part of that name. A scene with a\n"
                         "``Voice`` plays notes: ``scene.notes``, or ``scene.midi = \"song.mid\"``; a score says how long it is.")


def _rebuild(values: dict, parts: Iterable[Part]) -> Scene:
    return Scene(*parts, **values)


def _with_folder(table: dict, folder: str) -> dict:
    """Paths of files as seen from here."""
    def mend(value: Any) -> Any:
        return {k: os.path.join(folder, v) if k == "file" and isinstance(v, str) else mend(v) for k, v in value.items()} \
            if isinstance(value, dict) else value
    return mend(table)


def _name_of(part: Part) -> str:
    name = part._values.get("name")
    if name:
        return name
    if part._kind == "contact":
        return "-".join(part.bodies)
    if part._kind == "barrier":
        return f"{part.string}-barrier"
    return ""


def load(path: str | os.PathLike, below: str | os.PathLike = "") -> Scene:
    """Reads a scene file (TOML); errors name file, line, field, value and what is allowed.

    `below`: no file outside of this folder is opened, whatever the scene names.
    """
    return Scene.load(path, below)
