# SPDX-License-Identifier: MIT
"""Data sets and sweeps in stores: the same bytes for any workers, whatever is killed; executors; plans from files."""
import concurrent.futures
import hashlib
import io
import json
import os
import pathlib
import pickle
import random
import shutil
import signal
import subprocess
import sys
import tarfile
import textwrap
import time

import numpy as np
import pytest

import jawari
from conftest import needed, package, root

drawn = {"string.start.height_m": jawari.uniform(1e-3, 4e-3),
         "barrier[0].law.stiffness_per_m": jawari.log_uniform(1e7, 1e9),
         "barrier[0].scheme": jawari.choice(["bounded", "two-point"])}
labels = ["peak", "impacts", "largest_force_N", "ledger"]


@pytest.fixture
def note(bridge):
    bridge.duration_s = 0.01
    return bridge


def tree(path):
    """Every file of a folder, by its name and content."""
    return {str(f.relative_to(path)): hashlib.sha256(f.read_bytes()).hexdigest() for f in sorted(pathlib.Path(path).rglob("*")) if f.is_file()}


def test_a_store_is_the_same_bytes_for_every_number_of_workers(note, tmp_path):
    stores = []
    for workers in (1, 2, 5):
        store = jawari.dataset(note, drawn, tmp_path / f"{workers}.zarr", count=13, seed=3, measures=labels, workers=workers)
        assert store.complete and not store.failures and not os.path.exists(store.path + ".part")
        stores.append(tree(store.path))
    assert stores[0] == stores[1] == stores[2] and len(stores[0]) > 13 * 6
    other = jawari.dataset(note, drawn, tmp_path / "other.zarr", count=13, seed=4, measures=labels)
    assert not np.array_equal(other.read("sound"), store.read("sound"))


def test_values_are_those_of_single_runs(note, tmp_path):
    store = jawari.dataset(note, drawn, tmp_path / "notes.zarr", count=4, seed=1, measures=labels, sound_type="float64")
    sound, peak, impacts = store.read("sound"), store.read("peak"), store.read("impacts")
    parameters = {path: store.read(path) for path in drawn}
    assert 1e-3 <= parameters["string.start.height_m"].min() and parameters["string.start.height_m"].max() < 4e-3
    for i in range(4):
        one = note.copy()
        for path, values in parameters.items():
            one.set(path, values[i].item())
        result = one.simulate(trace=False)
        assert np.array_equal(sound[i], result.sound) and peak[i] == np.abs(result.mix).max()
        assert impacts[i].tolist() == [c["impacts"] for c in result.contacts]
    assert len(set(peak)) == 4


def test_sounds_have_the_rate_of_the_scene(note, tmp_path):
    store = jawari.dataset(note, {"string.start.height_m": [1e-3, 2e-3]}, tmp_path / "notes.zarr", quality="high", sound_type="float64")
    note.quality = "high"
    one, rate_hz = note.copy().set("string.start.height_m", 2e-3).render()
    assert rate_hz == 44100 and store.read("sound").shape == (2, 1, 441)
    assert np.array_equal(store.read("sound")[1], one)


def test_xarray_opens_a_store_with_coordinates_and_units(note, tmp_path):
    package("zarr"), package("xarray")
    grid = {"string.start.height_m": [1e-3, 2e-3, 3e-3], "string.frequency_hz": [100.0, 110.0]}
    store = jawari.run_plan(jawari.Plan.grid(note, grid, kept=("peak", "impacts"), quality="draft"), tmp_path / "plane.zarr")
    opened = store.open()
    assert opened["sound"].dims == ("string.start.height_m", "string.frequency_hz", "pickup", "time_s")
    assert opened["string.start.height_m"].attrs["units"] == "m" and opened["string.start.height_m"].values.tolist() == grid["string.start.height_m"]
    assert opened["time_s"].values[1] == 1 / 44100 and opened["contact"].values.tolist() == ["string-barrier"]
    assert np.array_equal(opened["peak"].values, store.read("peak"))
    one = opened["peak"].sel({"string.start.height_m": 2e-3, "string.frequency_hz": 110.0})
    assert float(one) == np.abs(note.copy().set("string.start.height_m", 2e-3).set("string.frequency_hz", 110.0).simulate(trace=False).mix).max()
    assert opened.attrs["scene"] == note.text() and opened.attrs["made_by"] == f"jawari {jawari.__version__}"
    several = jawari.dataset(note, drawn, tmp_path / "notes.zarr", count=3, measures=["peak"]).open()
    assert several["peak"].coords["barrier[0].law.stiffness_per_m"].shape == (3,)


