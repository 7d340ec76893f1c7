# SPDX-License-Identifier: MIT
"""Batches in memory and through stores: the runs of a batch are single runs."""
import errno
import gc
import hashlib
import os
import pathlib
import sys

import numpy as np
import pytest

import jawari
from conftest import package
from jawari.measures import listen

heights = np.linspace(1e-3, 4e-3, 5)
path = "string.start.height_m"


@pytest.fixture
def note(bridge):
    bridge.duration_s = 0.02
    return bridge


def single(scene, height):
    one = scene.copy()
    one.set(path, float(height))
    return jawari.simulate(one, trace=False, state=50)


def test_the_runs_are_single_runs(note):
    batch = jawari.batch(note, {path: heights})
    assert len(batch) == batch.runs == 5
    played = batch.run(dtype="float64", workers=2)
    assert played.sound.shape == (5, 1, 882) and played.sound.dtype == np.float64 and played.devices == ["cpu"] * 5
    for i, height in enumerate(heights):
        one = single(note, height)
        assert np.array_equal(played.sound[i], one.sound)
        assert played.ledger["stored_J"][i] == one.ledger["stored_J"]
        for name in ("impacts", "touching_steps", "largest_force_N", "deepest_m"):
            assert played.counts[name][i].tolist() == [c[name] for c in one.contacts]
        assert played.counts["impacts"][i].sum() > 0
        assert played.counts["lost_J"][i].tolist() == [one.accounts[c["name"]]["lost_J"] for c in one.contacts]
    assert not played.failures and not played.why and not played.stopped
    single_precision = batch.run()
    assert single_precision.sound.dtype == np.float32
    assert np.array_equal(single_precision.sound, played.sound.astype(np.float32))


