# SPDX-License-Identifier: MIT
"""Contact laws and schemes: what a contact answers to compression, and how it is stepped.

Every law and every scheme of the library is here by itself: the classes are made from its registry.
"""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _core
from ._tables import Table, document, not_allowed, plain, refuse, short, signature

__all__ = ["Law", "Scheme", "laws", "schemes", "schemes_for", "integrators", "law_from", "tabulate"]


class Law(Table):
    """A contact law.  Use one of its kinds, such as `PowerLaw`, or ``Law("power", stiffness=1e9, exponent=1.5)``."""

    __slots__ = ()
    _title = "law"
    _type = ""
    _list: str | None = None  # name of the parameter that is a list of numbers

    def __new__(cls, type: str | None = None, **values: Any):
        if cls is Law:
            if type is None:
                refuse("law.type", "law.type is missing; it must be one of " + ", ".join(f'"{n}"' for n in _kinds),
                       "", "be one of " + ", ".join(f'"{n}"' for n in _kinds))
            if type not in _kinds:
                _core.check_law(type, {}, ())  # refuses with what there is
            cls = _kinds[type]
        return object.__new__(cls)

    def __init__(self, type: str | None = None, **values: Any) -> None:
        super().__init__(**values)

    @property
    def type(self) -> str:
        """Its name in scene files."""
        return self._type

    def _given(self):
        yield "type", self._type
        yield from self._values.items()

    def to_dict(self):
        return dict(self._given())

    def __reduce__(self):
        return _law, (self._type, dict(self._values))

    def _convert(self, key: str, value: Any) -> Any:
        value = plain(value, f"law.{key}")
        if key == self._list:
            return value
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            not_allowed(f"law.{key}", repr(value), "be a number")
        return float(value)

    def _check(self) -> None:
        _core.check_law(self._type, self.numbers(), self._forces())

    def _forces(self) -> tuple:
        forces = self._values.get("force_N", ())
        if not isinstance(forces, tuple) or not all(isinstance(f, (int, float)) for f in forces):
            refuse("law.force_N", "law.force_N must be a list of numbers", repr(forces), "be a list of numbers")
        return forces

    def numbers(self) -> dict[str, float]:
        """The numbers the law itself takes: `restitution` at a speed has become `mu`, PAR11 (6)."""
        v = {k: x for k, x in self._values.items() if k != "force_N"}
        return _core.law_numbers(self._type, v)

    def _values_of(self, what: str, y: Any):
        return _core.law_values(self._type, self.numbers(), self._forces(), what, np.asarray(y, dtype=float))

    def force(self, y: Any):
        """Elastic force [N] at a compression y [m] (C2); losses come on top in motion."""
        return self._values_of("force", y)

    def potential(self, y: Any):
        """Stored energy [J] at a compression y [m] (C1)."""
        return self._values_of("potential", y)

    def curvature(self, y: Any):
        """Slope of the force [N/m] at a compression y [m] (C3)."""
        return self._values_of("curvature", y)

    def psi(self, y: Any):
        """Root of twice the potential [sqrt(J)], with the sign of the force (C4)."""
        return self._values_of("psi", y)

    def schemes(self) -> list[str]:
        """Names of the schemes that serve this law."""
        return _core.schemes_for(self._type, self.numbers())

    def default_scheme(self) -> str:
        """What a contact uses where no scheme is named."""
        return _core.default_scheme(self._type)


def _law(type: str, values: dict) -> Law:
    return _kinds[type](**values)


def _class_name(name: str) -> str:
    word = "".join(part.capitalize() for part in name.split("-"))
    return "PowerLaw" if word == "Power" else word


