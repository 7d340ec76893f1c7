#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes follow the table layers.txt: no folder includes one above it, and no header that is installed includes one that is not.

layers.py ROOT          exits with 1 and a line for every include that breaks the table, and for every entry that nothing needs
layers.py ROOT --plant  the same with an include that breaks it planted: must fail
"""
import os
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
here = pathlib.Path(__file__).parent
special = {"registry.h": "registry", "instrument.h": "instrument", "c_api.h": "capi", "version.h": "capi", "jawari.h": "jawari", "deprecated.h": "jawari"}


def layer(path: pathlib.PurePath) -> str:
    """The folder of the table that a file belongs to."""
    parts = path.parts
    if parts[0] == "include":
        parts = parts[2:]
    elif parts[0] == "src":
        parts = parts[1:]
    return special.get(parts[0], parts[0])


def read_table() -> dict[str, set[str]]:
    table: dict[str, set[str]] = {}
    for line in (here / "layers.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, allowed = line.partition(":")
            table[name] = set(allowed.split())
    return table


def circles(table: dict[str, set[str]]) -> list[str]:
    """Folders that include one another, by whole folders."""
    found = []
    for start in table:
        seen, ahead = set(), [start]
        while ahead:
            for name in table[ahead.pop()] & set(table):
                if name == start:
                    found.append(f"layers.txt: {start} includes itself by way of others")
                elif name not in seen:
                    seen.add(name)
                    ahead.append(name)
    return sorted(set(found))


def target(file: pathlib.PurePath, name: str) -> pathlib.PurePath | None:
    for base in (file.parent, pathlib.PurePath("include"), pathlib.PurePath("src"), pathlib.PurePath(".")):
        path = pathlib.PurePath(os.path.normpath(base / name))
        if (root / path).is_file():
            return path
    return None


def main() -> int:
    table = read_table()
    errors = circles(table)
    used: dict[str, set[str]] = {name: set() for name in table}
    count = 0
    files = [p for folder in ("include", "src", "cli", "plugins", "python/src", "experiments")
             for p in sorted((root / folder).rglob("*")) if p.suffix in (".h", ".cpp", ".cu")]
    for path in files:
        file = path.relative_to(root)
        own = layer(file)
        text = path.read_text()
        if "--plant" in sys.argv and file.name == "power_law.h":
            text += '\n#include "jawari/engine/scene.h"\n'
        for name in re.findall(r'^\s*#\s*include "([^"]+)"', text, re.M):
            there = target(file, name)
            if there is None:
                continue
            count += 1
            other = layer(there)
            if file.parts[0] == "include" and there.parts[0] == "src":
                errors.append(f"{file} is public, but includes {there}, which is not")
            if other == own or other == "tests":
                continue
            single = f"{other}/{there.name}"
            allowed = table.get(own, set())
            if other in allowed:
                used[own].add(other)
            elif single in allowed:
                used[own].add(single)
            else:
                errors.append(f"{file} includes {there}, but {own} may include {' '.join(sorted(allowed)) or 'nothing'}")
    for name, allowed in table.items():
        for other in sorted(allowed - used[name]):
            errors.append(f"layers.txt: {name} includes nothing of {other}")
    if count < 1000:
        errors.append(f"only {count} includes were found: the search is broken")
    print(*errors, sep="\n")
    print(f"{count} includes of {len(files)} files, {len(errors)} errors")
    return 1 if errors else 0


sys.exit(main())
