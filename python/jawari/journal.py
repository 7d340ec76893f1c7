# SPDX-License-Identifier: MIT
"""The restart file of a sweep: an SQLite database with one row per finished point, each committed by itself.

Killed at any moment, it holds every point that was finished.  It knows what it belongs to: another problem, grid or
measure is refused instead of being mixed in.  Several processes share one file: each point is claimed before it is
computed, and the claims of a process that has ended are free again.
"""
from __future__ import annotations

import hashlib
import itertools
import json
import os
import socket
import sqlite3
import time
import uuid
from typing import Any, Callable, Iterable, Mapping, TypeVar

import numpy as np

from . import _core
from ._tables import InputError, refuse
from .fingerprint import fingerprint
from .packing import pack, unpack

__all__ = ["Journal"]

#: how long to wait for a file that another program has locked [s]
lock_patience_s = 30.0
#: claims are renewed this often [s], and free after so long without: of another machine, of a process that still exists
renew_s, lost_s, asleep_s = 5.0, 120.0, 600.0

_layout = "2"
_T = TypeVar("_T")


def _read(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def _machine() -> str:
    """This machine since it was started, as far as its processes have numbers in common."""
    try:
        numbers = os.readlink("/proc/self/ns/pid")
    except OSError:
        numbers = ""
    return f"{socket.gethostname()} {_read('/proc/sys/kernel/random/boot_id')} {numbers}"


def _born(pid: int) -> str:
    """When a process was started, "" where that is not known, "gone" if there is none."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return "gone"
    except OSError:
        pass
    fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    if fields and fields[0] in "ZX":
        return "gone"
    return fields[19] if len(fields) > 19 else ""


class Journal:
    """``path`` may be None: then nothing is kept and every point is free."""

    def __init__(self, path: str | os.PathLike | None, axes: Mapping[str, np.ndarray], problem: Any, measure: Callable,
                 options: Mapping[str, Any]) -> None:
        self._db: sqlite3.Connection | None = None
        self._seen: Any = None
        self._belongs = False
        if path is None:
            return
        self._path, self._patience_s = os.fspath(path), lock_patience_s
        self._about = lambda: {"jawari": _core.__version__, "grid": fingerprint({k: v.tolist() for k, v in axes.items()}, "grid"),
                               "problem": fingerprint(problem, "problem"), "measure": fingerprint(measure, "measure"),
                               "options": fingerprint(dict(options), "options")}
        mark = self._about()
        self._owner, self._machine, self._pid = uuid.uuid4().hex, _machine(), os.getpid()
        self._renewed = time.time()
        known = self._careful(lambda: self._open(mark))
        if json.dumps(mark) not in known:
            self.close()
            self._refuse_other(mark, known[0])
        self._belongs = True

    def _open(self, mark: dict) -> list[str]:
        if self._db is None:
            self._db = sqlite3.connect(self._path, timeout=0.2, isolation_level=None)
        self._db.execute("begin immediate")
        try:
            tables = {name for name, in self._db.execute("select name from sqlite_master where type = 'table'")}
            layout = self._db.execute("select version from layout").fetchone() if "layout" in tables else None
            if tables and layout != (_layout,):
                refuse("restart", f"restart is {self._path!r}, which is no restart file of this version; give another file or remove it",
                       repr(self._path), "be a restart file of this version")
            self._db.execute("create table if not exists layout (version text)")
            self._db.execute("create table if not exists about (mark text)")
            self._db.execute("create table if not exists points (number integer primary key, value blob, why text, sum text)")
            self._db.execute("create table if not exists claims (number integer primary key, owner text, machine text, pid integer, "
                             "born text, renewed real)")
            known = [m for m, in self._db.execute("select mark from about")]
            if not known:
                self._db.execute("insert into layout values (?)", (_layout,))
                self._db.execute("insert into about values (?)", (json.dumps(mark),))
                known = [json.dumps(mark)]
            self._db.execute("commit")
            return known
        except BaseException:
            self._roll_back()
            raise

    def _refuse_other(self, mark: dict, known: str) -> None:
        try:
            first = json.loads(known)
            other = [name for name in mark if first.get(name) != mark[name]]
        except (ValueError, AttributeError):
            other = []
        which = f" ({', '.join(other)} differ{'s' if len(other) == 1 else ''})" if other else ""
        refuse("restart", f"restart is {self._path!r}, which belongs to another problem, grid or measure{which}; "
               "give another file or remove it", repr(self._path), "belong to the same problem, grid and measure")

    def _careful(self, action: Callable[[], _T]) -> _T:
        """Does something with the file; waits while another program has it locked, and says what is wrong in a sentence."""
        end = time.monotonic() + self._patience_s
        while True:
            try:
                return action()
            except sqlite3.OperationalError as e:
                busy = "locked" in str(e) or "busy" in str(e)
                if busy and time.monotonic() < end:
                    time.sleep(0.05)
                    continue
                waited, self._patience_s = self._patience_s, 0.5  # what comes after need not wait as long again
                refuse("restart", f"restart is {self._path!r}, which another program has kept locked for {waited:g} s; end it, "
                       "or give another file" if busy else f"restart is {self._path!r}, which cannot be used: {e}",
                       repr(self._path), "be a restart file that no other program uses")
            except sqlite3.Error as e:
                refuse("restart", f"restart is {self._path!r}, which cannot be used: {e}; it is damaged or no restart file",
                       repr(self._path), "be a restart file that can be used")

    def _roll_back(self) -> None:
        if self._db is not None and self._db.in_transaction:
            self._db.execute("rollback")

    def _change(self, action: Callable[[sqlite3.Connection], _T]) -> _T:
        """All of it or nothing."""
        def whole() -> _T:
            assert self._db is not None
            self._db.execute("begin immediate")
            try:
                found = action(self._db)
                self._db.execute("commit")
                return found
            except BaseException:
                self._roll_back()
                raise
        return self._careful(whole)

    def finished(self, known: Iterable[int] = ()) -> dict[int, tuple[Any, str]]:
        """What is there and not known yet: number of the point -> value, why it failed."""
        if self._db is None:
            return {}
        db = self._db
        version = self._careful(lambda: db.execute("pragma data_version").fetchone())
        if version == self._seen:  # nothing but our own rows since
            return {}
        self._seen = version
        known = set(known)
        numbers = [n for n, in self._careful(lambda: db.execute("select number from points").fetchall()) if n not in known]
        return {n: self._row(db, n) for n in numbers}

    def _row(self, db: sqlite3.Connection, number: int) -> tuple[Any, str]:
        row = self._careful(lambda: db.execute("select value, why, sum from points where number = ?", (number,)).fetchone())
        try:
            value, why, total = row
            if total != _sum(number, value, why):
                raise ValueError("its checksum is wrong")
            return (None if value is None else unpack(value)), why
        except (ValueError, TypeError, LookupError, OverflowError, SyntaxError, MemoryError) as e:
            refuse("restart", f"restart is {self._path!r}, whose row {number} of the table points is damaged: {e}; delete that row "
                   f"(delete from points where number = {number}) and the point is computed again, or remove the file",
                   repr(self._path), "be an undamaged restart file")

    def claim(self, wanted: Iterable[int], most: int) -> list[int]:
        """Takes up to so many points that no other process computes or has finished."""
        if self._db is None or not wanted or most < 1:
            return list(itertools.islice(wanted, max(most, 0)))

        def take(db: sqlite3.Connection) -> list[int]:
            taken = self._living_claims(db)
            free: list[int] = []
            for n in wanted:
                if len(free) == most:
                    break
                if n not in taken and db.execute("select 1 from points where number = ?", (n,)).fetchone() is None:
                    free.append(n)
            now = time.time()
            db.executemany("insert or replace into claims values (?, ?, ?, ?, ?, ?)",
                           [(n, self._owner, self._machine, self._pid, _born(self._pid), now) for n in free])
            return free
        return self._change(take)

    def _living_claims(self, db: sqlite3.Connection) -> set[int]:
        """Claims of processes that are still at work; the others are taken away."""
        now = time.time()
        taken: set[int] = set()
        for owner, machine, pid, born, renewed in db.execute("select distinct owner, machine, pid, born, renewed from claims").fetchall():
            here = machine == self._machine
            ended = here and _born(pid) not in (born, "")
            if owner != self._owner and (ended or now - renewed > (asleep_s if here else lost_s)):
                db.execute("delete from claims where owner = ?", (owner,))
            else:
                taken.update(n for n, in db.execute("select number from claims where owner = ?", (owner,)))
        return taken

    def renew(self) -> None:
        """Says that this process is still at work; to be called often, does something now and then."""
        now = time.time()
        if self._db is not None and now - self._renewed > renew_s:
            self._renewed = now
            self._change(lambda db: db.execute("update claims set renewed = ? where owner = ?", (now, self._owner)))

    def keep(self, number: int, value: Any, why: str) -> None:
        """A finished point.  Refuses a value that could not be read back."""
        if self._db is None:
            return
        data = None if why else pack(value)

        def put(db: sqlite3.Connection) -> None:
            db.execute("insert or replace into points values (?, ?, ?, ?)", (number, data, why, _sum(number, data, why)))
            db.execute("delete from claims where number = ? and owner = ?", (number, self._owner))
        self._change(put)

    def close(self) -> None:
        if self._db is None:
            return
        try:
            if self._belongs:
                self._change(self._leave)
        except InputError:
            pass  # what is finished is kept; claims of a process that has ended are free
        finally:
            self._db.close()
            self._db = None

    def _leave(self, db: sqlite3.Connection) -> None:
        db.execute("delete from claims where owner = ?", (self._owner,))
        after = json.dumps(self._about())  # a measure that counts its calls is the same one afterwards
        if db.execute("select 1 from about where mark = ?", (after,)).fetchone() is None:
            db.execute("insert into about values (?)", (after,))


def _sum(number: int, value: bytes | None, why: str) -> str:
    return hashlib.sha256(repr((number, value, why)).encode()).hexdigest()[:16]
