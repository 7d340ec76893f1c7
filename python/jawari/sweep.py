# SPDX-License-Identifier: MIT
"""Many runs at once: a grid of parameters over all cores, one array with named axes, restartable.

    sweep = jawari.sweep(scene, {"contact[0].law.stiffness": np.geomspace(1e6, 1e12, 13), "rate_hz": [44100, 88200]},
                         measure=lambda r: r.imbalance)
    sweep.values            # (13, 2)
"""
from __future__ import annotations

import contextlib
import itertools
import os
import time
from concurrent.futures import FIRST_COMPLETED, Executor, ThreadPoolExecutor, wait
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from . import _core
from ._tables import InputError, not_allowed, refuse
from .journal import Journal
from .progress import bar
from .run import simulate
from .scene import Scene

__all__ = ["Sweep", "sweep", "run_point", "last_peak"]


def last_peak(result) -> float:
    """Largest absolute value of the sound: what is measured where nothing else is asked for."""
    return float(np.abs(result.mix).max())


class Sweep:
    """Results over a grid, as one array with named axes.

    ``values`` has one axis per parameter, in the order of ``axes``, and then those of the measure itself; or is a dict of
    such arrays where the measure returns a dict.  NaN where a point failed (None where values are no numbers): its scene was
    refused, or its run did not reach the end; ``failures`` says why, by index.
    """

    def __init__(self, axes: dict[str, np.ndarray], values: Any, failures: dict[tuple[int, ...], str]) -> None:
        self.axes, self.values, self.failures = axes, values, failures

    @property
    def dims(self) -> tuple[str, ...]:
        """Names of the axes."""
        return tuple(self.axes)

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of points along every axis."""
        return tuple(len(v) for v in self.axes.values())

    def _pick(self, name: str | None) -> np.ndarray:
        if not isinstance(self.values, dict):
            return self.values
        if name is None:
            name = next(iter(self.values))
        return self.values[name]

    def sel(self, measure: str | None = None, **at: Any) -> np.ndarray:
        """The values where axes are nearest to what is given; paths with dots go in as ``**{"ball.mass_kg": 1.0}``."""
        index: list[int | slice] = [slice(None)] * len(self.axes)
        for name, value in at.items():
            if name not in self.axes:
                raise KeyError(f"there is no axis {name!r}; there are {', '.join(self.axes)}")
            grid = self.axes[name]
            numeric = np.issubdtype(grid.dtype, np.number)
            found = int(np.argmin(np.abs(grid - value))) if numeric else list(grid).index(value)
            index[self.dims.index(name)] = found
        return self._pick(measure)[tuple(index)]

    def to_dataframe(self):
        """One row per point, as a pandas DataFrame."""
        import pandas
        points = list(itertools.product(*self.axes.values()))
        frame = pandas.DataFrame(points, columns=list(self.axes))
        values = self.values if isinstance(self.values, dict) else {"value": self.values}
        for name, array in values.items():
            if array.ndim == len(self.axes):
                frame[name] = array.reshape(-1)
        return frame

    def plot(self, measure: str | None = None, *, log: bool = False, ax=None):
        """A curve over one axis, a map over two."""
        from .plot import _axes
        ax = _axes(ax)
        values = np.asarray(self._pick(measure), dtype=float)
        if values.ndim not in (1, 2) or values.ndim != len(self.axes):
            refuse("plot", f"plot got {len(self.axes)} axes and values of {values.ndim} dimensions, but draws one or two axes",
                   f"{len(self.axes)} axes", "have one or two axes and one value per point")
        names, grids = list(self.axes), [np.asarray(g) for g in self.axes.values()]

        def scale(which: str, grid: np.ndarray) -> np.ndarray:
            if not np.issubdtype(grid.dtype, np.number):
                ax.set(**{f"{which}ticks": range(len(grid)), f"{which}ticklabels": grid})
                return np.arange(len(grid))
            if len(grid) > 2 and np.all(grid > 0) and np.ptp(np.diff(grid)) > 1e-6 * np.ptp(grid):
                ax.set(**{f"{which}scale": "log"})
            return grid

        shown = np.log10(np.abs(values)) if log else values
        if values.ndim == 1:
            ax.plot(scale("x", grids[0]), shown, marker=".")
            ax.set(xlabel=names[0], ylabel=("log10 " if log else "") + (measure or "value"))
        else:
            mesh = ax.pcolormesh(scale("x", grids[0]), scale("y", grids[1]), shown.T, shading="nearest")
            ax.figure.colorbar(mesh, ax=ax, label=("log10 " if log else "") + (measure or "value"))
            ax.set(xlabel=names[0], ylabel=names[1])
        return ax

    def __repr__(self) -> str:
        kind = f"dict of {', '.join(self.values)}" if isinstance(self.values, dict) else f"array {self.values.shape}"
        return f"<Sweep over {' x '.join(f'{n} ({len(v)})' for n, v in self.axes.items())}: {kind}, {len(self.failures)} failed>"


def _as_array(value: Any) -> np.ndarray:
    try:
        return np.asarray(value)
    except ValueError:  # lists of different lengths
        whole = np.empty((), dtype=object)
        whole[()] = value
        return whole


def _as_arrays(value: Any) -> Any:
    return {k: _as_array(x) for k, x in value.items()} if isinstance(value, dict) else _as_array(value)


def _why_failed(result: Any) -> str:
    """Why half a run measures nothing: a solve did not settle, or a number was not finite.  Else empty."""
    if getattr(result, "failed", False) is not True:
        return ""
    said = getattr(result, "failure", "") or ""
    if not said:
        said = "; ".join(v.sentence for v in getattr(result, "verdicts", []) if v.severity == "failure")
    steps = getattr(result, "steps", 0)
    return f"the run failed after {steps} steps" + (f": {said}" if said else "")


def _at_draft(scene: Scene, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options for `simulate`, in draft quality unless they or the scene say another."""
    return {**options, "quality": options.get("quality") or scene.quality or "draft"}


