# SPDX-License-Identifier: MIT
"""Running: the same bits as C++, memory that is shared and stays, threads, Ctrl-C, overhead."""
import gc
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import jawari
from conftest import limits_of_time, package, same_channels, timed
from jawari import _core


@pytest.mark.parametrize("name", ["ball", "bridge", "bridge-modes", "marble"])
def test_results_equal_those_of_the_command_line_bit_for_bit(scenes, tmp_path, name):
    path, trace = scenes / f"{name}.toml", tmp_path / "t.npy"
    subprocess.run([sys.executable, "-m", "jawari", "render", path, "--duration", "0.3", "--trace", trace, "--quiet"], check=True)
    scene = jawari.load(path)
    scene.duration_s = 0.3
    result = scene.simulate()
    rows = np.load(trace)
    assert len(rows) == result.steps
    for channel in result.channels:
        assert np.array_equal(rows[channel], result[channel]), channel
    assert np.any(result.sound)


def test_shapes_and_names(bridge):
    r = bridge.simulate(state=4, maps=5)
    n = r.steps
    assert r.sound.shape == (1, n) and r.trace.shape == (len(r.channels), n) and r.t_s.shape == (n,) and r.sr == 44100
    shape = r.state["string"]
    assert shape.values.shape == (-(-n // 4), len(shape.x_m)) and len(shape.t_s) == len(shape.values)
    touch = r.maps["string-barrier"]
    assert touch.values.shape == (-(-n // 5), len(touch.x_m)) and touch.values.max() > 0
    assert set(r.energy) >= {"kinetic_J", "contact_J", "residual_J"}
    assert r.imbalance < 1e-12 and not r.failed
    assert [v.severity for v in r.verdicts] == ["note"] and "landing took" in r.verdicts[0].sentence
    with pytest.raises(KeyError, match="did you mean"):
        r["string.displacment_m"]
    with pytest.raises(KeyError, match="state=True"):
        bridge.simulate().state
    with pytest.raises(KeyError, match="trace=True"):
        bridge.simulate(trace=False).trace


def test_state_is_the_motion(bridge):
    """The nodes move as the channel says that reads one of them; a map holds the forces that are summed in a channel."""
    r = bridge.simulate(state=True, maps=True)
    total = r.maps["string-barrier"].values.sum(axis=1)
    assert np.allclose(total, np.abs(r["string-barrier.force_N"]), rtol=1e-12, atol=1e-12)
    u = r.state["string"].values
    assert np.all(u[:, 0] == 0) and np.all(u[:, -1] == 0) and np.ptp(u) > 1e-3


def test_events(ball):
    event, = ball.simulate().events
    exact = jawari.Impact(mass_kg=1.0, stiffness=5e9, exponent=1.3, speed_m_s=20.0)
    assert event["contact"] == "ball-wall"
    assert event["impulse_N_s"] == pytest.approx(40, rel=1e-9)  # an elastic rebound: 2 m v
    assert event["start_s"] == pytest.approx(0.03, abs=2 / 44100)
    assert event["end_s"] - event["start_s"] == pytest.approx(exact.contact_time, abs=3 / 44100)


def test_arrays_are_views_that_outlive_everything(bridge):
    system = bridge.compile()
    first = system.run(500, state=True, maps=True)
    views = [first.sound, first.trace, first["ledger.kinetic_J"], first.state["string"].values, first.maps["string-barrier"].values]
    kept = [v.copy() for v in views]
    assert not any(v.flags.owndata for v in views)
    assert np.shares_memory(first.trace, first["ledger.kinetic_J"])  # no copies between
    system.run(2000)
    assert all(np.array_equal(v, k) for v, k in zip(views, kept))
    del first, system, bridge
    gc.collect()
    rubbish = [np.full(50000, np.nan) for _ in range(200)]  # memory that was given back would be written over
    assert all(np.array_equal(v, k) for v, k in zip(views, kept))
    del rubbish


def test_steps_go_on_where_they_ended(bridge):
    whole = bridge.simulate()
    system = bridge.compile()
    parts = [system.run(n) for n in (1, 999, whole.steps - 1000)]
    same_channels(whole.channels, np.concatenate([p.trace for p in parts], axis=1), whole.trace)
    assert np.array_equal(np.concatenate([p.t_s for p in parts]), whole.t_s)
    assert system.steps == whole.steps and system.readings()["ledger.kinetic_J"] == whole["ledger.kinetic_J"][-1]
    x, u = system.shape("string")
    assert x.shape == u.shape
    for bad in (0, -1, 1.5, "ten", None, True, float("nan")):
        with pytest.raises(ValueError, match="steps"):
            system.run(bad)


def memory_kB():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def test_no_leak_over_ten_thousand_runs(ball):
    ball.duration_s = 0.002

    def runs(n):
        for _ in range(n):
            r = ball.simulate()
            assert r.trace.shape[1] == 88
            r.verdicts, r.contacts
        gc.collect()

    runs(500)
    before = memory_kB()
    runs(10000)
    assert memory_kB() - before < 1500  # one kept trace of 15 kB per run would be 150 MB, 0.15 kB would be seen


def test_the_gil_is_free_during_a_run(bridge):
    bridge.duration_s, bridge.rate_hz = 60, 192000
    bridge.set("string.tension_modulation", True)  # minutes of work on any machine: the run has not ended when it is stopped
    stop, done = _core.Stop(), []
    thread = threading.Thread(target=lambda: done.append(bridge.simulate(trace=False, stop=stop)))
    thread.start()
    time.sleep(0.3)
    count, end = 0, time.monotonic() + 0.3
    while time.monotonic() < end:
        count += 1
    stop.set()
    thread.join(60)
    assert done and done[0].stopped and 0 < done[0].steps < 60 * 192000
    assert count > 10000


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")
@timed
def test_two_threads_are_faster_than_one(bridge, faster):
    bridge.duration_s = 1.5
    reference = bridge.simulate(trace=False).sound

    def work():
        assert np.array_equal(bridge.compile().run(66150, trace=False).sound, reference)

    def at_once():
        threads = [threading.Thread(target=work) for _ in range(2)]
        [t.start() for t in threads]
        [t.join() for t in threads]

    faster(lambda: [work(), work()], at_once)


def test_one_system_is_for_one_thread(bridge):
    system = bridge.compile()
    stop = _core.Stop()
    thread = threading.Thread(target=lambda: system.run(10**8, trace=False, stop=stop))
    thread.start()
    time.sleep(0.2)
    try:
        with pytest.raises(RuntimeError, match="another thread"):
            system.run(10)
    finally:
        stop.set()
        thread.join()


slow = """
    scene = jawari.load({scene!r})
    scene.duration_s = 100
    scene.set("string.tension_modulation", True)
    scene.rate_hz = 1e6
"""
calls = {
    "simulate": "    scene = jawari.load({scene!r}); scene.duration_s = 1000\n    jawari.simulate(scene, trace=False)",
    "slow steps": slow + "    jawari.simulate(scene, trace=False)",
    "compare": slow + "    jawari.compare(scene, ['two-point'], [1])",
    "sweep": slow + "    jawari.sweep(scene, {{'string.length_m': [0.8, 0.81, 0.82]}}, trace=False)",
}


@pytest.mark.parametrize("call", calls)
def test_ctrl_c_ends_a_call(scenes, call):
    program = "import jawari, time\ntry:\n    print('ready', flush=True)\n" + textwrap.dedent("""
        {call}
        """).format(call=calls[call].format(scene=str(scenes / "bridge.toml"))).rstrip() + \
        "\nexcept KeyboardInterrupt:\n    print(time.monotonic())\n"
    delays = []
    for _ in range(5):  # on a loaded machine a process may not be scheduled at once
        child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.7)
        assert child.poll() is None
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
        delays.append(float(out) - sent)
        if not limits_of_time or delays[-1] < 0.2:
            break
    print(f"{call}: {1e3 * min(delays):.0f} ms")
    assert not limits_of_time or min(delays) < 0.2, delays


@timed
def test_overhead_of_a_call_is_below_fifty_microseconds(ball):
    ball.duration_s = 0.005
    ball.simulate()
    native, python = [], []
    for _ in range(400):  # interleaved, thread CPU time; short, so that some are not disturbed by other programs
        native.append(_core.native_s(ball._core, 5))
        start = _core.thread_cpu_s()
        for _ in range(5):
            ball.simulate()
        python.append((_core.thread_cpu_s() - start) / 5)
    extra = min(python) - min(native)
    print(f"overhead {1e6 * extra:.1f} us")
    assert extra < 50e-6


def test_progress_and_its_errors(bridge):
    bridge.duration_s = 5
    seen = []
    bridge.simulate(trace=False, progress=seen.append)
    assert seen and all(0 < s <= 1 for s in seen) and seen == sorted(seen)

    def fail(share):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        bridge.simulate(trace=False, progress=fail)


def test_results_pickle(bridge):
    r = bridge.simulate(state=10, maps=10)
    again = pickle.loads(pickle.dumps(r))
    assert np.array_equal(again.trace, r.trace) and again.contacts == r.contacts and again.ledger == r.ledger
    assert np.array_equal(again.state["string"].values, r.state["string"].values) and repr(again) == repr(r)
    same_channels(r.channels, again.scene.simulate().trace, r.trace)


def test_sound_files_and_frames(bridge, tmp_path):
    r = bridge.simulate()
    facts = r.write(tmp_path / "x.wav")
    assert facts["clipped"] == 0 and (tmp_path / "x.wav").stat().st_size > 3 * r.steps
    y, sr = jawari.render(bridge, tmp_path / "y.flac", report=tmp_path / "r.html", trace=tmp_path / "t.csv")
    assert np.array_equal(y, r.sound) and sr == r.sr
    assert all((tmp_path / f).stat().st_size > 1000 for f in ("y.flac", "r.html", "t.csv"))
    with pytest.raises(ValueError, match="gain"):
        r.write(tmp_path / "x.wav", gain=float("nan"))
    with pytest.raises(ValueError, match="ogg"):
        r.write(tmp_path / "x.ogg")
    pandas = package("pandas")
    frame = r.to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == r.channels and frame.index[1] == 1 / r.sr


def test_notebook_display(bridge):
    html = bridge.simulate()._repr_html_()
    assert "<audio controls" in html and "string-barrier" in html


def test_oversampled_scenes_are_heard_at_their_own_rate(tmp_path):
    scene = jawari.Scene.from_text("""
rate_hz = 44100
duration_s = 0.2
[[string]]
name = "s"
length_m = 0.65
frequency_hz = 110
radius_m = 4e-4
start = { shape = "mode", height_m = 1e-3 }
[[pickup]]
of = "s"
position_m = 0.2
quantity = "velocity"
""")
    plain, sr = jawari.render(scene)
    scene.oversample = 2
    assert scene.simulate(trace=False).sr == 2 * sr
    fine, rate = jawari.render(scene, tmp_path / "fine.flac")
    assert rate == sr and fine.shape == plain.shape
    inner = slice(200, -200)  # where the filter has all it needs
    assert np.abs(fine - plain)[:, inner].max() < 0.02 * np.abs(plain).max()  # the same string, on a finer grid
    assert (tmp_path / "fine.flac").exists()


def _complex_root() -> jawari.Scene:
    return jawari.Scene.from_text("""
        duration_s = 0.1
        [[mass]]
        name = "ball"
        mass_kg = 1.0
        position_m = -0.5
        velocity_m_s = 20.0
        [[contact]]
        name = "hit"
        bodies = ["ball", "wall"]
        height_m = 0.1
        scheme = "taylor-strict"
        law = { type = "power", stiffness = 5e9, exponent = 1.3 }
        [[pickup]]
        of = "ball"
        quantity = "velocity"
    """)


def test_a_failed_run_says_where_and_why_and_holds_no_nan():
    r = _complex_root().simulate()
    assert r.failed and '"hit"' in r.failure and f"complex in step {r.steps} " in r.failure
    assert r.steps < 4410 and r.sound.shape == (1, r.steps) == (1, r.trace.shape[1])
    assert np.all(np.isfinite(r.sound)) and np.all(np.isfinite(r.trace))
    assert r.failure in repr(r) and r.verdicts[0].severity == "failure"


def test_an_engine_that_failed_is_silent_and_comes_back():
    engine = jawari.Engine(_complex_root())
    blocks = []
    while not engine.failed and len(blocks) < 100:
        blocks.append(engine.process(64))
    assert engine.failed and '"hit"' in engine.failure and not np.any(blocks[-1]) and np.any(blocks[-2])
    assert not np.any(engine.process(64))
    engine.reset()
    assert not engine.failed and engine.failure == ""
    for block in blocks:
        assert np.array_equal(engine.process(64), block)


def test_a_saved_state_goes_on_in_another_engine(scenes):
    bridge = jawari.load(scenes / "bridge.toml")
    engine, other = jawari.Engine(bridge), jawari.Engine(bridge, kernels="off")
    first = engine.process(1000)
    state = engine.save()
    assert isinstance(state, bytes) and engine.save() == state
    other.load(state)
    after = engine.process(1000)
    assert np.array_equal(other.process(1000), after) and np.any(after)
    engine.reset()
    assert np.array_equal(engine.process(1000), first)
    with pytest.raises(jawari.InputError, match="damaged"):
        engine.load(state[:-1])
    with pytest.raises(jawari.InputError, match="other channels"):
        jawari.Engine(bridge, channels=2).load(state)
    with pytest.raises(jawari.InputError, match="must be the bytes"):
        engine.load("state")
    assert np.array_equal(engine.process(1000), after)


def test_a_system_goes_on_from_a_saved_state_and_begins_anew(scenes):
    bridge = jawari.load(scenes / "bridge.toml")
    system, other = jawari.compile(bridge), jawari.compile(bridge, kernels="off")
    first = system.run(800)
    state = system.save()
    assert isinstance(state, bytes) and system.save() == state and first.contacts[0]["touching_steps"] > 0
    after = system.run(800)
    other.load(state)
    assert other.steps == 800
    again = other.run(800)
    assert np.array_equal(again.mix, after.mix) and np.any(after.mix) and np.array_equal(again.trace, after.trace)
    system.reset()
    assert system.steps == 0
    assert np.array_equal(system.run(800).mix, first.mix)
    with pytest.raises(jawari.InputError, match="damaged"):
        system.load(state[:-1])
    with pytest.raises(jawari.InputError, match="another scene"):
        jawari.compile(scenes / "marble.toml").load(state)
    with pytest.raises(jawari.InputError, match="must be the bytes"):
        system.load(7)
    assert np.array_equal(system.run(800).mix, after.mix)


def test_a_system_begins_anew_after_a_failure_and_with_an_integrator(ball):
    ball.contacts[0].scheme = "verlet"
    system = jawari.compile(ball)
    first = system.run(2000)
    system.reset()
    assert np.array_equal(system.run(2000).mix, first.mix) and np.any(first.mix)
    for call in (system.save, lambda: system.load(b"")):
        with pytest.raises(jawari.InputError, match="integrator of one mass"):
            call()


def test_kernels_are_chosen(scenes):
    bridge = jawari.load(scenes / "bridge.toml")
    bridge.duration_s = 0.03
    runs = {k: jawari.simulate(bridge, quality="draft", kernels=k) for k in ("off", "exact", "fused", "single")}
    assert np.array_equal(runs["off"].mix, runs["exact"].mix) and np.array_equal(runs["off"].trace, runs["exact"].trace)
    for other in ("fused", "single"):  # rounded otherwise, hence not the same bits
        assert not np.array_equal(runs[other].mix, runs["exact"].mix)
        assert np.max(np.abs(runs[other].mix - runs["exact"].mix)) < 0.1 * np.max(np.abs(runs["exact"].mix))
    assert runs["single"].imbalance > 10 * runs["exact"].imbalance
    rendered = {k: jawari.render(bridge, quality="draft", kernels=k)[0] for k in ("off", "exact", "fused")}
    assert np.array_equal(rendered["off"], rendered["exact"]) and not np.array_equal(rendered["fused"], rendered["exact"])
    for call in (jawari.simulate, jawari.render, jawari.compile):
        with pytest.raises(jawari.InputError, match="kernels is 'fast', but must be one of off, exact, fused, single"):
            call(bridge, kernels="fast")


def test_quality_chooses_the_time_steps(scenes):
    bridge = jawari.load(scenes / "bridge.toml")
    bridge.duration_s = 0.02
    assert bridge.simulate(trace=False).sr == 2 * bridge.rate_hz  # standard
    assert bridge.simulate(trace=False, quality="draft").sr == bridge.rate_hz
    y, sr = jawari.render(bridge, quality="high")
    assert sr == bridge.rate_hz and y.shape[1] == round(0.02 * sr)
    bridge.quality = "high"
    assert bridge.simulate(trace=False).sr == 4 * bridge.rate_hz
    assert bridge.simulate(trace=False, quality="draft").sr == bridge.rate_hz
    bridge.oversample = 1
    assert bridge.simulate(trace=False).sr == bridge.rate_hz
    with pytest.raises(jawari.InputError, match='quality is "fine"'):
        bridge.simulate(quality="fine")


def test_sweeps_are_drafts(scenes):
    bridge = jawari.load(scenes / "bridge.toml")
    rates = jawari.sweep(bridge, {"duration_s": [0.005, 0.006]}, measure=lambda result: result.sr, trace=False)
    assert (np.asarray(rates.values) == bridge.rate_hz).all()
