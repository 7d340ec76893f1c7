# SPDX-License-Identifier: MIT
"""Many runs: equal to single runs, restartable, in threads, processes and other people's executors."""
import concurrent.futures
import contextlib
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import jawari
from conftest import needed, package, timed


def deepest(result):
    return result.contacts[0]["deepest_m"]


def several(result):
    return {"force": result.contacts[0]["largest_force_N"], "end": result.trace[:2, -1]}


grid = {"contact[0].law.stiffness": np.geomspace(1e7, 1e10, 4), "ball.velocity_m_s": [5.0, 20.0, 40.0]}


@pytest.fixture
def quick(ball):
    ball.duration_s = 0.2
    ball.masses[0].position_m = 0.0
    return ball


def test_values_are_those_of_single_runs(quick):
    s = jawari.sweep(quick, grid, measure=deepest)
    assert s.dims == tuple(grid) and s.values.shape == s.shape == (4, 3) and not s.failures
    for i, K in enumerate(grid["contact[0].law.stiffness"]):
        for j, v in enumerate(grid["ball.velocity_m_s"]):
            one = quick.copy().set("contact[0].law.stiffness", K).set("ball.velocity_m_s", v).simulate()
            assert s.values[i, j] == deepest(one)
    assert s.sel(**{"ball.velocity_m_s": 21.0}).tolist() == s.values[:, 1].tolist()
    assert quick.get("ball.velocity_m_s") == 20.0  # the problem is as it was


def test_measures_of_many_numbers_and_functions_as_problems(quick):
    def problem(K, scheme):
        return quick.copy().set("contact[0].law.stiffness", K).use_scheme(scheme)

    s = jawari.sweep(problem, {"K": [1e8, 1e9], "scheme": ["two-point", "secant-2", "three-point"]}, measure=several, workers=2)
    assert s.values["force"].shape == (2, 3) and s.values["end"].shape == (2, 3, 2)
    assert np.all(np.isfinite(s.values["end"]))
    package("pandas")
    frame = s.to_dataframe()
    assert len(frame) == 6 and set(frame.columns) == {"K", "scheme", "force"}


def test_points_that_are_refused_are_failures_not_errors(quick):
    s = jawari.sweep(quick, {"contact[0].law.exponent": [1.3, 0.5, 2.0]}, measure=deepest)
    assert np.isnan(s.values[1]) and np.isfinite(s.values[[0, 2]]).all()
    assert "law.exponent is 0.5" in s.failures[(1,)]
    with pytest.raises(TypeError):  # an error of the caller's own function is an error
        jawari.sweep(quick, {"rate_hz": [44100]}, measure=lambda r: None + 1)
    with pytest.raises(ValueError, match="grid names 'ball.weight'"):
        jawari.sweep(quick, {"ball.weight": [1.0]})
    for bad in ({}, {"rate_hz": []}, {"rate_hz": [[1.0]]}):
        with pytest.raises(ValueError, match="grid"):
            jawari.sweep(quick, bad)
    with pytest.raises(ValueError, match="problem"):
        jawari.sweep(3, {"x": [1]})


def test_a_restart_keeps_what_is_finished(quick, tmp_path):
    calls = []

    def measure(result):
        calls.append(1)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return deepest(result)

    file = tmp_path / "plane.sweep"
    with pytest.raises(KeyboardInterrupt):
        jawari.sweep(quick, grid, measure=measure, workers=1, restart=file)
    s = jawari.sweep(quick, grid, measure=measure, workers=1, restart=file)
    assert len(calls) == 13  # what was finished was not run again: the interrupted one alone
    assert np.array_equal(s.values, jawari.sweep(quick, grid, measure=deepest).values)
    before = len(calls)
    jawari.sweep(quick, grid, measure=measure, workers=1, restart=file)
    assert len(calls) == before
    with pytest.raises(ValueError, match="another problem"):
        jawari.sweep(quick, {**grid, "ball.velocity_m_s": [1.0]}, measure=measure, restart=file)
    (tmp_path / "no.sweep").write_text("this is no database " * 100)
    with pytest.raises(ValueError, match="restart"):
        jawari.sweep(quick, grid, measure=deepest, restart=tmp_path / "no.sweep")