def test_a_sweep_into_a_store(note, tmp_path):
    grid = {"string.start.height_m": [1e-3, 2e-3], "barrier[0].scheme": ["bounded", "secant-1", "two-point"]}
    plain = jawari.sweep(note, grid, measure=lambda r: r.contacts[0]["largest_force_N"])
    kept = jawari.sweep(note, grid, measure=lambda r: r.contacts[0]["largest_force_N"], out=tmp_path / "plane.zarr")
    assert np.array_equal(plain.values, kept.values) and kept.dims == plain.dims and kept.values.shape == (2, 3)
    with pytest.raises(ValueError, match="another plan"):
        jawari.sweep(note, grid, measure=lambda r: r.contacts[0]["impacts"], out=tmp_path / "plane.zarr")
    with pytest.raises(ValueError, match="out"):
        jawari.sweep(lambda x: note, {"x": [1]}, out=tmp_path / "other.zarr")


def test_runs_that_are_refused_say_why_and_the_others_go_on(note, tmp_path):
    for name in ("plane.zarr", "plane.tar"):
        store = jawari.dataset(note, {"string.start.height_m": [1e-3, 1e9, 2e-3]}, tmp_path / name, measures=["peak"])
        assert store.complete and list(store.failures) == [1] and "start.height_m is 1e+09" in store.failures[1]
    assert np.isnan(jawari.Store(str(tmp_path / "plane.zarr"), 3, []).read("peak")).tolist() == [False, True, False]


def test_tar_files_are_the_same_bytes_and_hold_what_is_said(note, tmp_path):
    for name, workers in (("a", 1), ("b", 3)):
        (tmp_path / name).mkdir()
        assert jawari.dataset(note, drawn, tmp_path / name / "notes.tar", count=10, seed=3, measures=labels, per_shard=4, workers=workers).complete
    assert tree(tmp_path / "a") == tree(tmp_path / "b")
    assert sorted(tree(tmp_path / "a")) == ["notes-000000.tar", "notes-000001.tar", "notes-000002.tar", "notes.json"]
    zarr = jawari.dataset(note, drawn, tmp_path / "notes.zarr", count=10, seed=3, measures=labels)
    with tarfile.open(tmp_path / "a" / "notes-000001.tar") as tar:
        assert tar.getnames() == [f"{i:08d}.{k}" for i in range(4, 8) for k in ("json", "wav")]
        label = json.load(tar.extractfile("00000005.json"))
        wav = tar.extractfile("00000005.wav").read()
    assert label["run"] == 5 and label["peak"] == zarr.read("peak")[5]
    assert label["parameters"]["string.start.height_m"] == zarr.read("string.start.height_m")[5]
    scipy = package("scipy.io.wavfile")
    rate_hz, sound = scipy.read(io.BytesIO(wav))
    assert rate_hz == 44100 and np.array_equal(sound, zarr.read("sound")[5, 0])


program = """
    import sys, jawari
    print("begins", flush=True)
    scene = jawari.load({scene!r})
    scene.duration_s, scene.quality = {seconds}, "draft"
    jawari.dataset(scene, {{"string.start.height_m": jawari.uniform(1e-3, 4e-3)}}, sys.argv[1], count={count}, seed=5,
                   measures=["peak", "impacts"], workers=1, per_shard=50)
    """


