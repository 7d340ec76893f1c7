# SPDX-License-Identifier: MIT
"""A progress bar on stderr, when that is a terminal; or whatever function the caller gives."""
from __future__ import annotations

import functools
import sys
import time
from typing import Any, Callable

__all__ = ["bar"]


def _hand_on(function: Callable[[float], Any], total: int, done: int | None) -> None:
    if done is not None:
        function(done / max(total, 1))


def bar(wish: bool | Callable[[float], Any] | None, total: int) -> Callable[[int | None], None]:
    """A function of the number done; None takes the bar away."""
    if callable(wish):
        return functools.partial(_hand_on, wish, total)
    if wish is False or (wish is None and not sys.stderr.isatty()):
        return lambda done: None
    start, last = time.monotonic(), [0.0]

    def draw(done: int | None) -> None:
        if done is None:
            sys.stderr.write("\r\x1b[K")
        elif time.monotonic() - last[0] > 0.1 or done == total:
            last[0] = time.monotonic()
            share = done / max(total, 1)
            left = (last[0] - start) * (1 - share) / share if share else 0
            sys.stderr.write(f"\r\x1b[K[{'=' * round(30 * share):<30}] {done}/{total}, {left:.0f} s left")
        sys.stderr.flush()

    return draw
