"""Equations that kernels and reference path share are implemented once: the arithmetic in formulas.txt is found in one file of
include/ and src/, which cites the label.

formulas.py ROOT          exits with 1 and a line for every other place
formulas.py ROOT --plant  the same as if another file had a copy of each of these equations: says which copies are seen
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
NAME = r"(?:[A-Za-z_][\w.\[\]]*(?:->)?[\w.\[\]]*)?"
texts = {}
for folder in ("include", "src"):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix in (".h", ".cpp", ".cu"):
            code = path.read_text()
            texts[path.relative_to(root).as_posix()] = (code, re.sub(r"\s+", " ", re.sub(r"//[^\n]*", "", code)))
errors = []
if len(texts) < 250:
    errors.append("too few files: the search is broken")
plant = "--plant" in sys.argv
copies = "src/kernel/copies.h"
patterns = seen = 0
labels = set()
label = ""
found: dict[str, str] = {}
for line in (root / "tests/lint/formulas.txt").read_text().splitlines():
    if not line or line.startswith("#"):
        continue
    if line.startswith("  but "):
        file = line.split()[1]
        if found.pop(file, None) is None:
            errors.append(f"formulas.txt: nothing needs the exception {file}")
        errors = [e for e in errors if f"{label} " not in e or f" again in {file}:" not in e]
        continue
    label, home, pattern = line.split(None, 2)
    labels.add(label)
    search = re.compile(pattern.replace("#", NAME))
    if plant and home in texts and (original := search.search(texts[home][1])):
        texts[copies] = ("", re.sub(r"(?<![.\w])([a-z]\w*(?=\.)|[a-z]\b)", lambda m: m[0] + "x", original[0]))  # other names
        patterns += 1
        seen += bool(search.search(texts[copies][1]))
    found = {file: hit[0] for file, (code, plain) in texts.items() if (hit := search.search(plain))}
    if home not in found:
        errors.append(f"{label} is not found in {home}: {pattern}")
    elif label not in texts[home][0]:
        errors.append(f"{home} implements {label}, but does not cite it")
    for file, hit in found.items():
        if file != home:
            errors.append(f"{label} is implemented in {home}, and again in {file}: {hit}")
print(*errors, sep="\n")
print(f"{len(labels)} labels" + (f"; {seen} of {patterns} copies are seen" if plant else ""))
sys.exit(1 if errors else 0)
