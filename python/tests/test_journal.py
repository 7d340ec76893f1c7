# SPDX-License-Identifier: MIT
"""Restart files: what they belong to, what they keep, which processes may share them, and what they say when they are damaged."""
import contextlib
import functools
import math
import operator
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import jawari
from jawari import journal as journal_module
from jawari.fingerprint import fingerprint
from jawari.packing import pack, unpack

grid = {"ball.mass_kg": [1.0, 2.0]}
factor = 1.0


@pytest.fixture
def quick(ball):
    ball.duration_s = 0.02
    return ball


def scaled(result):
    return result.ledger["start_J"] * factor


class Power:
    def __init__(self, exponent):
        self.exponent = exponent

    def __call__(self, result):
        return result.steps ** self.exponent

    def measure(self, result):
        return result.steps + self.exponent


def of(exponent):
    return lambda r: r.steps ** exponent


def with_default(power):
    def measure(r, exponent=power):
        return r.steps ** exponent
    return measure


def with_keyword_default(power):
    def measure(r, *, exponent=power):
        return r.steps ** exponent
    return measure


def through_a_list(power):
    powers = [1.0, power]
    return lambda r: [r.steps ** p for p in powers]


def raised(r, exponent):
    return r.steps ** exponent


def mark(thing):
    return fingerprint(thing, "measure")


pairs = {
    "names": (lambda r: r.imbalance, lambda r: r.steps),
    "constants": (lambda r: r.steps * 2, lambda r: r.steps * 2.0),
    "closures": (of(1), of(2)),
    "closed over lists": (through_a_list(1.0), through_a_list(2.0)),
    "defaults": (with_default(1), with_default(2)),
    "keyword defaults": (with_keyword_default(1), with_keyword_default(2)),
    "partials": (functools.partial(raised, exponent=1), functools.partial(raised, exponent=2)),
    "bound methods": (Power(1).measure, Power(2).measure),
    "objects": (Power(1), Power(2)),
    "getters": (operator.attrgetter("imbalance"), operator.attrgetter("steps")),
    "nested functions": (lambda r: [(lambda x: x.steps)(r)], lambda r: [(lambda x: x.imbalance)(r)]),
    "arrays": (functools.partial(raised, exponent=np.zeros(3)), functools.partial(raised, exponent=np.ones(3))),
    "signs of zero": (of(0.0), of(-0.0)),
    "library functions": (lambda r: np.max(r.mix), lambda r: np.min(r.mix)),
    "modules": (functools.partial(map, math), functools.partial(map, operator)),
}


@pytest.mark.parametrize("pair", pairs.values(), ids=pairs)
def test_another_measure_has_another_number(pair):
    assert mark(pair[0]) != mark(pair[1])
    assert mark(pair[0]) == mark(pair[0])


def test_equal_measures_have_equal_numbers():
    for make in (of, with_default, with_keyword_default, through_a_list, Power):
        assert mark(make(3)) == mark(make(3))
    assert mark({1, 2, "x"}) == mark({"x", 2, 1})
    assert mark(functools.lru_cache(raised)) == mark(functools.lru_cache(raised))
    program = "from test_journal import *; print([mark(p) for pair in pairs.values() for p in pair])"
    said = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=os.path.dirname(__file__),
                           env={**os.environ, "PYTHONHASHSEED": seed}).stdout for seed in ("1", "2")]
    assert said[0] == said[1]  # in every process


def test_globals_and_functions_that_a_measure_uses_count(monkeypatch):
    before = mark(scaled)
    monkeypatch.setitem(globals(), "factor", 2.0)
    assert mark(scaled) != before
    calls = mark(lambda r: raised(r, 1))
    monkeypatch.setattr(raised, "__code__", (lambda r, exponent: r.steps - exponent).__code__)
    assert mark(lambda r: raised(r, 1)) != calls