def test_readings_and_shapes(note):
    name = next(iter(single(note, heights[0]).state))
    played = jawari.batch(note, {path: heights[:2]}).run(every=50, shapes=[name], sound=False)
    assert played.sound is None
    shape = played.shapes[name]
    assert shape.values.shape == (2, 882 // 50, len(shape.x_m)) and len(shape.t_s) == 882 // 50
    for i in range(2):
        one = single(note, heights[i]).state[name]
        k = np.searchsorted(one.t_s, shape.t_s[0] - 1e-9)
        assert k == 1 and shape.t_s[0] == pytest.approx(49 / 44100)
    system = jawari.compile(note)
    system.run(50)
    one = note.copy()
    one.set(path, float(heights[1]))
    system = jawari.compile(one)
    for r in range(3):
        system.run(50)
        assert np.array_equal(system.shape(name)[1], shape.values[1, r])
        assert played.energy["stored_J"][1, r] == pytest.approx(system.ledger["stored_J"], rel=1e-12)
    assert (played.imbalance < 1e-11).all() and (played.imbalance > 0).all()


def test_arrays_leave_without_a_copy(note):
    played = jawari.batch(note, {path: heights[:2]}).run()
    other = np.from_dlpack(played.sound)
    assert np.shares_memory(other, played.sound)
    kept = played.sound
    del played
    assert np.isfinite(kept).all()


def test_sound_of_a_device_is_taken_without_a_copy():
    """The capsule of a GPU, with memory of the host behind it."""
    for dtype in ("float32", "float64"):
        own = np.arange(24, dtype=dtype).reshape(2, 3, 4)
        sound = jawari._core.sound_on_host(own)
        assert sound.shape == (2, 3, 4) and sound.dtype == dtype and sound.__dlpack_device__() == (1, 0)
        taken = np.from_dlpack(sound)
        assert np.shares_memory(taken, own) and np.array_equal(taken, own)
        own[1, 2, 3] = 7
        assert taken[1, 2, 3] == 7 and sound.numpy()[1, 2, 3] == 7
        capsule = sound.__dlpack__(stream=None, max_version=(1, 0))  # not taken: freed with the capsule
        count = sys.getrefcount(own)
        del capsule, sound, taken
        gc.collect()
        assert sys.getrefcount(own) < count  # nothing holds it any more
        with pytest.raises(AttributeError):
            jawari._core.sound_on_host(own).__cuda_array_interface__
    with pytest.raises(TypeError, match="runs, pickups, samples"):
        jawari._core.sound_on_host(np.zeros(3))


def test_sound_goes_to_disk_while_it_is_played(note, tmp_path, monkeypatch):
    from jawari import sound_file
    drawn = {path: heights, "barrier[0].scheme": ["bounded", "two-point"] * 2 + ["bounded"]}
    batch = jawari.batch(note, drawn)
    for dtype in ("float32", "float64"):
        kept = batch.run(dtype=dtype)
        file = batch.run(dtype=dtype, out=tmp_path / f"{dtype}.npy")
        assert isinstance(file.sound, np.memmap) and np.array_equal(file.sound, kept.sound)
        on_disk = np.load(tmp_path / f"{dtype}.npy")
        assert on_disk.dtype == dtype and np.array_equal(on_disk, kept.sound)
        assert np.array_equal(file.measure("peak"), kept.measure("peak"))
    monkeypatch.setattr(sound_file, "chunk_bytes", 2 * 4 * 882)  # two runs per chunk: the last one is not full
    stored = batch.run(out=tmp_path / "notes.zarr")
    kept = batch.run()
    assert stored.sound.shape == (5, 1, 882) and np.array_equal(stored.sound.numpy(), kept.sound)
    assert np.array_equal(stored.sound[4], kept.sound[4]) and np.array_equal(stored.sound[1:3], kept.sound[1:3])
    for name in ("peak", "rms"):
        assert np.array_equal(stored.measure(name), kept.measure(name))
    assert len(list((tmp_path / "notes.zarr" / "sound").glob("*.0.0"))) == 3
    package("zarr")
    opened = package("xarray").open_zarr(tmp_path / "notes.zarr", consolidated=True, mask_and_scale=False)
    assert opened["sound"].dims == ("run", "pickup", "time_s") and np.array_equal(opened["sound"].values, kept.sound)
    assert opened[path].values.tolist() == heights.tolist() and opened["barrier[0].scheme"].values.tolist() == drawn["barrier[0].scheme"]
    assert np.array_equal(opened["impacts"].values, kept.counts["impacts"]) and opened["time_s"].values[1] == 1 / 44100
    assert np.array_equal(opened["stored_J"].values, kept.ledger["stored_J"]) and opened.attrs["scene"] == note.text()
    for bad, said in (("notes.zarr", "is there already"), ("notes.wav", "must end in .npy or .zarr"), ("none/notes.npy", "cannot be made")):
        with pytest.raises(jawari.InputError, match=said):
            batch.run(out=tmp_path / bad)
    with pytest.raises(jawari.InputError, match="there is no sound to write"):
        batch.run(out=tmp_path / "x.npy", sound=False)
    monkeypatch.setenv("JAWARI_CUDA", str(tmp_path / "none.so"))
    with pytest.raises(jawari.InputError, match="none.so"):
        batch.run(out=tmp_path / "x.npy", device="cuda")
    assert not (tmp_path / "x.npy").exists()  # nothing was played: it may be tried again

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full)  # before anything is played, and nothing stays
    for name in ("y.npy", "y.zarr"):
        with pytest.raises(jawari.InputError, match="No space left"):
            batch.run(out=tmp_path / name)
        assert not (tmp_path / name).exists()


def test_what_is_refused_or_has_another_length_says_why(note):
    played = jawari.batch(note, {"duration_s": [0.02, 0.01, -1.0]}).run(every=100)
    assert set(played.failures) == {1, 2} and "duration_s" in played.failures[2] and "the first run" in played.failures[1]
    assert np.isnan(played.sound[1:]).all() and np.isfinite(played.sound[0]).all()
    assert np.isnan(played.energy["stored_J"][1:]).all() and np.isnan(played.counts["impacts"][1:]).all()


def test_some_runs(note):
    batch = jawari.batch(note, {path: jawari.uniform(1e-3, 4e-3)}, count=6, seed=4)
    all_runs, some = batch.run(), batch.run(runs=[4, 1])
    assert some.runs == [4, 1] and np.array_equal(some.sound, all_runs.sound[[4, 1]])
    assert np.array_equal(jawari.batch(note, {path: jawari.uniform(1e-3, 4e-3)}, count=3, seed=4).values[path], batch.values[path][:3])


