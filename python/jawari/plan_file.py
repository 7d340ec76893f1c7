# SPDX-License-Identifier: MIT
"""Plans from files (TOML), checked like scenes."""
from __future__ import annotations

import os
import re
import tomllib
from typing import Any, Mapping, NamedTuple

from . import _core
from ._tables import InputError, not_allowed, refuse
from .draws import choice, log_uniform, spread, uniform
from .plan import Plan, devices, kernel_words
from .scene import Scene

__all__ = ["load_plan", "PlanKey", "plan_keys"]


class PlanKey(NamedTuple):
    """A key of a plan file."""

    kind: Any
    default: str
    text: str


_number = (int, float)
#: keys of a plan file, by their table; the checker and the reference know these and no others
plan_keys: dict[str, dict[str, PlanKey]] = {
    "": {
        "schema": PlanKey(int, "", "Version of the format: 1."),
        "scene": PlanKey(str, "", "The scene file, beside the plan."),
        "store": PlanKey(str, "", "Where results go: name.zarr, or name.tar."),
        "quality": PlanKey(str, "that of the scene, else standard", "As for `simulate`."),
        "sound": PlanKey(bool, "true without measures", "Whether the sound of every pickup is kept."),
        "sound_type": PlanKey(str, "float32", "Numbers of the sound: float32 or float64."),
        "measures": PlanKey(list, "none", "What is measured of every run, by name."),
        "device": PlanKey(str, "none", "cpu or cuda: runs are played in batches; none: one by one."),
        "kernels": PlanKey(str, "exact", "Of batches: exact, fused, single or off."),
        "grid": PlanKey(dict, "", "Every combination of the values of these parameters, by their paths."),
        "samples": PlanKey(dict, "", "Instead of a grid: values that are drawn."),
    },
    "grid.*": {
        "from": PlanKey(_number, "", "First value; a list of values may stand instead of the table."),
        "to": PlanKey(_number, "", "Last value."),
        "count": PlanKey(int, "", "How many values."),
        "scale": PlanKey(str, "linear", "linear: equal steps; log: equal ratios."),
    },
    "samples": {
        "count": PlanKey(int, "", "How many runs."),
        "seed": PlanKey(int, "0", "Of what is drawn."),
        "parameters": PlanKey(dict, "", "Parameters by their paths, and how their values are drawn."),
    },
    "samples.parameters.*": {
        "from": PlanKey(_number, "", "Smallest value; a list stands for a choice of its values."),
        "to": PlanKey(_number, "", "Largest value."),
        "scale": PlanKey(str, "linear", "linear: every value equally likely; log: every ratio."),
    },
}
_kind_words = {int: "a whole number", str: "text", bool: "true or false", list: "a list", dict: "a table", _number: "a number"}


def load_plan(path: str | os.PathLike, *, device: str | None = None) -> tuple[Plan, str]:
    """A plan file, and the path of its store.  Errors name the file, the line, the field, its value and what is allowed.

    Parameters
    ----------
    path : path
        Of the plan file, .toml.
    device : str
        Instead of what the plan says.
    """
    path = os.fspath(path)
    try:
        with open(path, "rb") as file:
            text = file.read().decode()
        data = tomllib.loads(text)
    except OSError as e:
        refuse("plan", f"plan is {path!r}, which cannot be read: {e.strerror}", repr(path), "be a file that can be read")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        refuse("plan", f"{path}: {e}", repr(path), "be a TOML text")
    if device is not None:
        data["device"] = device
    try:
        return _plan(data, os.path.dirname(os.path.abspath(path)))
    except InputError as e:
        line = _line_of(text, e.path)
        error = InputError(f"{path}:{line}: {e}" if line else f"{path}: {e}")
        error.path = error.field = e.path
        error.value, error.allowed, error.sentence, error.file = e.value, e.allowed, e.sentence or str(e), path
        error.line = line or 0
        raise error from None


