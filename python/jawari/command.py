# SPDX-License-Identifier: MIT
"""`python3 -m jawari sweep PLAN` and `python3 -m jawari merge STORE`: plans from files, for job arrays and workflows.

    python3 -m jawari sweep plan.toml                    plays what is missing of a plan
    python3 -m jawari sweep plan.toml --shard 3/200      the third of 200 parts, as one job of an array
    python3 -m jawari sweep plan.toml --device cuda      on a GPU
    python3 -m jawari sweep plan.toml --check            says what it would play
    python3 -m jawari merge plane.zarr --shards 200      says which parts are missing
    python3 -m jawari merge plane.zarr part/*.zarr       brings stores of one plan together
"""
from __future__ import annotations

import argparse
import sys

from ._tables import InputError
from .dataset import merge, run_plan
from .plan_file import load_plan

__all__ = ["main", "commands"]

commands = ("sweep", "merge")


def _sweep(options: argparse.Namespace) -> int:
    plan, store = load_plan(options.plan, device=options.device)
    store = options.store or store
    if options.check:
        _, why, _ = plan.play(0)
        if why:
            print(f"jawari: {options.plan}: the first run fails: {why}", file=sys.stderr)
            return 2
        print(f"{plan.points} runs of {' x '.join(f'{p} ({len(v)})' for p, v in plan.parameters.items())} into {store}")
        return 0
    done = run_plan(plan, store, workers=options.workers, shard=options.shard, progress=False if options.quiet else None)
    _say(done, options.shard)
    return 0


def _say(done, shard) -> None:
    failures = done.failures
    for run, why in list(failures.items())[:10]:
        print(f"run {run}: {why}", file=sys.stderr)
    if len(failures) > 10:
        print(f"and {len(failures) - 10} others", file=sys.stderr)
    state = "complete" if done.complete else f"{len(done.missing)} missing"
    print(f"{done.path}: {done.points} runs, {len(failures)} failed, {state}" + (f"; this was shard {shard}" if shard else ""))


def _merge(options: argparse.Namespace) -> int:
    done, shards = merge(options.store, options.parts, shards=options.shards)
    if done.complete:
        print(f"{done.path}: {done.points} runs, complete")
        return 0
    print(f"{done.path}: {done.points} runs, {len(done.missing)} missing" + (f"; shards {', '.join(shards)}" if shards else
          f", the first ones {', '.join(map(str, done.missing[:10]))}"), file=sys.stderr)
    return 1


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="jawari")
    kinds = parser.add_subparsers(required=True)
    one = kinds.add_parser("sweep", help="plays the runs of a plan into a store")
    one.add_argument("plan", help="plan file, .toml")
    one.add_argument("--shard", help="which part of how many, such as 3/200")
    one.add_argument("--store", help="another store than the plan says")
    one.add_argument("--device", choices=("cpu", "cuda"), help="plays runs in batches on a device, instead of what the plan says")
    one.add_argument("--workers", type=int, help="threads; by default one per core")
    one.add_argument("--check", action="store_true", help="plays one run and says what there would be")
    one.add_argument("-q", "--quiet", action="store_true", help="no progress bar")
    one.set_defaults(action=_sweep)
    one = kinds.add_parser("merge", help="brings stores of one plan together and says what is missing")
    one.add_argument("store", help="store, .zarr or .tar")
    one.add_argument("parts", nargs="*", help="stores whose runs are copied into it")
    one.add_argument("--shards", type=int, help="names the missing ones of so many")
    one.set_defaults(action=_merge)
    options = parser.parse_args(words)
    try:
        return options.action(options)
    except InputError as e:
        print(f"jawari: {e}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("jawari: ended; the same command goes on", file=sys.stderr)
        return 130
