"""One statement per line: no statements joined by commas outside of the heads of loops.

statements.py ROOT          exits with 1 and a line for every joined statement
statements.py ROOT --plant  the same with a file that has some: says what is found in it
"""
import pathlib
import re
import sys

ENDINGS = {".h", ".cpp", ".c", ".cu"}
FOLDERS = ("include", "src", "cli", "tests", "experiments", "bench", "fuzz", "plugins", "python/src", "examples", "web")
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
# What begins an assignment: a name with members and indices, then the operator; a declaration has a type before the name.
ASSIGNS = re.compile(r"\s*(?:(?:\+\+|--)[\w.:>\[\]-]+|\*?[A-Za-z_][\w.:\[\]()>+-]*?\s*(?:(?<![=!<>])[-+*/|&^%]?=(?!=)|\+\+|--))")
HEAD = re.compile(r"\s*(?:else\b|do\b|(?:if|while|switch)\s*(?:constexpr\s*)?\()")


def blanked(code: str) -> str:
    """Without comments, texts and preprocessor lines, at the same places."""
    code = COMMENT_OR_TEXT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), code)
    for _ in range(3):  # template arguments, from the inside out
        code = re.sub(r"(?<=\w)<[\w\s:,*&]*>", lambda m: re.sub(r"[^\n]", " ", m[0]), code)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m[0]), code, flags=re.M)


def statements(code: str):
    """Statements with their places: between ; { and } outside of parentheses.  Blocks within parentheses are lambdas."""
    depth = [0]
    start = 0
    for i, c in enumerate(code):
        if c in "([":
            depth[-1] += 1
        elif c in ")]":
            depth[-1] -= 1
        elif c == "{":
            yield start, code[start:i]
            depth.append(1 if re.search(r"\benum\b[^;{}()]*$", code[max(0, i - 200):i]) else 0)  # its names are no statements
            start = i + 1
        elif c == "}":
            if depth[-1] == 0:
                yield start, code[start:i]
            if len(depth) > 1:
                depth.pop()
            start = i + 1
        elif c == ";" and depth[-1] == 0:
            yield start, code[start:i]
            start = i + 1


def closing(text: str, i: int) -> int:
    """Behind the parenthesis that closes the one at i."""
    depth = 0
    for k in range(i, len(text)):
        depth += (text[k] in "([") - (text[k] in ")]")
        if depth == 0:
            return k + 1
    return len(text)


def parts(text: str) -> list[str]:
    """Cut at the commas outside of parentheses."""
    list_, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            list_.append(text[start:i])
            start = i + 1
    return [*list_, text[start:]]


def joined(statement: str) -> bool:
    while (head := HEAD.match(statement)):
        statement = statement[closing(statement, head.end() - 1):] if head[0].endswith("(") else statement[head.end():]
    loop = re.match(r"\s*for\s*\(", statement)
    if loop:
        statement = statement[closing(statement, loop.end() - 1):]
    first, *others = parts(statement)
    if others and re.match(r"\s*return\b", first):
        return others[-1].strip() != "*this"  # an assignment operator may do so
    return bool(others) and bool(ASSIGNS.match(first)) and all(ASSIGNS.match(o) or re.match(r"\s*[\w.:>-]+\(", o) for o in others)


def errors(name: str, code: str) -> list[str]:
    code = blanked(code)
    return [f"{name}:{code.count(chr(10), 0, at + len(s) - len(s.lstrip())) + 1}: joined by a comma: {' '.join(s.split())[:90]}"
            for at, s in statements(code) if joined(s)]


PLANT = """void f(int a, int b) {
  int c = a, d = b;
  for (int i = 0, k = 1; i < k; ++i, --k) c = i;
  a = f(1, 2), b = 3;
  if (a > b) c += 1, d -= 1;
  ++a, ++b;
  return ++a, b;
  g({.x = 1, .y = 2}, [&] { a = 1, b = 2; });
}
"""
if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1])
    if "--plant" in sys.argv:
        print(*errors("plant.cpp", PLANT), sep="\n")
        sys.exit(1)
    files = [p for folder in FOLDERS for p in sorted((root / folder).rglob("*")) if p.suffix in ENDINGS]
    found = [e for p in files for e in errors(p.relative_to(root).as_posix(), p.read_text())]
    if len(files) < 500:
        found.append(f"only {len(files)} files: the search is broken")
    print(*found, sep="\n")
    print(f"{len(files)} files")
    sys.exit(1 if found else 0)