def _make(info: dict) -> type:
    keys = {p["name"]: p for p in info["params"]}
    name = _class_name(info["name"])
    also = dict(keys)
    if info["list"]:
        also = {info["list"]["name"]: {**info["list"], "type": "list", "required": True, "default": None}, **also}
    for other in info["also"]:  # other ways to say a parameter
        also[other["name"]] = {**other, "required": False, "type": "number"}
    for key in ("stiffness", "mu"):  # may be said otherwise
        if key in also:
            also[key] = {**also[key], "required": False}
    cls = type(name, (Law,), {"__slots__": (), "_keys": also, "_type": info["name"],
                               "_list": info["list"] and info["list"]["name"],
                               "__module__": "jawari"})
    cls.__doc__ = document(f"{info['text'][0].upper()}{info['text'][1:]}: {info['source']}.", also)
    cls.__signature__ = signature(also)
    return cls


_kinds: dict[str, type] = {info["name"]: _make(info) for info in _core.laws()}
for _cls in _kinds.values():
    globals()[_cls.__name__] = _cls
    __all__.append(_cls.__name__)


def tabulate(function: Callable[[float], float], max_m: float, *, points: int = 1001, mu: float = 0.0) -> Law:
    """A law from a function of Python: force [N] of a compression [m], read once at equal steps from 0 to ``max_m``.

    Between them cubics that neither fall nor overshoot; beyond ``max_m`` the force goes on straight.  It must be 0 at 0
    and never fall.  Along a barrier it is the force of every contact point.  Two-point, three-point, quadratised and secant schemes serve it, and keep its energy exactly.
    """
    if not callable(function):
        not_allowed("function", repr(function), "be a function of the compression")
    if isinstance(points, bool) or not isinstance(points, int) or points < 3:
        not_allowed("points", repr(points), "be a whole number, at least 3")
    if not (isinstance(max_m, (int, float)) and max_m > 0):
        not_allowed("max_m", repr(max_m), "be a number above 0")
    return _kinds["tabulated"](force_N=[float(function(y)) for y in np.linspace(0.0, max_m, points)], max_m=max_m, mu=mu)


def law_from(value: Any, where: str = "law") -> Law:
    """A law from a law, or from a dict with its type."""
    if isinstance(value, Law):
        return value
    if isinstance(value, dict):
        return Law(**value)
    not_allowed(where, repr(value), "be a law such as PowerLaw(stiffness=5e9, exponent=1.3)")


class Scheme(Table):
    """How a contact is stepped: the name of a scheme or integrator, and its parameters where it has some.

    Examples
    --------
    >>> Scheme("taylor", s=1.0)
    Scheme('taylor', s=1.0)
    """

    __slots__ = ("_type",)
    _title = "scheme"
    _list = None

    def __init__(self, type: str, **values: Any) -> None:
        if not isinstance(type, str):
            not_allowed("scheme", repr(type), "be the name of a scheme")
        object.__setattr__(self, "_type", type)
        super().__init__(**values)

    @property
    def type(self) -> str:
        """Its name."""
        return self._type

    _given = Law._given
    to_dict = Law.to_dict
    _convert = Law._convert

    def _check(self) -> None:
        _core.check_scheme(self._type, self._values)

    def _copy(self):
        return Scheme(self._type, **self._values)

    def __reduce__(self):
        return _scheme, (self._type, dict(self._values))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Scheme) and self._type == other._type and self._values == other._values

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Scheme({', '.join([repr(self._type), *(f'{k}={short(v)}' for k, v in self._values.items())])})"


def _scheme(type: str, values: dict) -> Scheme:
    return Scheme(type, **values)


def laws() -> list[dict]:
    """Every law: name, text, source, parameters with unit, range and default."""
    return _core.laws()


def schemes() -> list[dict]:
    """Every scheme: name, text, source, whether it iterates, its order at exponent 1.5, power functions per step."""
    return _core.schemes()


def schemes_for(law: Law) -> list[str]:
    """Names of the schemes that serve a law."""
    return law_from(law).schemes()


def integrators() -> list[str]:
    """Classic integrators for one mass and one wall.

    Each also with "+position", "+rebound", "+hybrid", "+rebound+approximate", "+hybrid+approximate" or "+projected".
    """
    return _core.integrators()
