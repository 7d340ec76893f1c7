#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is installed is what public headers include, no more and no less; public headers include nothing of src or of other libraries.

public_headers.py ROOT          exits with 1 and a line for every difference
public_headers.py ROOT --plant  the same as if a public header included one that is not installed: must fail
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
folder = root / "include/jawari"
public, private = [section.split() for section in
                   re.sub(r"^#.*", "", (root / "cmake/public_headers.txt").read_text(), flags=re.M).strip().split("\n\n")]
errors = []
reached: set[str] = set()
ahead = list(public)
while ahead:
    name = ahead.pop()
    if name in reached:
        continue
    reached.add(name)
    text = (folder / name).read_text()
    if "--plant" in sys.argv and name == "engine/run.h":
        text += '#include "jawari/io/html.h"\n'
    for other in re.findall(r'^#\s*include "jawari/([^"]+)"', text, re.M):
        ahead.append(other)
    for other in re.findall(r'^#\s*include "(?!jawari/)([^"]+)"', text, re.M):
        errors.append(f"{name} includes \"{other}\", but public headers include jawari/... alone")
    for other in re.findall(r"^#\s*include <([^>]+)>", text, re.M):
        if "/" in other or other.endswith(".hpp") or other in ("sndfile.h",):
            errors.append(f"{name} includes <{other}>, but an installed jawari needs no headers of other libraries")
for name in sorted(reached - set(public) - set(private)):
    errors.append(f"{name} is included by a public header, but not in cmake/public_headers.txt")
for name in sorted(set(private) - reached):
    errors.append(f"{name} is in the second list of cmake/public_headers.txt, but no public header includes it")
everything = {p.relative_to(folder).as_posix() for p in folder.rglob("*.h")}
for name in sorted(set(public + private) - everything):
    errors.append(f"{name} is in cmake/public_headers.txt, but does not exist")
if len(everything) < 100 or len(public) < 30:
    errors.append("too few headers: the search is broken")
print(*errors, sep="\n")
print(f"{len(public)} public headers, {len(private)} that they include, {len(everything - set(public + private))} not installed")
sys.exit(1 if errors else 0)
