#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Errors of the library carry path, sentence, value and what is allowed: InputError is made with all four.

errors.py ROOT          exits with 1 and a line for every error that lacks some
errors.py ROOT --plant  the same with a file that has some: says what is found in it
"""
import pathlib
import re
import sys

FOLDERS = ("include", "src", "plugins", "python/src", "web/wasm")
TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
# SceneFile::place() wants a place and no error.
EXCEPTIONS = {"src/io/scene_file.cpp": 1}


def argument_count(code: str, at: int) -> int:
    """Of a call whose arguments begin at `at`."""
    depth, count = 1, 1
    while depth > 0:
        depth += (code[at] in "([{") - (code[at] in ")]}")
        count += code[at] == "," and depth == 1
        at += 1
    return count


def errors(name: str, code: str) -> list[str]:
    code = TEXT.sub(lambda m: re.sub(r"[^\n]", "x", m[0]), code)
    counts = [(code.count("\n", 0, m.start()) + 1, argument_count(code, m.end())) for m in re.finditer(r"\bInputError\((?=[^)])", code)]
    return [f"{name}:{line}: InputError has {count} arguments, but needs path, sentence, value and what is allowed"
            for line, count in counts if 1 < count < 4]


PLANT = """void f(int x) {
  if (x > 2) throw InputError("x", "x is too large, much too large");
  if (x > 1) throw InputError("x", fmt::format("x is {}", x), number(x), "be at most 1");
  throw InputError(path(x, 1), "x", number(x));
}
"""
if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1])
    if "--plant" in sys.argv:
        print(*errors("plant.cpp", PLANT), sep="\n")
        sys.exit(1)
    found, seen = [], 0
    for path in (p for folder in FOLDERS for p in sorted((root / folder).rglob("*")) if p.suffix in {".h", ".cpp"}):
        name, code = path.relative_to(root).as_posix(), path.read_text()
        seen += code.count("InputError(")
        found += errors(name, code)[EXCEPTIONS.get(name, 0):]
    if seen < 200:
        found.append(f"only {seen} errors: the search is broken")
    print(*found, sep="\n")
    print(f"{seen} errors")
    sys.exit(1 if found else 0)
