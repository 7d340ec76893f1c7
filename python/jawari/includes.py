# SPDX-License-Identifier: MIT
"""``include`` and ``remove`` of scene files, as the reader takes them: included tables first, parts of the same name changed.

Only for texts that the reader has accepted; it holds the limits, and a test compares the two.
"""
from __future__ import annotations

import os
import tomllib
from typing import Any

__all__ = ["merged"]


def merged(data: dict[str, Any], folder: str) -> dict[str, Any]:
    """A scene with the tables of the files it includes; ``folder`` is where they are looked for."""
    if "include" not in data:
        return data
    own = dict(data)
    files = own.pop("include")
    gone = {name for name in own.pop("remove", []) if isinstance(name, str)}
    base: dict[str, Any] = {}
    for file in [files] if isinstance(files, str) else files:
        path = os.path.join(folder, file)
        with open(path, "rb") as text:
            _lay_over(base, merged(tomllib.load(text), os.path.dirname(path)))
    for kind, parts in base.items():
        if isinstance(parts, list):
            base[kind] = [p for p in parts if _name(p) not in gone]
    _lay_over(base, own)
    return base


def _name(part: Any) -> str:
    name = part.get("name") if isinstance(part, dict) else None
    return name if isinstance(name, str) else ""


def _lay_over(base: dict[str, Any], own: dict[str, Any]) -> None:
    for key, value in own.items():
        there = base.get(key)
        if not isinstance(there, list) or not isinstance(value, list):
            base[key] = value
            continue
        for part in value:
            same = [old for old in there if _name(part) and _name(old) == _name(part)]
            if same:
                same[-1].update(part)
            else:
                there.append(part)