def test_measures(note):
    played = jawari.batch(note, {path: heights[:2]}).run(dtype="float64")
    for i in range(2):
        one = single(note, heights[i])
        for name in ("peak", "imbalance", "impacts", "lost_J"):
            assert np.array_equal(np.atleast_1d(played.measure(name)[i]), np.atleast_1d(jawari.measures[name].of(one)))
        assert played.measure("rms")[i] == pytest.approx(jawari.measures["rms"].of(one))
    with pytest.raises(jawari.InputError, match="measures names 'loudness'"):
        played.measure("loudness")


def test_a_batch_that_is_stopped_says_so(note):
    stop = jawari.Stop()
    stop.set()
    played = jawari.batch(note, {path: heights}).run(stop=stop)
    assert played.stopped and len(played.failures) == 5 and np.isnan(played.sound).all()


def test_progress_and_errors_of_it(note):
    shares = []
    note.duration_s = 0.5
    jawari.batch(note, {path: heights}).run(progress=shares.append, workers=1)
    assert shares == sorted(shares) and all(0 <= s <= 1 for s in shares)

    def fails(share):
        raise RuntimeError("no more")
    note.duration_s = 60  # it is asked now and then: long before the end of any run
    with pytest.raises(RuntimeError, match="no more"):
        jawari.batch(note, {path: heights}).run(progress=fails, sound=False)


def test_the_quality_is_that_of_simulate(note):
    batch = jawari.batch(note, {path: heights[:2]}, quality="high")
    played = batch.run(dtype="float64")
    one = note.copy()
    one.set(path, float(heights[1]))
    result = jawari.simulate(one, trace=False, quality="high")
    assert round(result.sr / played.rate_hz) == 4
    assert np.array_equal(played.sound[1], listen(result, played.rate_hz, "float64"))


@pytest.mark.parametrize("changes, said", [
    ({"device": "gpu"}, 'device is "gpu", but must be one of "cpu", "cuda"'),
    ({"kernels": "fast"}, 'kernels is "fast"'),
    ({"dtype": "float64", "sound": "device", "kernels": "single"}, "dtype is 'float64', but kernels are 'single'"),
    ({"dtype": "int"}, "dtype is 'int', but must be 'float32' or 'float64'"),
    ({"sound": "gpu"}, "sound is 'gpu', but must be True, False or 'device'"),
    ({"sound": "device"}, 'the device is "cpu"; it must be "cuda"'),
    ({"every": -1}, "every is -1, but must be a whole number, at least 0"),
    ({"workers": 0}, "workers is 0, but must be a whole number, at least 1"),
    ({"shapes": ["string"]}, "every is 0"),
    ({"shapes": ["plate"], "every": 10}, 'shapes names "plate"'),
    ({"runs": [7]}, "runs names 7, but must be whole numbers from 0 to 4"),
    ({"runs": []}, "runs is empty"),
])
def test_arguments_are_checked(note, changes, said):
    with pytest.raises(jawari.InputError) as e:
        jawari.batch(note, {path: heights}).run(**changes)
    assert said in str(e.value)


def test_what_a_batch_is_made_of_is_checked(note):
    for arguments, said in (((note, {}), "parameters is empty"), ((note, {"string.none_m": [1]}), "string.none_m"),
                            ((note, {path: jawari.uniform(1, 2)}), "count is missing"), ((7, {path: heights}), "scene is 7")):
        with pytest.raises(jawari.InputError) as e:
            jawari.batch(*arguments)
        assert said in str(e.value)


def tree(store):
    return {str(f.relative_to(store)): hashlib.sha256(f.read_bytes()).hexdigest() for f in sorted(pathlib.Path(store).rglob("*")) if f.is_file()}