def test_modules_of_ones_own_count_by_what_they_do(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_helper.py").write_text("def peak(r):\n    return r.steps\n")
    import own_helper
    before = mark(lambda r: own_helper.peak(r))

    def inside(r):
        import own_helper
        return own_helper.peak(r)
    before_inside = mark(inside)
    own_helper.peak = lambda r: r.imbalance
    assert mark(lambda r: own_helper.peak(r)) != before
    assert mark(inside) != before_inside
    del sys.modules["own_helper"]


@pytest.mark.parametrize("thing, said", [(open(os.devnull), "TextIOWrapper"), ((x for x in ()), "generator")])
def test_what_cannot_be_told_apart_is_refused_by_name(quick, tmp_path, thing, said):
    with pytest.raises(jawari.InputError, match=f"measure uses thing, which is a .*{said}"):
        jawari.sweep(quick, grid, measure=lambda r: (thing, r.steps)[1], restart=tmp_path / "j")
    with pytest.raises(jawari.InputError, match="measure calls eval"):
        jawari.sweep(quick, grid, measure=lambda r: eval("r.steps"), restart=tmp_path / "j")
    assert not (tmp_path / "j").exists()


def test_the_journal_never_gives_one_measure_the_values_of_another(quick, tmp_path):
    file = tmp_path / "j"
    jawari.sweep(quick, grid, measure=lambda r: r.imbalance, restart=file)
    with pytest.raises(jawari.InputError, match="another problem, grid or measure .measure differs."):
        jawari.sweep(quick, grid, measure=lambda r: r.steps, restart=file)
    with pytest.raises(jawari.InputError, match="options differs"):
        jawari.sweep(quick, grid, measure=lambda r: r.imbalance, restart=file, trace=False)
    with pytest.raises(jawari.InputError, match="problem differs"):
        jawari.sweep(quick.copy().set("ball.velocity_m_s", 7.0), grid, measure=lambda r: r.imbalance, restart=file)
    assert jawari.sweep(quick, grid, measure=lambda r: r.imbalance, restart=file).values.shape == (2,)


def test_a_closure_of_the_problem_counts(quick, tmp_path):
    def problem(speed):
        return lambda mass: quick.copy().set("ball.velocity_m_s", speed).set("ball.mass_kg", mass)
    file = tmp_path / "j"
    jawari.sweep(problem(5.0), {"mass": [1.0, 2.0]}, restart=file)
    with pytest.raises(jawari.InputError, match="problem differs"):
        jawari.sweep(problem(6.0), {"mass": [1.0, 2.0]}, restart=file)
    jawari.sweep(problem(5.0), {"mass": [1.0, 2.0]}, restart=file)


# -- values

kept = {
    "nothing": None, "text": "sound", "flag": True, "whole": 10**30, "number": 0.1, "complex": 1 - 2j, "bytes": b"\0\1",
    "list of dicts": [{"a": 1, "b": [2.0, None]}, {"a": "x"}], "nested dict": {"a": {"b": {"c": np.arange(3)}}},
    "array": np.arange(6.0).reshape(2, 3), "ragged": [[1], [1, 2]], "text array": np.array(["ab", "c"]), "set": {1, 2},
    "records": np.array([(1, 2.5)], dtype=[("n", int), ("x", float)]), "objects": np.array([None, "x", 1.5], dtype=object),
    "tuple": (1, "x"), "not a number": math.nan, "scalar": np.float32(0.5), "keys": {1: 2.0, None: (3,)}}


def same(a, b):
    if isinstance(a, np.ndarray):
        return type(b) is type(a) and a.dtype == b.dtype and a.shape == b.shape and all(map(same, a.reshape(-1).tolist(), b.reshape(-1).tolist()))
    if isinstance(a, dict):
        return type(b) is dict and [*a] == [*b] and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and (a == b or (a != a and b != b))


@pytest.mark.parametrize("value", kept.values(), ids=kept)
def test_values_come_back_after_a_restart(quick, tmp_path, value):
    assert same(value, unpack(pack(value)))
    runs = []

    def problem(mass):
        return mass

    first = jawari.sweep(problem, {"mass": [1.0, 2.0]}, measure=lambda r: value, restart=tmp_path / "j")
    again = jawari.sweep(problem, {"mass": [1.0, 2.0]}, measure=lambda r: value, restart=tmp_path / "j", progress=runs.append)
    assert runs == [1.0]  # all of it was there
    assert same(first.values, again.values) and not again.failures


def test_values_that_cannot_come_back_are_refused_with_the_first(quick, tmp_path):
    calls = []

    def measure(result):
        calls.append(1)
        return {"run": result}
    with pytest.raises(jawari.InputError, match="measure returned a jawari.result.Result, which a restart file cannot keep"):
        jawari.sweep(quick, {"ball.mass_kg": np.linspace(1, 2, 50)}, measure=measure, workers=1, restart=tmp_path / "j")
    assert len(calls) <= 2


@pytest.mark.parametrize("data", [b"", b"f", b"s\xff\xff\xff\xff\xff\xff\xff\x7fx", pack(1.5)[:-1], pack([1, 2]) + b"x", b"q" + bytes(8),
                                  pack({"a": 1})[:9] + pack("a"), b"a" + (3).to_bytes(8, "little") + b"nXY"])
def test_bytes_that_are_no_value_are_an_error_and_never_run(data):
    with pytest.raises(ValueError):
        unpack(data)


# -- damage

@pytest.mark.parametrize("damage", ["update points set value = x'00' where number = 1", "update points set value = 'text' where number = 1",
                                    "update points set value = 3.5 where number = 1", "update points set value = null where number = 1",
                                    "update points set why = 'no' where number = 1",
                                    "update points set value = (select value from points where number = 0) where number = 1"])
def test_a_damaged_row_is_named_with_its_file(quick, tmp_path, damage):
    file = tmp_path / "j.sweep"
    whole = jawari.sweep(quick, grid, measure=scaled, restart=file)
    with contextlib.closing(sqlite3.connect(file)) as db:
        db.execute(damage)
        db.commit()
    with pytest.raises(jawari.InputError, match="j.sweep', whose row 1 of the table points is damaged"):
        jawari.sweep(quick, grid, measure=scaled, restart=file)
    with contextlib.closing(sqlite3.connect(file)) as db:  # what the sentence says
        db.execute("delete from points where number = 1")
        db.commit()
    assert np.array_equal(jawari.sweep(quick, grid, measure=scaled, restart=file).values, whole.values)


def test_a_damaged_file_is_named(quick, tmp_path):
    file = tmp_path / "j.sweep"
    jawari.sweep(quick, {"ball.mass_kg": np.linspace(1, 2, 40)}, measure=lambda r: r.mix[:400], restart=file)
    data = bytearray(file.read_bytes())
    data[4096:8192] = b"\xaa" * 4096
    file.write_bytes(data)
    with pytest.raises(jawari.InputError, match="j.sweep"):
        jawari.sweep(quick, {"ball.mass_kg": np.linspace(1, 2, 40)}, measure=lambda r: r.mix[:400], restart=file)


# -- failed runs

def test_failed_runs_are_failures(quick, tmp_path):
    """A run that ends early is not measured: the value is NaN and `failures` says why, also after a restart."""
    class Broken:
        failed, stopped, steps, failure = True, False, 317, "ball-wall did not settle"

    def problem(mass):
        return Broken() if mass == 2.0 else quick.copy().set("ball.mass_kg", mass).simulate()
    for _ in range(2):
        s = jawari.sweep(problem, {"mass": [1.0, 2.0]}, measure=lambda r: r.steps, restart=tmp_path / "j")
        assert s.values[0] == quick.simulate().steps and np.isnan(s.values[1])
        assert s.failures == {(1,): "the run failed after 317 steps: ball-wall did not settle"}


def test_a_scene_whose_solve_does_not_settle_is_a_failure(ball, tmp_path):
    ball.duration_s = 0.05
    stiff = {"contact[0].law.stiffness": [1e9, 1e12]}
    for _ in range(2):  # the second time from the file
        s = jawari.sweep(ball.use_scheme("taylor-strict"), stiff, measure=lambda r: {"steps": r.steps}, restart=tmp_path / "j")
        assert s.values["steps"][0] == 2205 and np.isnan(s.values["steps"][1])
        assert [*s.failures] == [(1,)] and "failed" in s.failures[(1,)] and "ball" in s.failures[(1,)]


# -- others

def test_a_lock_of_another_program_is_waited_for_and_then_said(quick, tmp_path, monkeypatch):
    file = tmp_path / "j.sweep"
    jawari.sweep(quick, grid, measure=scaled, restart=file)
    with contextlib.closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
        other.execute("begin exclusive")
        release = threading.Timer(0.7, lambda: other.execute("commit"))
        release.start()
        assert jawari.sweep(quick, grid, measure=scaled, restart=file).values.shape == (2,)
        release.join()
        other.execute("begin exclusive")
        monkeypatch.setattr(journal_module, "lock_patience_s", 0.5)
        with pytest.raises(jawari.InputError, match="j.sweep', which another program has kept locked for 0.5 s"):
            jawari.sweep(quick, grid, measure=scaled, restart=file)


sharing = textwrap.dedent("""
    import sys, time
    import jawari
    def problem(n):
        with open(sys.argv[2], "a") as log:
            log.write(f"{n}\\n")
        time.sleep(0.05)
        return n
    s = jawari.sweep(problem, {"n": list(range(24))}, measure=lambda n: n * n, restart=sys.argv[1], workers=1)
    print(s.values.tolist())
    """)


def test_two_processes_share_a_journal(tmp_path):
    logs = [tmp_path / f"log{i}" for i in range(2)]
    runs = [subprocess.Popen([sys.executable, "-c", sharing, tmp_path / "j", log], stdout=subprocess.PIPE, text=True) for log in logs]
    said = [run.communicate()[0] for run in runs]
    assert said[0] == said[1] == f"{[float(n * n) for n in range(24)]}\n"
    done = [log.read_text().split() if log.exists() else [] for log in logs]
    assert sorted(map(int, done[0] + done[1])) == list(range(24))  # each point once


def test_the_claims_of_a_process_that_died_are_taken_over(tmp_path):
    slow = sharing.replace("time.sleep(0.05)", "time.sleep(0.05 if n < 3 else 1000)")
    log = tmp_path / "log"
    dead = subprocess.Popen([sys.executable, "-c", slow, tmp_path / "j", log])
    while not log.exists() or len(log.read_text().split()) < 4:
        time.sleep(0.02)
    dead.send_signal(signal.SIGKILL)
    dead.wait()
    with contextlib.closing(sqlite3.connect(tmp_path / "j")) as db:
        assert db.execute("select number from claims").fetchall() == [(3,)]
        db.execute("delete from about")  # the other program differs, by the sleep
        db.commit()
    rest = subprocess.run([sys.executable, "-c", sharing, tmp_path / "j", tmp_path / "rest"], stdout=subprocess.PIPE, text=True, check=True)
    assert rest.stdout == f"{[float(n * n) for n in range(24)]}\n"
    assert sorted(map(int, (tmp_path / "rest").read_text().split())) == list(range(3, 24))


def test_a_claim_of_another_machine_is_free_after_a_while(quick, tmp_path, monkeypatch):
    file = tmp_path / "j"
    jawari.sweep(quick, grid, measure=scaled, restart=file)
    with contextlib.closing(sqlite3.connect(file)) as db:
        db.execute("delete from points where number = 1")
        db.execute("insert into claims values (1, 'x', 'elsewhere', 1, '', ?)", (time.time() - 1000,))
        db.commit()
    assert jawari.sweep(quick, grid, measure=scaled, restart=file).values.shape == (2,)
