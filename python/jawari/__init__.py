# SPDX-License-Identifier: MIT
"""Collisions in musical acoustics, energy-stable and accurate.

Scenes (`Scene`, `Mass`, `String`, `Barrier`, `Contact`, ...) are plain data in SI units; `simulate`, `render`, `compare`
run them; `sweep` runs many; `jawari.exact` knows one impact in closed form; `reproduce` recomputes the papers.
"""
try:
    import numpy as _numpy  # noqa: F401
except ImportError:
    raise ImportError("jawari needs NumPy, which this Python does not have; install it (Debian: python3-numpy, and /usr/bin/python3)") from None
from . import exact, plot  # noqa: E402
from ._core import Stop, __version__
from ._tables import InputError
from .batch import Batch, BatchResult, batch
from .compare import Comparison, compare
from .dataset import Store, dataset, merge, open_store, run_plan
from .draws import choice, log_uniform, uniform
from .engine import Engine, Parameter
from .exact import Impact
from .instrument import ControlValue, Instrument, tuning
from .laws import *  # noqa: F403
from .laws import __all__ as _laws
from .measures import measures
from .plan import Plan
from .plan_file import load_plan
from .reproduce import Claim, Finding, experiments, reproduce
from .result import Result, Shape, Verdict
from .run import System, compile, render, simulate
from .scene import *  # noqa: F403
from .scene import __all__ as _scenes
from .scene import barrier_from
from .sweep import Sweep, run_point, sweep

__all__ = sorted({*_laws, *_scenes, "exact", "plot", "Stop", "InputError", "Comparison", "compare", "Engine", "Parameter", "Instrument", "ControlValue",
                  "tuning", "Impact", "Claim", "Finding",
                  "experiments", "reproduce", "Result", "Shape", "Verdict", "System", "compile", "render", "simulate",
                  "barrier_from", "Store", "Plan", "dataset", "merge", "open_store", "load_plan", "run_plan", "measures", "choice", "log_uniform",
                  "uniform", "Batch", "BatchResult", "batch", "Sweep", "run_point", "sweep", "__version__"} - {"law_from", "Part"})

_renamed = {"Refusal": "InputError", "Knob": "Parameter"}  # until version 0.3


def __getattr__(name: str):
    if name in _renamed:
        import warnings

        warnings.warn(f"jawari.{name} is called jawari.{_renamed[name]} now", DeprecationWarning, stacklevel=2)
        return globals()[_renamed[name]]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
