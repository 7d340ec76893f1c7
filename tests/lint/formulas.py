"""Equations that kernels and reference path share are implemented once: the arithmetic in formulas.txt is found in one file of
include/ and src/, which cites the label.

formulas.py ROOT          exits with 1 and a line for every other place
formulas.py ROOT --plant  the same as if two lines of a kernel wrote an equation again: must fail
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
if "--plant" in sys.argv:  # beside the files that formulas.txt names
    file = "src/kernel/mass_steps.h"
    code, plain = texts[file]
    named = (root / "tests/lint/formulas.txt").read_text()
    texts = {name: text for name, text in texts.items() if name in named}
    texts[file] = (code, plain + " psi = t.psi + t.g / 2 * s; change = push - lag[i] * d[i];")
errors = []
if len(texts) < 250 and "--plant" not in sys.argv:
    errors.append("too few files: the search is broken")
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
    found = {file: hit[0] for file, (code, plain) in texts.items() if (hit := search.search(plain))}
    if home not in found:
        errors.append(f"{label} is not found in {home}: {pattern}")
    elif label not in texts[home][0]:
        errors.append(f"{home} implements {label}, but does not cite it")
    for file, hit in found.items():
        if file != home:
            errors.append(f"{label} is implemented in {home}, and again in {file}: {hit}")
print(*errors, sep="\n")
print(f"{len(labels)} labels")
sys.exit(1 if errors else 0)
