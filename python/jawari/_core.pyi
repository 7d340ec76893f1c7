# SPDX-License-Identifier: MIT
# The compiled part.  What people use is in the modules beside it.
from typing import Any

__version__: str
kernel_names: tuple[str, ...]

class InputError(ValueError):
    path: str
    value: str
    allowed: str
    file: str
    line: int
    sentence: str
    field: str

class Stop:
    def set(self) -> None: ...

def __getattr__(name: str) -> Any: ...