def kill_at_random(command, kills, seed, least_s, most_s):
    """Two processes on one store, of which one is killed again and again while it plays; then both come to their end."""
    chance = random.Random(seed)

    def start():
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout.readline() == "begins\n"  # what is killed while it is loaded proves nothing
        return process

    both = [start(), start()]
    killed = 0
    try:
        for _ in range(kills):
            time.sleep(chance.uniform(least_s, most_s))
            k = chance.randrange(2)
            both[k].send_signal(signal.SIGKILL)
            ended = both[k].wait(timeout=600)
            assert ended in (0, -signal.SIGKILL)  # what has ended by itself has done so well
            killed += ended != 0
            both[k] = start()
        assert [p.wait(timeout=3600) for p in both] == [0, 0]
    finally:
        for p in both:
            p.kill()
            p.communicate()
    return killed


@pytest.mark.parametrize("suffix", ["zarr", "tar"])
def test_killed_again_and_again_a_store_is_the_same_bytes(scenes, tmp_path, suffix):
    long = bool(os.environ.get("JAWARI_SOAK"))  # script/soak: ten thousand notes
    count, seconds = (10000, 0.02) if long else (240, 0.05)
    text = textwrap.dedent(program.format(scene=str(scenes / "bridge.toml"), seconds=seconds, count=count))
    (tmp_path / "whole").mkdir(), (tmp_path / "killed").mkdir()
    subprocess.run([sys.executable, "-c", text, str(tmp_path / "whole" / f"notes.{suffix}")], check=True)
    # A run takes 40 ms at least: however fast it plays, there is something left to be killed.
    slow = "" if long else textwrap.dedent("""
        import time
        from jawari import plan
        play = plan.Recipe.play
        def slowly(*a):
            time.sleep(0.04)
            return play(*a)
        plan.Recipe.play = slowly
        """)
    command = [sys.executable, "-c", slow + text, str(tmp_path / "killed" / f"notes.{suffix}")]
    killed = kill_at_random(command, 10, 1, *((1, 5) if long else (0.1, 0.5)))
    assert killed >= (10 if long else 3)
    assert tree(tmp_path / "killed") == tree(tmp_path / "whole")


