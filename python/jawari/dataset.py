# SPDX-License-Identifier: MIT
"""Hours of labelled sound in a store: every run with its parameters, what was measured, seed and provenance.

    jawari.dataset(scene, {"string.start.height_m": jawari.uniform(1e-3, 4e-3),
                           "barrier[0].law.stiffness_per_m": jawari.log_uniform(1e6, 1e9)},
                   "notes.zarr", count=10000, seed=1)

Whatever ends a process, kill -9 included, costs the runs that it was playing; the same call goes on.  The store is the
same bytes for every number of workers.
"""
from __future__ import annotations

import os
import time
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from . import _core
from ._tables import not_allowed, refuse
from .executors import Workers, ranks_of, together
from .plan import Plan, Recipe
from .progress import bar
from .scene import Scene
from .tar_store import TarStore
from .zarr_store import ZarrStore

__all__ = ["Store", "dataset", "run_plan", "merge", "open_store"]


def store_at(path: str | os.PathLike, per_shard: int | None = None) -> Any:
    """per_shard: runs of a .tar file; by default those that the store was begun with."""
    path = os.fspath(path)
    return TarStore(path, per_shard) if path.endswith(".tar") else ZarrStore(path)


class Store:
    """What `dataset` and `run_plan` return: where the results are, and what is missing."""

    def __init__(self, path: str, points: int, missing: Sequence[int]) -> None:
        self.path, self.points, self.missing = path, points, list(missing)

    @property
    def complete(self) -> bool:
        """Whether every run was played or refused."""
        return not self.missing

    @property
    def failures(self) -> dict[int, str]:
        """Why runs have left nothing, by their number."""
        return store_at(self.path).failures()

    def read(self, name: str) -> np.ndarray:
        """A whole array of a zarr store; NaN where there is nothing."""
        return ZarrStore(self.path).read(name)

    def open(self) -> Any:
        """As an `xarray.Dataset`, with coordinates and units; arrays are read when they are used."""
        return open_store(self.path)

    def __repr__(self) -> str:
        state = "complete" if self.complete else f"{len(self.missing)} missing"
        return f"<Store {self.path!r}: {self.points} runs, {state}>"


def open_store(path: str | os.PathLike) -> Any:
    """A zarr store of runs as an `xarray.Dataset`."""
    import xarray
    return xarray.open_zarr(os.fspath(path), consolidated=True, mask_and_scale=False)


def _play_point(recipe: Recipe, path: str, per_shard: int, point: int, parameters: Mapping[str, Any], stop: Any = None) -> None:
    """Plays a run and puts it into its store, which is there; in whatever process."""
    values, why, _ = recipe.play(parameters, stop)
    store_at(path, per_shard).put(point, values, why, parameters)


def _create(plan: Plan, store: Any) -> None:
    """What the arrays are like is known from the first run that succeeds: for all processes the same one."""
    why = ""
    for point in range(plan.points):
        values, why, names = plan.play(point)
        if values is not None:
            store.create(plan.layout(values, names))
            store.put(point, values, why, plan.values(point))
            return
    refuse("parameters", f"none of the {plan.points} runs could be played; the last one: {why}", "", "give at least one run that can be played")


def _share(shard: Any) -> tuple[int, int]:
    """Which part of how many, from 0: "3/200" is the third of 200."""
    if shard is None:
        return 0, 1
    try:
        part, of = (int(v) for v in (shard.split("/") if isinstance(shard, str) else shard))
        if 1 <= part <= of:
            return part - 1, of
    except (TypeError, ValueError):
        pass
    not_allowed("shard", repr(shard), "be such as '3/200', from 1/200 to 200/200")


def run_plan(plan: Plan, out: str | os.PathLike, *, workers: int | None = None, executor: Any = None, shard: Any = None,
             per_shard: int = 1000, progress: bool | Callable | None = None) -> Store:
    """Plays what is missing of a plan into its store; see `dataset`."""
    path = os.path.abspath(os.fspath(out)).rstrip("/")
    store = store_at(path, per_shard)
    part, parts = _share(shard)
    ranks = ranks_of(executor)
    if plan.device is not None and executor is not None and ranks is None:
        refuse("executor", f"executor is {executor!r}, but with a device it must be an MPI communicator or none",
               repr(executor), "be an MPI communicator or none where there is a device")
    if ranks is not None:
        part, parts = part + parts * ranks[0], parts * ranks[1]
    wanted = {i: None for i in range(part, plan.points, parts)}
    together(executor, _play_share, plan, path, per_shard, store, wanted, executor, workers, progress)
    missing = together(executor, lambda: sorted(set(range(plan.points)) - store.done()))
    if not missing:
        together(executor, lambda: store.finish() if ranks is None or ranks[0] == 0 else None)
    return Store(path, plan.points, missing)


def _play_share(plan: Plan, path: str, per_shard: int, store: Any, wanted: dict[int, None], executor: Any, workers: int | None,
                progress: bool | Callable | None) -> None:
    """What one process has to do; another one may play some of it first."""
    if store.exists() and store.attributes()["plan_sha256"] != plan.identity:
        refuse("out", f"out is {path!r}, which holds the runs of another plan; give another path or remove it",
               repr(path), "be a new path, or a store of the same plan")
    if not store.exists():
        _create(plan, store)
    pool = Workers(executor, workers)
    stop = _core.Stop()
    tell = bar(progress, len(wanted))
    try:
        if plan.device is not None:
            _play_batches(plan, store, wanted, stop, tell)
        else:
            _play_missing(plan, path, per_shard, store, wanted, pool, stop if pool.ours else None, tell)
    except BaseException:
        stop.set()
        pool.cancel()
        raise
    finally:
        pool.close()
        store.part.close()
        tell(None)


