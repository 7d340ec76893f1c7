# SPDX-License-Identifier: MIT
"""python -m jawari is the command line: the same program, in this process's place."""
import os
import sys


def main() -> None:
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "jawari")
    if not os.access(program, os.X_OK):
        sys.exit(f"jawari: the command line was not built with this package; {program} is missing")
    os.execv(program, ["jawari", *sys.argv[1:]])


if __name__ == "__main__":
    main()
