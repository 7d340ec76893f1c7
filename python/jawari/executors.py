# SPDX-License-Identifier: MIT
"""Where many runs are played: threads, and whatever else there is to hand work to.

Understood are executors of concurrent.futures (processes, mpi4py.futures, ...), a Dask Client, a joblib.Parallel, and an
MPI communicator, each rank of which makes the same call and plays its share.
"""
from __future__ import annotations

import contextlib
import os
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, Callable, Iterator

from ._tables import not_allowed

__all__ = ["Workers", "ranks_of", "together"]


def ranks_of(executor: Any) -> tuple[int, int] | None:
    """Rank and size of an MPI communicator."""
    if hasattr(executor, "Get_rank") and hasattr(executor, "Get_size"):
        return int(executor.Get_rank()), int(executor.Get_size())
    return None


def together(executor: Any, action: Callable, *arguments: Any) -> Any:
    """What an action returns.  Of an MPI communicator all ranks wait for one another, and an error of one ends them all."""
    if ranks_of(executor) is None:
        return action(*arguments)
    error, value = None, None
    try:
        value = action(*arguments)
    except Exception as e:
        error = e
    told = executor.allgather("" if error is None else f"{type(error).__name__}: {error}")
    if error is not None:
        raise error
    for rank, text in enumerate(told):
        if text:
            raise RuntimeError(f"rank {rank} has failed: {text}")
    return value


class _Joblib(Executor):
    """joblib takes a list at a time: calls wait until there are enough, or until results are asked for."""

    def __init__(self, parallel: Any) -> None:
        self._parallel, self._calls = parallel, []  # type: ignore[var-annotated]

    def submit(self, fn: Callable, /, *args: Any, **kwargs: Any) -> Future:
        future: Future = Future()
        self._calls.append((future, fn, args, kwargs))
        return future

    def flush(self) -> None:
        import joblib
        calls, self._calls = self._calls, []
        if calls:
            for (future, *_), value in zip(calls, self._parallel(joblib.delayed(f)(*a, **k) for _, f, a, k in calls)):
                future.set_result(value)


class Workers:
    """A number of calls at a time; results as they come."""

    def __init__(self, executor: Any, workers: int | None) -> None:
        self.ours = executor is None or ranks_of(executor) is not None
        if self.ours:
            self.count = workers or (1 if executor is not None else os.cpu_count() or 1)
            self._pool: Any = ThreadPoolExecutor(self.count)
        elif hasattr(executor, "get_executor"):  # a Dask Client
            self._pool = executor.get_executor()
            self.count = workers or max(1, sum(executor.nthreads().values()))
        elif type(executor).__module__.partition(".")[0] == "joblib":
            self._pool = _Joblib(executor)
            self.count = workers or 4 * max(1, int(getattr(executor, "n_jobs", 1) or 1), os.cpu_count() or 1)
        elif hasattr(executor, "submit"):
            self._pool = executor
            self.count = workers or int(getattr(executor, "_max_workers", 0) or os.cpu_count() or 1)
        else:
            not_allowed("executor", repr(executor), "be an executor of concurrent.futures, a Dask Client, a joblib.Parallel or an MPI communicator")
        self._waiting: dict[Future, Any] = {}

    @property
    def free(self) -> int:
        """How many more calls may wait."""
        return max(0, 2 * self.count - len(self._waiting))

    @property
    def waiting(self) -> list[Any]:
        return list(self._waiting.values())

    def submit(self, key: Any, function: Callable, *arguments: Any) -> None:
        self._waiting[self._pool.submit(function, *arguments)] = key

    def results(self, timeout_s: float) -> Iterator[tuple[Any, Any]]:
        """Keys and values of the calls that have ended."""
        if isinstance(self._pool, _Joblib):
            self._pool.flush()
        for future in wait(self._waiting, timeout=timeout_s, return_when=FIRST_COMPLETED).done:
            yield self._waiting.pop(future), future.result()

    def cancel(self) -> None:
        for future in self._waiting:
            with contextlib.suppress(Exception):
                future.cancel()
        self._waiting.clear()

    def close(self) -> None:
        if self.ours:
            self._pool.shutdown(wait=True)