def _play_missing(plan: Plan, path: str, per_shard: int, store: Any, wanted: dict[int, None], pool: Workers, stop: Any,
                  tell: Callable) -> None:
    missing, looked = dict(wanted), 0.0
    while missing or pool.waiting:
        if time.monotonic() - looked > 1 or not pool.waiting:  # what others have done since
            looked = time.monotonic()
            for i in store.done() & missing.keys():
                del missing[i]
            tell(len(wanted) - len(missing) - len(pool.waiting))
        claimed = store.part.claim(missing, pool.free)
        for i in claimed:
            del missing[i]
            if store.has(i):  # another process has just put it there
                store.part.free(i)
            else:
                pool.submit(i, _play_point, plan.recipe, path, per_shard, i, plan.values(i), *([stop] if stop is not None else []))
        for i, _ in pool.results(0.1):
            store.part.free(i)
            tell(len(wanted) - len(missing) - len(pool.waiting))
        if missing and not claimed and not pool.waiting:  # others play what is left
            time.sleep(0.1)


def _play_batches(plan: Plan, store: Any, wanted: dict[int, None], stop: Any, tell: Callable) -> None:
    missing = dict(wanted)
    while missing:
        for i in store.done() & missing.keys():  # what others have done since
            del missing[i]
        tell(len(wanted) - len(missing))
        claimed = store.part.claim(missing, plan.at_once)
        points = [i for i in claimed if not store.has(i)]
        for point, (values, why, _) in zip(points, plan.play_together(points, stop) if points else []):
            store.put(point, values, why, plan.values(point))
        for i in claimed:
            del missing[i]
            store.part.free(i)
        if missing and not claimed:  # others play what is left
            time.sleep(0.1)


def dataset(scene: Scene, parameters: Mapping[str, Any], out: str | os.PathLike, *, count: int | None = None, seed: int = 0,
            measures: Sequence[str] = (), sound: bool = True, sound_type: str = "float32", quality: str | None = None,
            device: str | None = None, kernels: str = "exact", workers: int | None = None, executor: Any = None, shard: Any = None,
            per_shard: int = 1000, progress: bool | Callable | None = None) -> Store:
    """Plays a scene many times with other values and keeps sound and labels in a store.

    Several processes may make the same call at once and share the work.

    Parameters
    ----------
    scene : Scene
        What is played; its values at the paths of the parameters are set (`Scene.set`).
    parameters : dict
        For every path how values are drawn: `uniform`, `log_uniform`, `choice`; or a list, a value for each run.
    out : path
        ``name.zarr``: a zarr store, one chunk per run, which zarr and xarray read (`open_store`).  ``name.tar``: files
        ``name-000000.tar`` and so on with a .wav and a .json per run, as WebDataset takes them.
    count : int
        Number of runs; by default as many as there are values in a list.
    seed : int
        Of what is drawn: of run i the same for every count.
    measures : list of str
        Labels beside the parameters, by name: "impacts", "largest_force_N", ...; see ``jawari.measures``.
    quality : str
        As for `simulate`; "standard" by default.
    device, kernels : str
        "cpu" or "cuda": runs are played in batches, as `Batch.run` does.  "peak" and "rms" are then those of the samples that
        are kept, not of the time steps.  With "exact" kernels the store is the same bytes for both devices; with one of
        "ledger", "imbalance", "lost_J", which are sums in another order there, or with other kernels it is of one device.
    workers, executor
        Threads of this process, by default one per core; or an executor of concurrent.futures, a Dask Client, a
        joblib.Parallel, an MPI communicator, each of whose ranks makes the call.  All must see the folder of ``out``.
    shard : str
        "3/200": every 200th run, from the third on; for job arrays.  `merge` says which shards are missing.
    per_shard : int
        Runs in a .tar file.
    """
    if not isinstance(scene, Scene):
        not_allowed("scene", repr(scene), "be a Scene")
    if count is None:
        lengths = [len(v) for v in parameters.values() if hasattr(v, "__len__")]
        if not lengths:
            refuse("count", "count is missing: it says how many runs there are", "", "say how many runs there are")
        count = lengths[0]
    if isinstance(count, bool) or int(count) != count or count < 1:
        not_allowed("count", repr(count), "be a whole number, at least 1")
    plan = Plan.samples(scene, parameters, int(count), int(seed), kept=tuple(measures), sound=sound, sound_type=sound_type, quality=quality,
                        device=device, kernels=kernels, workers=workers)
    return run_plan(plan, out, workers=workers, executor=executor, shard=shard, per_shard=per_shard, progress=progress)


def merge(out: str | os.PathLike, sources: Sequence[str | os.PathLike] = (), *, shards: int | None = None) -> tuple[Store, list[str]]:
    """Brings the runs of stores of one plan together, and says which shards are missing.

    Without ``sources`` it only looks: shards of a job array usually write to one store.
    """
    target = store_at(out)
    for source in map(store_at, sources):
        if type(source) is not type(target):
            refuse("merge", f"merge got {source.path!r} and {target.path!r}, but all stores must be .zarr, or all .tar",
                   repr(source.path), "be stores of one kind")
        about = source.attributes()
        if not target.exists():
            target.create_like(source)
        if about["plan_sha256"] != target.attributes()["plan_sha256"]:
            refuse("merge", f"merge got {source.path!r}, which holds the runs of another plan than {target.path!r}",
                   repr(source.path), "hold runs of the same plan")
        target.copy_points(source, sorted(source.done() - target.done()))
    points = int(target.attributes()["points"])
    missing = sorted(set(range(points)) - target.done())
    if not missing:
        target.finish()
    names = sorted({i % shards for i in missing}) if shards else []
    return Store(target.path, points, missing), [f"{part + 1}/{shards}" for part in names]