def run_point(problem: Scene | Callable[..., Any], measure: Callable, point: Mapping[str, Any],
              options: Mapping[str, Any] | None = None, stop: Any = None) -> tuple[Any, str]:
    """One point of a sweep, pure: the measure and why it failed, if it did.  For executors of other processes too."""
    try:
        if isinstance(problem, Scene):
            scene = problem.copy()
            for path, value in point.items():
                scene.set(path, value)
        else:
            scene = problem(**point)
        value = simulate(scene, stop=stop, **_at_draft(scene, options or {})) if isinstance(scene, Scene) else scene
        if getattr(value, "stopped", False):  # half a run measures nothing
            raise InterruptedError("the sweep was ended")
        why = _why_failed(value)
        return (None, why) if why else (_as_arrays(measure(value)), "")
    except InputError as e:  # any other error is the caller's own
        return None, str(e)


def sweep(problem: Scene | Callable[..., Any], grid: Mapping[str, Sequence], *, measure: Callable = last_peak,
          workers: int | None = None, restart: str | os.PathLike | None = None, progress: bool | Callable | None = None,
          executor: Any = None, out: str | os.PathLike | None = None, **options: Any) -> Sweep:
    """Runs a problem at every point of a grid.

    Parameters
    ----------
    problem : Scene or function
        A scene, whose values at the paths of the grid are set (`Scene.set`); or a function of the parameters that
        returns a scene, or something ``measure`` understands.
    grid : dict of lists
        Values of every parameter.
    measure : function of a `Result`
        Returns a number, an array or a dict of them; also text, None, lists.
    workers : int
        Threads; all cores by default.  Runs give the GIL away.
    restart : path
        Finished points are kept in this file as they come, each one whole or not at all; a later call with the same
        problem, grid and measure goes on from there, and several processes with the same file share the work. Another
        problem, grid or measure is refused: code, closures, defaults, partials, objects and the globals they use are
        compared, not files they read.
    progress : bool or function
        A progress bar on stderr (by default on a terminal), or a function of the share that is done.
    executor : concurrent.futures.Executor
        Another place to run: processes, Dask, mpi4py.futures.  Problem and measure must then pickle.  With ``out`` also a
        Dask Client, a joblib.Parallel or an MPI communicator.
    out : path
        Results go to this zarr store, one chunk per point, which `open_store` opens as an `xarray.Dataset`; what is there
        is not played again.  The problem must be a scene, and what is measured numbers.
    **options
        For `simulate`: ``trace=False`` where the measure needs the sound only.  The quality is "draft" unless it is given here
        or in the scene.
    """
    if not isinstance(problem, Scene) and not callable(problem):
        not_allowed("problem", repr(problem), "be a Scene or a function that returns one")
    if not grid:
        not_allowed("grid", "empty", "give values for at least one parameter")
    axes = {}
    for name, values in grid.items():
        axes[name] = np.asarray(list(values))
        if axes[name].ndim != 1 or not len(axes[name]):
            refuse("grid", f"grid[{name!r}] must be a list of at least one value", repr(values), "be a list of at least one value")
    if isinstance(problem, Scene):
        for path in axes:
            try:
                problem.get(path)
            except KeyError as e:
                refuse("grid", f"grid names {path!r}, but {e.args[0]}", repr(path), "name parameters of the scene")
    if out is not None:
        return _into_store(problem, axes, measure, out, workers, executor, restart, progress, options)
    points = list(itertools.product(*[v.tolist() for v in axes.values()]))
    journal = Journal(restart, axes, problem, measure, options)
    found: dict[int, tuple[Any, str]] = {}
    ours = executor is None
    pool: Executor | None = None
    waiting: dict[Any, int] = {}
    stop = _core.Stop()
    tell = bar(progress, len(points))
    cores = workers or os.cpu_count() or 1
    ahead = cores if restart is not None else 4 * cores  # what is claimed is not there for others
    try:
        found.update(journal.finished())
        missing = {i: None for i in range(len(points)) if i not in found}
        tell(len(found))
        pool = ThreadPoolExecutor(cores) if executor is None else executor
        while len(found) < len(points):
            taken = journal.claim(missing, ahead - len(waiting))
            for i in taken:
                point = dict(zip(axes, points[i]))
                waiting[pool.submit(run_point, problem, measure, point, options, *([stop] if ours else []))] = i
                del missing[i]
            if not waiting:  # others compute what is left
                time.sleep(0.1)
            for future in wait(waiting, timeout=0.1, return_when=FIRST_COMPLETED).done:
                i = waiting.pop(future)
                found[i] = future.result()
                journal.keep(i, *found[i])
                tell(len(found))
            journal.renew()
            for i, row in journal.finished(found).items():
                found[i] = row
                missing.pop(i, None)
                tell(len(found))
    except BaseException:  # Ctrl-C, or an error of the caller's own function: what runs is ended, what is done is kept
        stop.set()
        for future in waiting:
            future.cancel()
        if ours and pool is not None:
            pool.shutdown(wait=True)
        for future, i in waiting.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                with contextlib.suppress(InputError):
                    journal.keep(i, *future.result())
        raise
    finally:
        if ours and pool is not None:
            pool.shutdown(wait=True)
        journal.close()
        tell(None)
    shape = tuple(len(v) for v in axes.values())
    failures = {tuple(int(k) for k in np.unravel_index(i, shape)): why for i, (_, why) in sorted(found.items()) if why}
    return Sweep(axes, _assemble(found, shape), failures)


