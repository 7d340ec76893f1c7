# SPDX-License-Identifier: MIT
"""Plans from files (TOML), checked like scenes."""
from __future__ import annotations

import os
import tomllib
from typing import Any, Mapping

from . import _core
from ._tables import InputError, not_allowed, refuse
from .draws import choice, log_uniform, spread, uniform
from .plan import Plan
from .scene import Scene

__all__ = ["load_plan"]


def load_plan(path: str | os.PathLike) -> tuple[Plan, str]:
    """A plan file, and the path of its store.  Errors name the file, the field, its value and what is allowed."""
    path = os.fspath(path)
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    except OSError as e:
        refuse("plan", f"plan is {path!r}, which cannot be read: {e.strerror}", repr(path), "be a file that can be read")
    except tomllib.TOMLDecodeError as e:
        refuse("plan", f"{path}: {e}", repr(path), "be a TOML text")
    try:
        return _plan(data, os.path.dirname(os.path.abspath(path)))
    except InputError as e:
        error = InputError(f"{path}: {e}")
        error.path = error.field = e.path
        error.value, error.allowed, error.sentence, error.file = e.value, e.allowed, e.sentence or str(e), path
        raise error from None


_keys = {"schema": int, "scene": str, "store": str, "quality": str, "sound": bool, "sound_type": str, "measures": list, "grid": dict,
         "samples": dict}


def _checked(data: Mapping[str, Any], keys: Mapping[str, Any], where: str) -> None:
    for key, value in data.items():
        if key not in keys:
            near = _core.nearest(key, list(keys))
            refuse(where + key, f"{where}{key} is not known" + (f"; did you mean {near!r}?" if near else "") + f" There are {', '.join(keys)}",
                   repr(value), f"be one of {', '.join(keys)}")
        if not isinstance(value, keys[key]) or (isinstance(value, bool) and keys[key] is not bool):
            not_allowed(where + key, repr(value), f"be {_kind_words[keys[key]]}")


_kind_words = {int: "a whole number", str: "text", bool: "true or false", list: "a list", dict: "a table", (int, float): "a number"}


def _range(where: str, value: Any, counted: bool) -> Any:
    """A list of values, or { from, to, count, scale }."""
    if isinstance(value, list):
        return value if counted else choice(value)
    if not isinstance(value, dict):
        not_allowed(where, repr(value), "be a list or a table with from and to")
    keys: dict[str, Any] = {"from": (int, float), "to": (int, float), "scale": str, **({"count": int} if counted else {})}
    _checked(value, keys, where + ".")
    for key in ("from", "to", "count") if counted else ("from", "to"):
        if key not in value:
            refuse(where + "." + key, f"{where}.{key} is missing", "", "be given")
    scale = value.get("scale", "linear")
    if scale not in ("linear", "log"):
        not_allowed(where + ".scale", repr(scale), "be 'linear' or 'log'")
    if counted:
        return spread(where, value["from"], value["to"], value["count"], scale)
    return (uniform if scale == "linear" else log_uniform)(value["from"], value["to"])


def _plan(data: Mapping[str, Any], folder: str) -> tuple[Plan, str]:
    _checked(data, _keys, "")
    if data.get("schema") != 1:
        not_allowed("schema", repr(data.get('schema')), "be 1")
    for key in ("scene", "store"):
        if key not in data:
            refuse(key, f"{key} is missing", "", "be given")
    if ("grid" in data) == ("samples" in data):
        refuse("grid", "a plan must have either [grid] or [samples]", "", "be given, or samples")
    scene = Scene.load(os.path.join(folder, data["scene"]))
    options: dict[str, Any] = {"kept": tuple(data.get("measures", ())), "sound": data.get("sound", "measures" not in data),
                               "sound_type": data.get("sound_type", "float32"), "quality": data.get("quality")}
    store = os.path.join(folder, data["store"])
    if "grid" in data:
        return Plan.grid(scene, {path: _range(f"grid.{path}", v, True) for path, v in data["grid"].items()}, **options), store
    samples = data["samples"]
    _checked(samples, {"count": int, "seed": int, "parameters": dict}, "samples.")
    if samples.get("count", 0) < 1:
        not_allowed("samples.count", repr(samples.get('count')), "be at least 1")
    drawn_from = {path: _range(f"samples.parameters.{path}", v, False) for path, v in samples.get("parameters", {}).items()}
    return Plan.samples(scene, drawn_from, samples["count"], samples.get("seed", 0), **options), store
