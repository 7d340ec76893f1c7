# SPDX-License-Identifier: MIT
"""python -m jawari is the command line: sweeps here, all else the same program in this process's place."""
import os
import sys


def main() -> None:
    from .command import commands
    from .command import main as many
    if len(sys.argv) > 1 and sys.argv[1] in commands:
        sys.exit(many(sys.argv[1:]))
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "jawari")
    if not os.access(program, os.X_OK):
        sys.exit(f"jawari: the command line was not built with this package; {program} is missing")
    os.execv(program, ["jawari", *sys.argv[1:]])


if __name__ == "__main__":
    main()
