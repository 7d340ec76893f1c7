#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No file of the engine (include, src) has more than 300 lines, no class more than 15 public functions.

sizes.py ROOT          exits with 1 and a line for every file and class that is too large; sizes.txt lists the exceptions, each with
                       the size that it must not exceed; one that is none any more must be removed there
sizes.py ROOT --plant  the same with a file and a class that are too large planted: must fail
sizes.py ROOT --list   only prints what is larger than allowed, in the form of sizes.txt

Of include/jawari/c_api.h, which is more than half description, lines of code are counted.  Functions are counted by name: overloads,
and pairs of const and not, are one.  Constructors, destructors and operators are not counted, nor is what an interface asks for, counted
there: functions that a base has, and of laws those of the concepts in core/port.h.
"""
import pathlib
import re
import sys

most_lines, most_functions = 300, 15
by_code = {"include/jawari/c_api.h"}


def without_comments(text: str) -> str:
    """The code, strings emptied; line breaks stay."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])\''
    return re.sub(pattern, lambda m: ("\n" * m[0].count("\n") or " ") if m[0][0] == "/" else '""', text, flags=re.S)


def line_count(name: str, text: str) -> int:
    if name in by_code:
        return sum(1 for line in without_comments(text).splitlines() if line.strip())
    return len(text.splitlines())


def closing(text: str, at: int, pair: str) -> int:
    """Behind the bracket that closes the one at `at`."""
    depth = 0
    while at < len(text):
        depth += (text[at] == pair[0]) - (text[at] == pair[1])
        at += 1
        if depth == 0:
            return at
    return at


def function_name(declaration: str) -> str | None:
    """Of a member without its body; None: no function, or one that is not counted."""
    text = re.sub(r"\s+", " ", declaration).strip()
    if re.match(r"(friend|using|typedef|static_assert|enum|template ?<[^{}]*> ?(friend|using|struct|class))\b", text):
        return None
    if re.search(r"\b(override|final)\b", text) or re.search(r"\boperator\b", text) or text.endswith("= delete"):
        return None
    text = re.sub(r"\b(decltype|alignas|noexcept|requires|explicit)\s*\([^()]*(\([^()]*\)[^()]*)*\)", "", text)
    before = text.split("(")[0]
    if "(" not in text or "=" in re.sub(r"<[^<>]*>", "", before):
        return None
    match = re.search(r"(~?)\b(\w+) ?$", before)
    if not match or match[1]:
        return None
    return match[2]


def members(body: str, access: str) -> tuple[set[str], list[tuple[str, str, str]]]:
    """Names of the public functions of a class, and the classes inside: name, key, body."""
    names: set[str] = set()
    inside: list[tuple[str, str, str]] = []
    at, start = 0, 0
    while at < len(body):
        label = re.compile(r"\s*(public|private|protected)\s*:(?!:)").match(body, at) if at == start else None
        if label:
            access, at = label[1], label.end()
            start = at
            continue
        if body[at] == "(":
            at = closing(body, at, "()")
            continue
        if body[at] not in ";{":
            at += 1
            continue
        declaration = body[start:at]
        if body[at] == ";":
            at += 1
        else:
            end = closing(body, at, "{}")
            kind = re.search(r"\b(class|struct|union|enum(?: class| struct)?)\b\s*(\w*)[^()]*$", declaration)
            if kind:
                if not kind[1].startswith("enum"):
                    inside.append((kind[2], kind[1], body[at + 1:end - 1]))
                end = body.find(";", end) + 1
            elif ":" in declaration and re.search(r"\)[^()?]*(?<!:):(?!:)", declaration) and body[end:].lstrip()[:1] in (",", "{"):
                at = end  # a member that is initialised by braces, in the list of a constructor
                continue
            elif "(" not in declaration:
                end = body.find(";", end) + 1 or len(body)
            at, declaration = end, declaration if not kind else ""
        name = function_name(declaration)
        if access == "public" and name:
            names.add(name)
        start = at
    return names, inside


def classes(text: str) -> list[tuple[str, set[str], list[str]]]:
    """Every class of a file, the names of its public functions, and its bases."""
    found = []
    head = r"(?<!enum )\b(class|struct)\s+(?:[A-Z_]{4,}\s+)?(\w+)(?:<[^;{}()]*>)?(?:\s+final)?\s*"
    for match in re.finditer(head + r"(:[^;{}()]*(?:\([^()]*\))?[^;{}()]*)?\{", text):
        body = text[match.end():closing(text, match.end() - 1, "{}") - 1]
        names, _ = members(body, "private" if match[1] == "class" else "public")
        names.discard(match[2])
        found.append((match[2], names, re.findall(r"\w+", match[3] or "")))
    return found


def sizes(root: pathlib.Path) -> tuple[dict[str, int], int, int]:
    """What is larger than allowed, and how many files and classes were seen."""
    large: dict[str, int] = {}
    every: list[tuple[str, str, set[str], list[str]]] = []
    files = [p for folder in ("include", "src") for p in sorted((root / folder).rglob("*")) if p.suffix in (".h", ".cpp", ".cu")]
    concepts = without_comments((root / "include/jawari/core/port.h").read_text())
    of_laws = set(re.findall(r"\blaw\.(\w+)\(", concepts))
    for path in files:
        name, text = path.relative_to(root).as_posix(), path.read_text()
        if "--plant" in sys.argv and name == "include/jawari/core/port.h":
            text += "".join(f"\n/// Planted {i}.\nstruct Planted{i} {{}};" for i in range(100))
            text += "\nclass TooLarge {\n public:\n" + "".join(f"  virtual int function_{i}() const;\n" for i in range(16)) + "};\n"
        lines = line_count(name, text)
        if lines > most_lines:
            large[f"{name} lines"] = lines
        every += [(name, *found) for found in classes(without_comments(text))]
    declared: dict[str, tuple[set[str], list[str]]] = {}
    for _, owner, names, bases in every:
        declared[owner] = (declared.get(owner, (set(), []))[0] | names, declared.get(owner, (set(), []))[1] + bases)
    for name, owner, names, bases in every:
        asked = set(of_laws) if "/contact/" in name else set()
        ahead, seen = list(bases), {owner}
        while ahead:
            base = ahead.pop()
            if base in declared and base not in seen:
                seen.add(base)
                asked |= declared[base][0]
                ahead += declared[base][1]
        if len(names - asked) > most_functions:
            large[f"{name} {owner}"] = len(names - asked)
    return large, len(files), len(every)


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    large, files, count = sizes(root)
    if "--list" in sys.argv:
        print(*(f"{name} {size}" for name, size in large.items()), sep="\n")
        return 0
    known: dict[str, int] = {}
    errors: list[str] = []
    for line in (pathlib.Path(__file__).parent / "sizes.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, size = line.rpartition(" ")
            if name in known:
                errors.append(f"sizes.txt: {name} is there twice")
            known[name] = int(size)
    for name, size in large.items():
        what = "lines, but a file has at most 300" if name.endswith(" lines") else "public functions, but a class has at most 15"
        if name not in known:
            errors.append(f"{name.removesuffix(' lines')} has {size} {what}")
        elif size > known[name]:
            errors.append(f"{name} is {size}, but sizes.txt allows {known[name]}")
    errors += [f"sizes.txt: {name} is not too large any more" for name in known if name not in large]
    if files < 300 or count < 500:
        errors.append(f"only {files} files and {count} classes were found: the search is broken")
    print(*errors, sep="\n")
    print(f"{files} files, {count} classes, {len(known)} exceptions, {len(errors)} errors")
    return 1 if errors else 0


sys.exit(main())