_part = r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|[A-Za-z0-9_-]+)"""
_name = rf"{_part}(?:\s*\.\s*{_part})*"


def _line_of(text: str, field: str) -> int:
    """Where a field stands, or what holds it; 0: nowhere."""
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if found := re.match(rf"\s*\[\s*({_name})\s*\]", line):
            table = _joined(found[1])
            lines.setdefault(table, number)
        elif found := re.match(rf"\s*({_name})\s*=", line):
            lines.setdefault(f"{table}.{_joined(found[1])}".lstrip("."), number)
    while field:
        if field in lines:
            return lines[field]
        field = field.rpartition(".")[0]
    return 0


def _joined(name: str) -> str:
    return ".".join(p.strip("\"'") for p in re.findall(_part, name))


def _checked(data: Mapping[str, Any], table: str, where: str = "") -> None:
    keys = plan_keys[table]
    for key, value in data.items():
        if key not in keys:
            near = _core.nearest(key, list(keys))
            refuse(where + key, f"{where}{key} is not known" + (f"; did you mean {near!r}?" if near else "") + f" There are {', '.join(keys)}",
                   repr(value), f"be one of {', '.join(keys)}")
        kind = keys[key].kind
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            not_allowed(where + key, repr(value), f"be {_kind_words[kind]}")


def _range(where: str, value: Any, counted: bool) -> Any:
    """A list of values, or { from, to, count, scale }."""
    if isinstance(value, list):
        return value if counted else _at(where, choice, value)
    if not isinstance(value, dict):
        not_allowed(where, repr(value), "be a list or a table with from and to")
    table = "grid.*" if counted else "samples.parameters.*"
    _checked(value, table, where + ".")
    for key, about in plan_keys[table].items():
        if key not in value and not about.default:
            refuse(where + "." + key, f"{where}.{key} is missing", "", "be given")
    scale = value.get("scale", "linear")
    if scale not in ("linear", "log"):
        not_allowed(where + ".scale", repr(scale), "be 'linear' or 'log'")
    if counted:
        return _at(where, spread, where, value["from"], value["to"], value["count"], scale)
    return _at(where, uniform if scale == "linear" else log_uniform, value["from"], value["to"])


def _at(where: str, function: Any, *arguments: Any) -> Any:
    """What a function returns; its errors are those of a field of the plan."""
    try:
        return function(*arguments)
    except InputError as e:
        sentence = str(e)
        refuse(where, sentence if sentence.startswith(where) else f"{where}: {sentence}", e.value, e.allowed)


def _paths(scene: Scene, table: str, paths: Any) -> None:
    for path in paths:
        try:
            scene.get(path)
        except KeyError as e:
            refuse(f"{table}.{path}", f"{table} names {path!r}, but {e.args[0]}", repr(path), "name parameters of the scene")


def _word(data: Mapping[str, Any], key: str, words: tuple[str, ...]) -> Any:
    if key in data and data[key] not in words:
        not_allowed(key, repr(data[key]), f"be one of {', '.join(map(repr, words))}")
    return data.get(key)


def _plan(data: Mapping[str, Any], folder: str) -> tuple[Plan, str]:
    _checked(data, "")
    if data.get("schema") != 1:
        not_allowed("schema", repr(data.get('schema')), "be 1")
    for key in ("scene", "store"):
        if key not in data:
            refuse(key, f"{key} is missing", "", "be given")
    if ("grid" in data) == ("samples" in data):
        refuse("grid", "a plan must have either [grid] or [samples]", "", "be given, or samples")
    scene = _at("scene", Scene.load, os.path.join(folder, data["scene"]))
    options: dict[str, Any] = {"kept": tuple(data.get("measures", ())), "sound": data.get("sound", "measures" not in data),
                               "sound_type": data.get("sound_type", "float32"), "quality": data.get("quality"),
                               "device": _word(data, "device", devices), "kernels": _word(data, "kernels", kernel_words) or "exact"}
    if "kernels" in data and "device" not in data:
        refuse("kernels", f"kernels is {data['kernels']!r}, but there is no device: runs that are played one by one have none",
               repr(data["kernels"]), "go with a device")
    store = os.path.join(folder, data["store"])
    if "grid" in data:
        _paths(scene, "grid", data["grid"])
        return Plan.grid(scene, {path: _range(f"grid.{path}", v, True) for path, v in data["grid"].items()}, **options), store
    samples = data["samples"]
    _checked(samples, "samples", "samples.")
    if samples.get("count", 0) < 1:
        not_allowed("samples.count", repr(samples.get('count')), "be at least 1")
    _paths(scene, "samples.parameters", samples.get("parameters", {}))
    drawn_from = {path: _range(f"samples.parameters.{path}", v, False) for path, v in samples.get("parameters", {}).items()}
    return Plan.samples(scene, drawn_from, samples["count"], samples.get("seed", 0), **options), store
