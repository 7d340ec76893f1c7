#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How the time of a batch grows on the processor: with strings, points, contacts and threads.  Prints the table of docs/guide/many.md.

    PYTHONPATH=build/release/python python3 bench/many.py

Times are CPU time of all threads of the process, the least of several: other programs beside it hardly change them.
"""
import sys
import time

import numpy as np

import jawari

seconds = 0.1


def scene(nodes: int, share: float) -> "jawari.Scene":
    """A string of so many points over a curved barrier below this share of it."""
    barrier = f"""
        [[barrier]]
        string = "string"
        shape = "parabola"
        height_m = -1e-5
        centre_m = {share / 2}
        curvature_1_m = 2e-3
        from_m = 0
        to_m = {share}
        law = {{ type = "power", stiffness_per_m = 5e6, exponent = 1.4 }}
        points_per_cell = 1
        scheme = "bounded"
        """ if share > 0 else ""
    return jawari.Scene.from_text(f"""
        rate_hz = 44100
        duration_s = {seconds}
        quality = "draft"
        [[string]]
        name = "string"
        length_m = 1
        tension_N = 100
        radius_m = 5e-4
        method = "grid"
        intervals = {nodes + 1}
        start = {{ shape = "pluck", position_m = 0.3, height_m = 1e-3 }}
        {barrier}
        [[pickup]]
        of = "string"
        quantity = "velocity"
        position_m = 0.77
        """)


def cpu_s(made: "jawari.Scene", strings: int, workers: int, times: int = 3) -> tuple[float, float]:
    """CPU seconds of a batch, and how many points touch in the mean."""
    batch = jawari.batch(made, {"string.start.height_m": np.linspace(1e-3, 2e-3, strings)})
    best = np.inf
    for _ in range(times):
        begin = time.process_time()
        played = batch.run(workers=workers)
        best = min(best, time.process_time() - begin)
    assert not played.failures, played.failures
    touching = played.counts["touching_steps"].sum() / (strings * seconds * 44100) if played.contacts else 0.0
    return best, float(touching)


def row(what: str, made: "jawari.Scene", strings: int, workers: int) -> None:
    used, touching = cpu_s(made, strings, workers)
    print(f"| {what} | {strings} | {workers} | {touching:.0f} | {1e3 * used:.0f} | {1e3 * used / strings:.1f} | {strings * seconds / used:.0f} |")
    sys.stdout.flush()


print("| what grows | strings | threads | points that touch | CPU ms | CPU ms per string | strings in real time per core |")
print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
for strings in (1, 8, 64, 256):
    row("strings", scene(200, 0.4), strings, 1)
for nodes in (50, 100, 200):
    row(f"points: {nodes}", scene(nodes, 0.4), 64, 1)
for share in (0.0, 0.2, 0.4, 0.8):
    row(f"contacts: barrier below {round(100 * share)} %", scene(200, share), 64, 1)
for workers in (1, 2, 4):
    row("threads", scene(200, 0.4), 64, workers)