def test_a_data_set_is_played_in_batches(note, tmp_path):
    drawn = {path: jawari.uniform(1e-3, 4e-3), "barrier[0].scheme": jawari.choice(["bounded", "two-point"])}
    labels = ["peak", "rms", "impacts", "ledger", "lost_J"]
    whole = jawari.dataset(note, drawn, tmp_path / "whole.zarr", count=7, seed=2, measures=labels, device="cpu", sound_type="float64")
    by_one = jawari.dataset(note, drawn, tmp_path / "one.zarr", count=7, seed=2, measures=labels, sound_type="float64")
    assert whole.complete and not whole.failures
    assert np.array_equal(whole.read("sound"), by_one.read("sound")) and np.array_equal(whole.read("impacts"), by_one.read("impacts"))
    assert np.array_equal(whole.read("peak"), by_one.read("peak"))
    shards = [jawari.dataset(note, drawn, tmp_path / "shards.zarr", count=7, seed=2, measures=labels, device="cpu", sound_type="float64",
                             shard=f"{k}/2") for k in (2, 1)]
    assert not shards[0].complete and shards[1].complete
    assert tree(shards[1].path) == tree(whole.path)
    assert "device" not in jawari.Plan.samples(note, drawn, 7, 2, kept=("peak",), device="cpu").attributes()
    same = [jawari.Plan.samples(note, drawn, 7, 2, kept=kept, device=device, kernels=kernels).identity
            for kept, kernels in ((("peak", "impacts", "deepest_m"), "exact"), (("peak", "ledger"), "exact"), (("peak",), "fused"))
            for device in ("cpu", "cuda")]
    assert same[0] == same[1] and same[2] != same[3] and same[4] != same[5]  # sums of energy are added up in another order
    with pytest.raises(jawari.InputError, match="another plan"):  # numbers of another kind are another store
        jawari.dataset(note, drawn, whole.path, count=7, seed=2, measures=labels, device="cpu", kernels="fused", sound_type="float64")


def test_a_gpu_that_is_not_there_is_an_error_with_the_reason(note, monkeypatch, tmp_path):
    monkeypatch.setenv("JAWARI_CUDA", str(tmp_path / "none.so"))
    with pytest.raises(jawari.InputError) as e:
        jawari.batch(note, {path: heights}).run(device="cuda")
    assert 'device is "cuda", but' in str(e.value) and "none.so" in str(e.value)


def skip_without_gpu(error):
    """Skips where there is no CUDA device, or its component was not built; anything else is an error."""
    said = str(error)
    built = "JAWARI_CUDA" in os.environ or (pathlib.Path(jawari.__file__).parent / "libjawari-cuda.so").exists()
    if "there is no CUDA device" in said or "has compute capability" in said or ("is not installed" in said and not built):
        pytest.skip(said)
    raise error


def test_without_a_gpu_a_test_is_skipped_for_the_right_reason(monkeypatch):
    monkeypatch.setenv("JAWARI_CUDA", "none.so")
    with pytest.raises(jawari.InputError):  # it was built, and cannot be loaded
        skip_without_gpu(jawari.InputError('device is "cuda", but the component for CUDA is not installed (none.so)'))
    with pytest.raises(pytest.skip.Exception):
        skip_without_gpu(jawari.InputError('device is "cuda", but there is no CUDA device, or its driver is older than this library needs'))


def test_a_gpu_plays_the_same_bits():
    note = jawari.Scene.from_text("""
        rate_hz = 44100
        duration_s = 0.1
        quality = "draft"
        [[string]]
        name = "string"
        length_m = 1
        tension_N = 500
        radius_m = 5e-4
        start = { shape = "pluck", position_m = 0.3, height_m = 1e-3 }
        [[barrier]]
        string = "string"
        shape = "parabola"
        height_m = -1e-4
        centre_m = 0.2
        curvature_1_m = 2e-3
        law = { type = "power", stiffness_per_m = 5e6, exponent = 1.4 }
        points_per_cell = 1
        scheme = "bounded"
        [[pickup]]
        of = "string"
        quantity = "velocity"
        position_m = 0.77
        """)
    batch = jawari.batch(note, {path: heights})
    try:
        there = batch.run(device="cuda", dtype="float64", every=90)
    except jawari.InputError as e:
        skip_without_gpu(e)
    here = batch.run(dtype="float64", every=90)
    assert there.devices == ["cuda"] * 5, there.why
    assert np.array_equal(there.sound, here.sound)
    stays = batch.run(device="cuda", sound="device").sound
    assert stays.shape == there.sound.shape and stays.__dlpack_device__() == (2, 0)
    assert np.array_equal(stays.numpy(), there.sound) and stays.__cuda_array_interface__["typestr"] == "<f8"
    assert np.allclose(there.energy["stored_J"], here.energy["stored_J"], rtol=1e-12)
    for name in ("impacts", "touching_steps", "largest_force_N", "deepest_m"):
        assert np.array_equal(there.counts[name], here.counts[name]), name
