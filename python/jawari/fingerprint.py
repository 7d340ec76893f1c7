# SPDX-License-Identifier: MIT
"""A number for everything a function can see, so that a restart file knows whether it belongs to it.

Two functions get the same number only if code, names, defaults, closures, the globals they use (functions recursively),
partials and the state of objects are equal.  Modules of the standard library and installed packages count by name and
version; other modules by their code and by the values that are used of them.  What cannot be told from another thing of
its kind (a generator, an open file) is refused with a sentence that names it.  Not seen: files, the clock, the network.
"""
from __future__ import annotations

import builtins
import dis
import enum
import hashlib
import importlib
import importlib.metadata
import re
import sys
import sysconfig
import threading
import types
from typing import Any, Iterator

import numpy as np

from . import _core
from ._tables import InputError, Table, refuse

__all__ = ["fingerprint"]

_dynamic = {"eval", "exec", "compile", "globals", "vars", "__import__"}
_stateless = (type(threading.Lock()), type(threading.RLock()), _core.Stop)
_named = (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, types.MethodWrapperType,
          types.GetSetDescriptorType, types.MemberDescriptorType, types.ClassMethodDescriptorType, np.ufunc)
_places = tuple(p for p in {sysconfig.get_path(n) for n in ("stdlib", "platstdlib", "purelib", "platlib")} if p)


def fingerprint(thing: Any, called: str) -> str:
    """Hexadecimal digest of a thing; ``called`` is what an error calls it."""
    return _Walk(called).digest(thing).hex()


def _top(module: str) -> str:
    return module.partition(".")[0]


def _is_library(name: str) -> bool:
    """Whether a module comes from elsewhere: its version says what it does."""
    if _top(name) in {"jawari", "builtins", *sys.stdlib_module_names}:
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None:
        return name != "__main__" and name in sys.builtin_module_names
    return bool(re.search(r"[/\\](site|dist)-packages[/\\]", file)) or file.startswith(_places)


def _version(name: str) -> str:
    top = _top(name)
    if top == "jawari":
        return _core.__version__
    if top in sys.stdlib_module_names or top == "builtins":
        return ".".join(map(str, sys.version_info[:3]))
    said = getattr(sys.modules.get(top), "__version__", None)
    if said is None:
        try:
            said = importlib.metadata.version(top)
        except importlib.metadata.PackageNotFoundError:
            said = ""
    return str(said)


def _by_name(thing: Any) -> bool:
    """Whether it is what an installed module has under its name: functions of NumPy, compiled ones too."""
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None) or getattr(thing, "__name__", None)
    if not isinstance(module, str) or not isinstance(name, str) or module not in sys.modules or not _is_library(module):
        return False
    found: Any = sys.modules[module]
    for step in name.split("."):
        found = getattr(found, step, None)
    return found is thing


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