def _into_store(problem: Any, axes: dict[str, np.ndarray], measure: Callable, out: Any, workers: int | None, executor: Any,
                restart: Any, progress: Any, options: Mapping[str, Any]) -> Sweep:
    from .dataset import run_plan, store_at
    from .plan import Plan
    if not isinstance(problem, Scene) or restart is not None or not os.fspath(out).endswith(".zarr"):
        not_allowed("out", repr(os.fspath(out)), "end in .zarr; the problem must be a scene, and restart is not needed")
    unknown = sorted(options.keys() - {"quality", "trace"})
    if unknown:
        refuse("out", f"out is {os.fspath(out)!r}, but {unknown[0]} is not served with a store", unknown[0], "be quality or trace")
    quality = _at_draft(problem, options)["quality"]
    plan = Plan(problem, "grid", axes, measure=measure, sound=False, trace=options.get("trace", True), quality=quality)
    store = run_plan(plan, out, workers=workers, executor=executor, progress=progress)
    kept = store_at(store.path)
    names = [n for n in kept.fields() if n not in ("status", "failure")]
    values: Any = {n: kept.read(n) for n in names}
    failures = {tuple(int(k) for k in np.unravel_index(i, plan.shape)): why for i, why in store.failures.items()}
    return Sweep(axes, values["value"] if names == ["value"] else values, failures)


def _assemble(found: Mapping[int, tuple[Any, str]], shape: tuple[int, ...]) -> Any:
    values = {i: v for i, (v, why) in sorted(found.items()) if not why}
    if values and all(isinstance(v, dict) for v in values.values()):
        keys = dict.fromkeys(k for v in values.values() for k in v)
        return {k: _join({i: v[k] for i, v in values.items() if k in v}, shape) for k in keys}
    return _join(values, shape)


def _join(values: Mapping[int, Any], shape: tuple[int, ...]) -> np.ndarray:
    """One array of all values; NaN where there is none.  What is not all numbers of one shape: an array of objects."""
    kinds = {v.dtype.kind if isinstance(v, np.ndarray) else "O" for v in values.values()}
    shapes = {v.shape if isinstance(v, np.ndarray) else () for v in values.values()}
    if len(shapes) > 1 or not kinds <= set("biufc"):
        out = np.full(shape, None, dtype=object)
        flat = out.reshape(-1)
        for i, v in values.items():
            flat[i] = v.item() if isinstance(v, np.ndarray) and v.ndim == 0 else v
        return out
    inner = next(iter(shapes), ())
    whole = np.full((int(np.prod(shape)), *inner), np.nan, dtype=complex if "c" in kinds else float)
    for i, v in values.items():
        whole[i] = v
    return whole.reshape(*shape, *inner)