def test_killed_without_warning_it_still_has_the_finished_points(scenes, tmp_path):
    file = tmp_path / "killed.sweep"
    program = textwrap.dedent(f"""
        import jawari, sys
        scene = jawari.load({str(scenes / 'bridge.toml')!r})
        scene.duration_s = 0.05
        def note(share): print(share, flush=True)
        s = jawari.sweep(scene, {{"string.start.height_m": [1e-3 + 1e-5 * i for i in range(int(sys.argv[1]))]}},
                         restart={str(file)!r}, progress=note, trace=False)
        print("sum", repr(float(s.values.sum())))
        """)
    child = subprocess.Popen([sys.executable, "-c", program, "60"], stdout=subprocess.PIPE, text=True)
    while float(child.stdout.readline()) < 0.2:
        pass
    child.send_signal(signal.SIGKILL)
    child.wait()
    out = subprocess.run([sys.executable, "-c", program, "60"], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    assert float(out[0]) >= 0.2 - 1e-9  # what was finished is there at once
    file.unlink()
    fresh = subprocess.run([sys.executable, "-c", program, "60"], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    assert out[-2] == fresh[-2] and fresh[-2].startswith("sum")


def test_in_other_processes(quick):
    expected = jawari.sweep(quick, grid, measure=deepest).values
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        assert np.array_equal(jawari.sweep(quick, grid, measure=deepest, executor=pool).values, expected)


def test_with_joblib(quick):
    joblib = package("joblib")
    scenes = [quick.copy().set("ball.velocity_m_s", v) for v in (5.0, 20.0)]
    results = joblib.Parallel(n_jobs=2)(joblib.delayed(jawari.simulate)(s) for s in scenes)
    assert [deepest(r) for r in results] == [deepest(s.simulate()) for s in scenes]


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")
@timed
def test_two_workers_are_faster_than_one(bridge, faster):
    bridge.duration_s = 0.4
    points = {"string.start.height_m": np.linspace(1e-3, 3e-3, 8)}
    faster(lambda: jawari.sweep(bridge, points, workers=1, trace=False), lambda: jawari.sweep(bridge, points, workers=2, trace=False))


def test_progress_bar(quick, capsys):
    jawari.sweep(quick, {"rate_hz": [44100, 48000]}, progress=True)
    assert "2/2" in capsys.readouterr().err


def test_with_dask(quick):
    dask = package("dask")
    scenes = [quick.copy().set("ball.velocity_m_s", v) for v in (5.0, 20.0)]
    runs = [dask.delayed(jawari.simulate)(s) for s in scenes]
    for scheduler in ("threads", "processes"):
        assert [deepest(r) for r in dask.compute(*runs, scheduler=scheduler)] == [deepest(s.simulate()) for s in scenes]


def test_with_mpi(quick, tmp_path):
    package("mpi4py")
    mpirun = needed(shutil.which("mpirun"), "mpirun")
    quick.save(tmp_path / "ball.toml")
    program = textwrap.dedent("""
        import sys, jawari
        from mpi4py.futures import MPICommExecutor
        def deepest(result): return result.contacts[0]["deepest_m"]
        with MPICommExecutor() as pool:
            if pool is not None:
                s = jawari.sweep(jawari.load(sys.argv[1]), {"ball.velocity_m_s": [5.0, 20.0]}, measure=deepest, executor=pool)
                print(repr(s.values.tolist()))
        """)
    (tmp_path / "job.py").write_text(program)
    done = subprocess.run([mpirun, "--allow-run-as-root", "--oversubscribe", "-n", "2", sys.executable, tmp_path / "job.py",
                           tmp_path / "ball.toml"], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": str(pathlib.Path(jawari.__file__).parents[1])})
    assert done.returncode == 0, done.stderr
    assert eval(done.stdout) == jawari.sweep(quick, {"ball.velocity_m_s": [5.0, 20.0]}, measure=deepest).values.tolist()


def test_half_a_run_is_no_finished_point(bridge, tmp_path):
    """The second point would run for minutes: when the sweep is ended after the first, nothing of it is kept."""
    def stop_after_one(share):
        if share > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        jawari.sweep(bridge, {"duration_s": [0.01, 1000.0]}, measure=lambda r: r.steps, workers=2, trace=False,
                     restart=tmp_path / "half.sweep", progress=stop_after_one)
    with contextlib.closing(sqlite3.connect(tmp_path / "half.sweep")) as db:
        assert db.execute("select number from points").fetchall() == [(0,)]