class _Walk:
    """Goes through a thing once; equal things met twice are computed once, cycles end where they began."""

    def __init__(self, called: str) -> None:
        self._where = [called]
        self._known: dict[Any, bytes] = {}
        self._open: dict[Any, int] = {}
        self._alive: list[Any] = []  # numbers of objects are theirs only while they live

    def digest(self, thing: Any, step: str = "", key: Any = None) -> bytes:
        if isinstance(thing, (type(None), type(Ellipsis), type(NotImplemented), bool, int, str, bytes, complex)) \
                and type(thing).__module__ == "builtins":
            return self._mark(type(thing).__name__, repr(thing).encode())
        if type(thing) is float:
            return self._mark("float", thing.hex().encode())
        key = (id(thing), key)
        if key in self._known:
            return self._known[key]
        if key in self._open:
            return self._mark("again", str(len(self._open) - self._open[key]).encode())
        self._open[key] = len(self._open)
        self._alive.append(thing)
        if step:
            self._where.append(step)
        try:
            names = key[1]
            found = self._module(thing, names) if names is not None else self._compound(thing)
        except RecursionError:
            refuse(self._where[0], f"{self._place()} is nested too deeply to be kept apart from another one", "", "be nested less deeply")
        finally:
            del self._open[key]
            if step:
                self._where.pop()
        self._known[key] = found
        return found

    @staticmethod
    def _mark(kind: str, *parts: bytes) -> bytes:
        out = hashlib.sha256(kind.encode())
        for part in parts:
            out.update(len(part).to_bytes(8, "little") + part)
        return out.digest()

    def _place(self) -> str:
        return self._where[0] + (f" uses {', '.join(self._where[1:])}, which" if len(self._where) > 1 else "")

    def _all(self, things: Any) -> list[bytes]:
        return [self.digest(t) for t in things]

    def _table(self, values: dict, what: str) -> bytes:
        """Named values, whatever their order."""
        return self._mark("table", *[part for name in sorted(values, key=str)
                                     for part in (str(name).encode(), self.digest(values[name], f"{what}{name}"))])

    def _compound(self, thing: Any) -> bytes:
        kind = type(thing)
        if isinstance(thing, Table):
            return self._scene(thing)
        if kind in (list, tuple):
            return self._mark(kind.__name__, *self._all(thing))
        if kind is dict:
            return self._mark("dict", *[d for k, v in thing.items() for d in (self.digest(k), self.digest(v, repr(k)[:40]))])
        if kind in (set, frozenset):
            return self._mark(kind.__name__, *sorted(self._all(thing)))
        if isinstance(thing, types.ModuleType):
            return self._module(thing, frozenset())
        if not isinstance(thing, type) and _by_name(thing):
            return self._mark("by name", self._name(thing))
        if isinstance(thing, types.FunctionType):
            return self._function(thing)
        if isinstance(thing, types.MethodType):
            return self._mark("method", self.digest(thing.__func__), self.digest(thing.__self__, "self"))
        if isinstance(thing, types.CodeType):
            return self._code(thing)
        if isinstance(thing, type):
            return self._class(thing)
        if isinstance(thing, _named):
            owner = getattr(thing, "__self__", None)
            own = b"" if owner is None or isinstance(owner, types.ModuleType) else self.digest(owner, "self")
            return self._mark("built in", self._name(thing), own)
        if isinstance(thing, (staticmethod, classmethod)):
            return self._mark(kind.__name__, self.digest(thing.__func__))
        if isinstance(thing, property):
            return self._mark("property", *self._all((thing.fget, thing.fset, thing.fdel)))
        if kind is np.ndarray and not thing.dtype.hasobject:
            return self._mark("array", str(thing.dtype.descr).encode(), str(thing.shape).encode(), np.ascontiguousarray(thing).tobytes())
        if isinstance(thing, enum.Enum):
            return self._mark("enum", self.digest(kind), thing.name.encode())
        if isinstance(thing, _stateless):
            return self._mark("stateless", self._name(kind))
        return self._object(thing)

    def _scene(self, table: Table) -> bytes:
        text = getattr(table, "text", None)
        if callable(text):
            try:
                return self._mark("scene", text().encode())  # files it names are written out
            except InputError:
                pass  # the grid may give what is missing
        return self._mark("part", type(table).__name__.encode(), self.digest(table.to_dict()))

    @staticmethod
    def _name(thing: Any) -> bytes:
        module = getattr(thing, "__module__", None) or getattr(getattr(thing, "__objclass__", None), "__module__", None) or ""
        name = getattr(thing, "__qualname__", None) or getattr(thing, "__name__", "")
        return f"{module}.{name} {_version(module) if module else ''}".encode()

    def _module(self, module: types.ModuleType, names: frozenset) -> bytes:
        name = module.__name__
        if _is_library(name):
            return self._mark("module", name.encode(), _version(name).encode())
        code = None
        try:
            with open(getattr(module, "__file__", None) or "", "rb") as file:  # its text as code: comments do not count
                code = compile(file.read(), name, "exec", dont_inherit=True)
        except (OSError, SyntaxError, ValueError):
            pass
        parts = [name.encode(), b"" if code is None else self._code(code), *self._used(vars(module), names, names)]
        return self._mark("own module", *parts)

    def _used(self, values: dict, wanted: frozenset, names: frozenset) -> list[bytes]:
        """What code uses of a module: the values under these names; of a module among them what it uses in turn."""
        parts = []
        for name in sorted(wanted & values.keys()):
            value = values[name]
            parts += [name.encode(), self.digest(value, name, names if isinstance(value, types.ModuleType) else None)]
        return parts

    def _function(self, f: types.FunctionType) -> bytes:
        names = frozenset(name for code in _codes(f.__code__) for name in code.co_names)
        parts = [self._code(f.__code__), self.digest(f.__defaults__), self._table(f.__kwdefaults__ or {}, "default "),
                 self._table(vars(f), "attribute ")]
        for name, cell in zip(f.__code__.co_freevars, f.__closure__ or ()):
            try:
                value = cell.cell_contents
            except ValueError:
                value = types.CellType  # empty
            parts.append(self.digest(value, name, names if isinstance(value, types.ModuleType) else None))
        return self._mark("function", *parts, *self._globals(f, names))

    def _globals(self, f: types.FunctionType, names: frozenset) -> list[bytes]:
        wanted, imported = set(), set()
        for code in _codes(f.__code__):
            level = 0
            for i in dis.get_instructions(code):
                if i.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                    wanted.add(i.argval)
                if i.opname == "IMPORT_NAME":
                    imported.add(("." * level) + i.argval)
                if i.opname == "LOAD_CONST" and isinstance(i.argval, int):
                    level = i.argval
        for name in sorted(names):
            if name == "import_module" or (name in _dynamic & wanted and name not in f.__globals__):
                refuse(self._where[0], f"{self._place()} calls {name}, so what it uses cannot be known; "
                       "write it without, or give no restart", name, "do without")
        parts = self._used(f.__globals__, frozenset(wanted), names)
        for name in sorted(wanted - f.__globals__.keys()):
            parts.append(f"{name} {'built in' if hasattr(builtins, name) else 'undefined'}".encode())
        for name in sorted(imported):
            try:
                module = importlib.import_module(name, f.__globals__.get("__package__"))
            except (ImportError, TypeError):
                parts.append(f"{name} missing".encode())
                continue
            parts.append(self.digest(module, name, names))
        return parts

    def _code(self, code: types.CodeType) -> bytes:
        numbers = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        constants = [self._code(c) if isinstance(c, types.CodeType) else self.digest(c) for c in code.co_consts]
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        return self._mark("code", repr(numbers).encode(), repr(names).encode(), code.co_code,
                          getattr(code, "co_exceptiontable", b""), *constants)

    def _class(self, cls: type) -> bytes:
        if _is_library(cls.__module__):
            return self._mark("class", self._name(cls))
        left_out = {"__dict__", "__weakref__", "__doc__", "__module__", "__annotations__", "__qualname__", "__firstlineno__",
                    "__static_attributes__", "__abstractmethods__", "_abc_impl"}
        own = {k: v for k, v in vars(cls).items() if k not in left_out}
        return self._mark("own class", cls.__name__.encode(), *self._all(cls.__bases__), self._table(own, f"{cls.__name__}."))

    def _object(self, thing: Any) -> bytes:
        """Any other object by its state, as copying or pickling would see it."""
        kind = type(thing)
        try:
            state = thing.__reduce_ex__(2)
        except InputError:
            raise
        except Exception:
            state = None
        if state is None:
            refuse(self._where[0], f"{self._place()} is a {kind.__module__}.{kind.__qualname__} and cannot be told from another "
                   "one of its kind; do without it, or give no restart",
                   f"{kind.__module__}.{kind.__qualname__}", "be what can be told from another one of its kind")
        wrapped = getattr(thing, "__wrapped__", None)
        inner = self.digest(wrapped) if wrapped is not None else b""
        if isinstance(state, str):  # a thing that is known by its name
            return self._mark("named", self.digest(kind), state.encode(), str(getattr(thing, "__module__", "")).encode(), inner)
        build, arguments, *rest = state
        rest = [list(r) if isinstance(r, Iterator) else r for r in rest[:4]]
        parts = [self.digest(kind), self.digest(build), self.digest(arguments), inner]
        for r in rest:
            parts.append(self._table(r, "its ") if isinstance(r, dict) and all(isinstance(k, str) for k in r) else self.digest(r))
        return self._mark("object", *parts)