def test_two_processes_share_the_work(scenes, tmp_path):
    text = textwrap.dedent(program.format(scene=str(scenes / "bridge.toml"), seconds=0.05, count=60))
    # Neither goes on after its first run before the other one has played one: however slowly it starts, it has its share.
    text = text.replace("import sys, jawari", textwrap.dedent(f"""
        import os, pathlib, sys, time, jawari
        from jawari import plan
        begun, play = pathlib.Path({str(tmp_path / 'begun')!r}), plan.Recipe.play
        def counted(*a):
            print("played", flush=True)
            done = play(*a)
            (begun / str(os.getpid())).touch()
            while len(list(begun.iterdir())) < 2:
                time.sleep(0.01)
            return done
        plan.Recipe.play = counted"""))
    (tmp_path / "begun").mkdir()
    both = [subprocess.Popen([sys.executable, "-c", text, str(tmp_path / "notes.zarr")], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    played = [p.communicate(timeout=300)[0].count("played") for p in both]
    assert [p.returncode for p in both] == [0, 0]
    assert 60 <= sum(played) <= 63 and min(played) > 0  # the first run may be played by both


def same_with(note, tmp_path, executor, name):
    one = jawari.dataset(note, drawn, tmp_path / "one.zarr", count=8, seed=2, measures=labels, workers=1)
    other = jawari.dataset(note, drawn, tmp_path / f"{name}.zarr", count=8, seed=2, measures=labels, executor=executor)
    assert other.complete and tree(one.path) == tree(other.path)


def test_with_processes(note, tmp_path):
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        same_with(note, tmp_path, pool, "processes")


class Measured(concurrent.futures.Executor):
    """Sends work through bytes, as to another machine, and says how many they were."""

    def __init__(self):
        self.sent = []

    def submit(self, function, /, *arguments):
        data = pickle.dumps((function, arguments))
        self.sent.append(len(data))
        function, arguments = pickle.loads(data)
        future = concurrent.futures.Future()
        future.set_result(function(*arguments))
        return future


def test_a_run_takes_its_own_values_along_and_no_others(note, tmp_path):
    most = {}
    for count in (4, 40):
        executor = Measured()
        store = jawari.dataset(note, drawn, tmp_path / f"{count}.zarr", count=count, seed=2, measures=labels, executor=executor)
        assert store.complete and len(executor.sent) == count - 1  # the first one was played to know what a run leaves
        most[count] = max(executor.sent)
    assert most[40] <= most[4] + 8  # numbers of runs may have a digit more
    assert most[4] < len(note.text()) + 3000


def test_with_joblib(note, tmp_path):
    joblib = package("joblib")
    same_with(note, tmp_path, joblib.Parallel(n_jobs=2), "joblib")


def test_with_a_dask_cluster_of_two_processes(note, tmp_path):
    distributed = package("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(tmp_path)) as cluster:
        with distributed.Client(cluster) as client:
            same_with(note, tmp_path, client, "dask")


def test_with_two_mpi_ranks(note, tmp_path):
    package("mpi4py")
    mpirun = needed(shutil.which("mpirun"), "mpirun")
    note.save(tmp_path / "note.toml")
    text = textwrap.dedent(f"""
        import sys, jawari
        from mpi4py import MPI
        sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})
        from test_store import drawn, labels
        store = jawari.dataset(jawari.load({str(tmp_path / 'note.toml')!r}), drawn, {str(tmp_path / 'mpi.zarr')!r}, count=8, seed=2, measures=labels,
                               executor=MPI.COMM_WORLD, quality="draft")
        assert store.complete
        """)
    subprocess.run([mpirun, "--allow-run-as-root", "--oversubscribe", "-n", "2", sys.executable, "-c", text], check=True, timeout=120)
    one = jawari.dataset(jawari.load(tmp_path / "note.toml"), drawn, tmp_path / "one.zarr", count=8, seed=2, measures=labels, quality="draft")
    assert tree(tmp_path / "mpi.zarr") == tree(one.path)


def test_an_error_of_one_mpi_rank_ends_all_of_them(note, tmp_path):
    package("mpi4py")
    mpirun = needed(shutil.which("mpirun"), "mpirun")
    note.save(tmp_path / "note.toml")
    text = textwrap.dedent(f"""
        import pathlib, sys, jawari
        from mpi4py import MPI
        module = sys.modules["jawari.dataset"]
        if MPI.COMM_WORLD.Get_rank() == 1:
            def full(*_):
                raise OSError("no space left")
            module._play_missing = full
        try:
            jawari.dataset(jawari.load({str(tmp_path / 'note.toml')!r}), {{"string.start.height_m": [1e-3, 2e-3, 3e-3]}},
                           {str(tmp_path / 'mpi.zarr')!r}, executor=MPI.COMM_WORLD, quality="draft")
        except (OSError, RuntimeError) as e:
            pathlib.Path({str(tmp_path)!r}, f"rank-{{MPI.COMM_WORLD.Get_rank()}}.txt").write_text(str(e))
        """)
    subprocess.run([mpirun, "--allow-run-as-root", "--oversubscribe", "-n", "2", sys.executable, "-c", text], check=True, timeout=120)
    assert [(tmp_path / f"rank-{rank}.txt").read_text() for rank in (0, 1)] == ["rank 1 has failed: OSError: no space left", "no space left"]


def test_an_executor_that_is_none_is_refused(note, tmp_path):
    for bad in (3, "processes"):
        with pytest.raises(ValueError, match="executor is"):
            jawari.dataset(note, drawn, tmp_path / "x.zarr", count=2, executor=bad)


plan_text = """
schema = 1
scene = "note.toml"
store = "plane.zarr"
measures = ["peak", "impacts"]
sound = true
quality = "draft"
[grid]
"string.start.height_m" = { from = 1e-3, to = 4e-3, count = 4 }
"barrier[0].law.stiffness_per_m" = { from = 1e7, to = 1e9, count = 3, scale = "log" }
"""


@pytest.fixture
def plan_file(note, tmp_path):
    note.save(tmp_path / "note.toml")
    (tmp_path / "plan.toml").write_text(plan_text)
    return tmp_path / "plan.toml"


def command(*words, expect=0):
    run = subprocess.run([sys.executable, "-m", "jawari", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.returncode == expect, run.stderr
    return run.stdout + run.stderr


def test_shards_of_a_plan_and_which_are_missing(plan_file, tmp_path):
    assert "12 runs" in command("sweep", plan_file, "--check") and not (tmp_path / "plane.zarr").exists()
    command("sweep", plan_file, "--shard", "1/3")
    assert "missing; shards 2/3, 3/3" in command("merge", tmp_path / "plane.zarr", "--shards", 3, expect=1)
    command("sweep", plan_file, "--shard", "3/3")
    assert "missing; shards 2/3" in command("merge", tmp_path / "plane.zarr", "--shards", 3, expect=1)
    command("sweep", plan_file, "--shard", "2/3", "--store", tmp_path / "second.zarr")
    assert "complete" in command("merge", tmp_path / "plane.zarr", tmp_path / "second.zarr")
    command("sweep", plan_file, "--store", tmp_path / "whole.zarr")
    assert tree(tmp_path / "whole.zarr") == tree(tmp_path / "plane.zarr")
    plan, store = jawari.load_plan(plan_file)
    assert store == str(tmp_path / "plane.zarr") and plan.shape == (4, 3)
    assert plan.parameters["barrier[0].law.stiffness_per_m"].tolist() == pytest.approx([1e7, 1e8, 1e9], rel=1e-14)


@pytest.mark.parametrize("line, with_it, said", [
    ("schema = 1", "schema = 2", "schema is 2, but must be 1"),
    ('scene = "note.toml"', "", "scene is missing"),
    ('scene = "note.toml"', 'scene = "none.toml"', "none.toml"),
    ("measures", "measure", "measure is not known; did you mean 'measures'?"),
    ('"peak"', '"peek"', "measures names 'peek', which there is not; did you mean 'peak'?"),
    ("sound = true", "sound = 3", "sound is 3, but must be true or false"),
    ("start.height_m", "start.hight_m", "there is no 'hight_m'"),
    ('scale = "log"', 'scale = "cubic"', "scale is 'cubic', but must be 'linear' or 'log'"),
    ("count = 4", "count = 1", "count is 1, but must be at least 2"),
    ("from = 1e7, ", "", "from is missing"),
    ("[grid]", "[grids]", "grids is not known"),
    ("from = 1e7", "from = -1", "its numbers must be above 0"),
    ("sound = true", 'device = "gpu"', "device is 'gpu', but must be one of 'cpu', 'cuda'"),
    ("sound = true", 'device = "cpu"\nkernels = "quick"', "kernels is 'quick', but must be one of"),
    ("sound = true", 'kernels = "fused"', "kernels is 'fused', but there is no device"),
])
def test_plans_are_checked_like_scenes(plan_file, line, with_it, said):
    assert line in plan_text
    plan_file.write_text(plan_text.replace(line, with_it))
    with pytest.raises(jawari.InputError) as refused:
        jawari.load_plan(plan_file)
    assert said in str(refused.value) and str(plan_file) in str(refused.value)
    if with_it and line != "[grid]":  # where it stands
        changed = plan_file.read_text().splitlines()
        number = 1 + next(i for i, text in enumerate(changed) if with_it.splitlines()[-1] in text)
        assert str(refused.value).startswith(f"{plan_file}:{number}: "), str(refused.value)


def test_errors_of_samples_say_the_line(plan_file):
    for line, said in (('"string.start.height_m" = { from = 4e-3, to = 1e-3 }', "the smaller one first"), ('"string.none_m" = [1.0]', "none_m"),
                       ('"string.start.height_m" = { from = 4e-3 }', "height_m.to is missing")):
        plan_file.write_text(plan_text.partition("[grid]")[0] + "# drawn\n[samples]\ncount = 5\n[samples . parameters]\n" + line + "\n")
        with pytest.raises(jawari.InputError) as refused:
            jawari.load_plan(plan_file)
        number = len(plan_file.read_text().splitlines())
        assert str(refused.value).startswith(f"{plan_file}:{number}: ") and said in str(refused.value)


def test_a_plan_names_its_device(plan_file, tmp_path):
    command("sweep", plan_file, "--device", "cpu", "--store", tmp_path / "by-command.zarr")
    plan_file.write_text(plan_text.replace("sound = true", 'sound = true\ndevice = "cpu"\nkernels = "exact"'))
    command("sweep", plan_file)
    assert tree(tmp_path / "plane.zarr") == tree(tmp_path / "by-command.zarr")
    plan, _ = jawari.load_plan(plan_file, device="cuda")
    assert plan.device == "cuda" and plan.kernels == "exact"
    assert jawari.Store(str(tmp_path / "plane.zarr"), 12, []).open().attrs["kernels"] == "exact"


def test_tar_files_of_shards_come_together(plan_file, tmp_path):
    plan, _ = jawari.load_plan(plan_file)
    for name in ("whole", "first", "second", "both"):
        (tmp_path / name).mkdir()
    whole = jawari.run_plan(plan, tmp_path / "whole" / "plane.tar", per_shard=5)
    jawari.run_plan(plan, tmp_path / "first" / "plane.tar", per_shard=5, shard="1/2")
    done, missing = jawari.merge(tmp_path / "both" / "plane.tar", [tmp_path / "first" / "plane.tar"], shards=2)
    assert not done.complete and missing == ["2/2"]
    jawari.run_plan(plan, tmp_path / "second" / "plane.tar", per_shard=5, shard="2/2")
    assert "complete" in command("merge", tmp_path / "both" / "plane.tar", tmp_path / "second" / "plane.tar")
    assert whole.complete and tree(tmp_path / "both") == tree(tmp_path / "whole") and not done.failures
    with pytest.raises(jawari.InputError, match="all stores must be .zarr, or all .tar"):
        jawari.merge(tmp_path / "both" / "plane.tar", [tmp_path / "other.zarr"])


def test_the_command_line_plays_plans(plan_file, tmp_path):
    program = needed(next((p for p in pathlib.Path(jawari.__file__).parents if (p / "jawari").is_file()), None), "jawari beside the package") / "jawari"
    environment = {**os.environ, "JAWARI_PYTHON": sys.executable}
    environment.pop("PYTHONPATH", None)  # a build folder has its own package

    def command(*words, **changes):
        return subprocess.run([program, *map(str, words)], env={**environment, **changes}, capture_output=True, text=True, timeout=120)
    store = tmp_path / "by-command.zarr"
    part = command("sweep", plan_file, "--store", store, "--shard", "1/2", "-q")
    assert part.returncode == 0 and "missing" in part.stdout, part.stderr
    merge = command("merge", store, "--shards", "2")
    assert merge.returncode == 1 and "shards 2/2" in merge.stderr
    assert command("sweep", plan_file, "--store", store, "-q").returncode == 0
    done = command("merge", store)
    assert done.returncode == 0 and "complete" in done.stdout
    assert "--shard" in command("sweep", "--help").stdout
    assert command("sweep", "--store").returncode == 2
    none = command("sweep", plan_file, JAWARI_PYTHON=str(tmp_path / "no-python"))
    assert none.returncode == 1 and "no-python" in none.stderr and "JAWARI_PYTHON" in none.stderr


def test_samples_of_a_plan(plan_file, tmp_path):
    plan_file.write_text(plan_text.partition("[grid]")[0] + textwrap.dedent("""
        [samples]
        count = 5
        seed = 9
        [samples.parameters]
        "string.start.height_m" = { from = 1e-3, to = 4e-3 }
        "barrier[0].scheme" = ["bounded", "two-point"]
        """))
    command("sweep", plan_file)
    same = jawari.dataset(jawari.load(tmp_path / "note.toml"),
                          {"string.start.height_m": jawari.uniform(1e-3, 4e-3), "barrier[0].scheme": jawari.choice(["bounded", "two-point"])},
                          tmp_path / "same.zarr", count=5, seed=9, measures=["peak", "impacts"], quality="draft")
    assert tree(same.path) == tree(tmp_path / "plane.zarr")


def test_what_is_drawn_depends_on_seed_path_and_number_alone():
    from jawari.draws import drawn as draw
    some = draw({"a": jawari.uniform(0, 1), "b": jawari.uniform(0, 1)}, 1000, 7)
    more = draw({"b": jawari.uniform(0, 1)}, 2000, 7)
    assert np.array_equal(some["b"], more["b"][:1000]) and not np.array_equal(some["a"], some["b"])
    assert abs(more["b"].mean() - 0.5) < 0.03 and abs(np.corrcoef(some["a"], some["b"])[0, 1]) < 0.15
    assert some["a"][0] == 0.21734311916460458  # for ever, on every machine
    logs = draw({"k": jawari.log_uniform(1e3, 1e9)}, 2000, 1)["k"]
    assert 1e3 <= logs.min() and logs.max() <= 1e9 and 0.45 < (logs < 1e6).mean() < 0.55
    words = draw({"s": jawari.choice(["x", "y", "z"])}, 3000, 1)["s"]
    assert all(0.28 < (words == w).mean() < 0.39 for w in "xyz")
    for bad in (lambda: jawari.uniform(2, 1), lambda: jawari.log_uniform(0, 1), lambda: jawari.choice([]), lambda: jawari.uniform("a", 1)):
        with pytest.raises(ValueError):
            bad()


def test_arguments_are_checked(note, tmp_path):
    for field, call in {"count": lambda: jawari.dataset(note, drawn, tmp_path / "x.zarr"),
                        "shard": lambda: jawari.dataset(note, drawn, tmp_path / "x.zarr", count=3, shard="4/3"),
                        "per_shard": lambda: jawari.dataset(note, drawn, tmp_path / "x.tar", count=3, per_shard=0),
                        "measures": lambda: jawari.dataset(note, drawn, tmp_path / "x.zarr", count=3, measures=["loudness"]),
                        "sound_type": lambda: jawari.dataset(note, drawn, tmp_path / "x.zarr", count=3, sound_type="int16"),
                        "parameters": lambda: jawari.dataset(note, {"string.wight": [1.0]}, tmp_path / "x.zarr"),
                        "string.start.height_m": lambda: jawari.dataset(note, {"string.start.height_m": [1.0]}, tmp_path / "x.zarr", count=3)}.items():
        with pytest.raises(jawari.InputError) as refused:
            call()
        assert refused.value.field == field, field
    (tmp_path / "there.zarr").mkdir()
    (tmp_path / "there.zarr" / "file").write_text("mine")
    with pytest.raises(ValueError, match="there is something else"):
        jawari.dataset(note, drawn, tmp_path / "there.zarr", count=3)
    assert (tmp_path / "there.zarr" / "file").read_text() == "mine"


@pytest.fixture
def cluster(note, tmp_path, monkeypatch):
    """The examples for clusters, on a small plan, and a `jawari` on the path."""
    folder = tmp_path / "cluster"
    shutil.copytree(root / "examples" / "cluster", folder)
    text = (folder / "plan.toml").read_text().replace("../../scenes/bridge.toml", "note.toml").replace("count = 20", "count = 4").replace("count = 10", "count = 2")
    (folder / "plan.toml").write_text(text)
    note.save(folder / "note.toml")
    program = tmp_path / "bin" / "jawari"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m jawari "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    plan, _ = jawari.load_plan(folder / "plan.toml")
    whole = jawari.run_plan(plan, tmp_path / "whole.zarr")
    return folder, tree(whole.path)


def test_the_example_of_a_job_array(cluster):
    folder, whole = cluster
    for task in range(1, 5):
        env = {**os.environ, "SLURM_ARRAY_TASK_ID": str(task), "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_CPUS_PER_TASK": "1"}
        subprocess.run(["bash", "array.sh"], cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL)
    assert tree(folder / "plane.zarr") == whole


def test_the_example_of_a_workflow(cluster):
    snakemake = needed(shutil.which("snakemake"), "snakemake")
    folder, whole = cluster
    done = subprocess.run([snakemake, "--cores", "2", "--config", "shards=3"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert tree(folder / "plane.zarr") == whole
