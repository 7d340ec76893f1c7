# SPDX-License-Identifier: MIT
"""The folder beside a store where what is not finished lies: files on their way, and which points are being played.

A file appears in the store when it is whole.  A process holds a lock on the byte of each point that it plays; the system
frees the locks of a process that ends, however it ends.  The folder is gone once the store is complete.
"""
from __future__ import annotations

import contextlib
import errno
import os
import shutil
import uuid
from typing import Iterable

try:
    import fcntl
except ImportError:  # Windows: processes that share a store may play a point twice, with the same result
    fcntl = None  # type: ignore[assignment]

__all__ = ["PartFolder"]


class PartFolder:
    def __init__(self, store: str) -> None:
        self.path = store.rstrip("/") + ".part"
        self._file: int | None = None
        self._held: set[int] = set()

    def make(self) -> None:
        os.makedirs(self.path, exist_ok=True)

    def temporary(self) -> str:
        """A path of its own."""
        self.make()
        return os.path.join(self.path, uuid.uuid4().hex)

    def write(self, path: str, content: bytes) -> None:
        """A file that appears when it is whole and on the disk."""
        temporary = self.temporary()
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)

    def claim(self, wanted: Iterable[int], most: int) -> list[int]:
        """Up to so many points that no other process plays."""
        claimed: list[int] = []
        for i in wanted:
            if len(claimed) >= most:
                break
            if i not in self._held and self._lock(i):
                self._held.add(i)
                claimed.append(i)
        return claimed

    def _lock(self, i: int) -> bool:
        if fcntl is None:
            return True
        if self._file is None:
            self.make()
            self._file = os.open(os.path.join(self.path, "claims"), os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, i)
        except OSError as e:
            return e.errno not in (errno.EAGAIN, errno.EACCES)  # a file system without locks: play it
        return True

    def free(self, i: int) -> None:
        self._held.discard(i)
        if fcntl is not None and self._file is not None:
            with contextlib.suppress(OSError):
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, i)

    def close(self) -> None:
        self._held.clear()
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def remove(self) -> None:
        """Once nothing is missing."""
        self.close()
        shutil.rmtree(self.path, ignore_errors=True)
