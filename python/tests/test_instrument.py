# SPDX-License-Identifier: MIT
"""Instruments: notes while it sounds, tunings, MIDI bytes."""
import numpy as np
import pytest

import jawari
from jawari import Instrument, InputError, Scene, tuning

TEXT = """
duration_s = 1
rate_hz = 48000
[[string]]
name = "s"
length_m = 0.62
frequency_hz = 261.626
density_kg_m = 6.34e-3
method = "modes"
bandwidth = 0.2
decay_s = [4.0, 0.5]
decay_hz = [262, 4000]
[[hammer]]
name = "hammer"
target = "s"
position_m = 0.0744
mass_kg = 2.97e-3
law = { type = "hunt-crossley", stiffness = 4.5e9, exponent = 2.5, mu = 0.1 }
[voice]
string = "s"
strike = "hammer"
soft = 0.6
loud = 4.5
voices = 3
"""


@pytest.fixture
def scene():
    return Scene.from_text(TEXT)


def test_plays_the_same_in_any_blocks(scene):
    def play(block):
        instrument = Instrument(scene)
        parts = []
        for at in range(0, 9600, block):
            for when, key in ((0, 60), (1000, 64), (1001, 67), (5000, 72)):
                if at <= when < at + block:
                    instrument.note_on(key, 0.8, frame=when - at)
            parts.append(instrument.process(min(block, 9600 - at)))
        return np.concatenate(parts, axis=1)

    whole = play(9600)
    assert np.max(np.abs(whole)) > 0
    assert np.array_equal(play(480), whole)
    assert np.array_equal(play(37), whole)


def test_voices_sleep_when_they_have_faded(scene):
    instrument = Instrument(scene)
    instrument.note_on(60)
    instrument.note_off(60, frame=100)
    instrument.process(4800)
    assert instrument.sounding == 1 and not instrument.silent
    instrument.process(96000)
    assert instrument.sounding == 0 and instrument.silent
    assert instrument.energy()["imbalance"] < 1e-11


def test_tunings(tmp_path, scene):
    assert tuning("sitar", tonic=62)[69] / tuning("sitar", tonic=62)[62] == pytest.approx(1.5)
    path = tmp_path / "third.scl"
    path.write_text("thirds\n2\n5/4\n2/1\n")
    hz = tuning(path)
    assert hz[61] / hz[60] == pytest.approx(1.25) and hz[62] / hz[60] == pytest.approx(2)
    instrument = Instrument(scene)
    instrument.set_tuning(path)
    instrument.set_tuning(np.linspace(100, 300, 128))
    instrument.process(100)
    with pytest.raises(InputError, match="128"):
        instrument.set_tuning([440.0])
    with pytest.raises(InputError, match="must be one of"):
        tuning("just-so")
    with pytest.raises(InputError, match="goes with a Scala file"):
        tuning("just", kbm="x.kbm")


def test_midi_bytes_are_notes(scene):
    one, two = Instrument(scene), Instrument(scene)
    one.midi(bytes([0x90, 60, 127, 0xE0, 0, 96]))
    two.note_on(60, 1.0)
    two.send("bend", 4096 / 8192)
    assert np.array_equal(one.process(2400), two.process(2400))


def test_input_errors(scene):
    with pytest.raises(InputError, match="no \\[voice\\]"):
        bare = scene.copy()
        bare.voice = None
        Instrument(bare)
    instrument = Instrument(scene)
    with pytest.raises(InputError, match="must be one of note_on"):
        instrument.send("note")
    instrument.note_on(60, frame=500)
    with pytest.raises(InputError, match="the block has 100 frames"):
        instrument.process(100)
    with pytest.raises(InputError, match="no \\[\\[control\\]\\]"):
        instrument.set("buzz", 1)
    with pytest.raises(InputError, match="keys"):
        Instrument(scene, keys=(60, 50))
    assert jawari.Instrument is Instrument


SOUND = """
duration_s = 1
rate_hz = 48000
[[mass]]
name = "m"
mass_kg = 0.01
[[excitation]]
body = "m"
type = "input"
amplitude_N = 2
[[pickup]]
of = "m"
quantity = "velocity"
"""


def test_sound_that_comes_in_pushes():
    engine = jawari.Engine(Scene.from_text(SOUND))
    assert engine.inputs == 1 and engine.input_latency == 0
    y = np.zeros(200)
    y[50] = 0.5
    y[60] = np.nan
    v = engine.process(input=y)
    assert v.shape == (1, 200) and not v[:, :50].any()
    assert v[0, -1] == pytest.approx(2 * 0.5 / 48000 / 0.01, rel=1e-12)
    assert engine.replaced_input == 1
    engine.reset()
    parts = [engine.process(input=np.stack([y, y])[:, a:b]) for a, b in ((0, 64), (64, 65), (65, 200))]
    assert (np.concatenate(parts, axis=1) == v).all()
    assert engine.process(10).shape == (1, 10)
    for bad in (np.zeros((1, 2, 3)), np.zeros(0), "loud"):
        with pytest.raises(InputError, match="input"):
            engine.process(input=bad)
    with pytest.raises(InputError, match="input"):
        engine.process(10, np.zeros(11))


def test_sound_that_comes_in_beside_notes():
    keys = Instrument(Scene.from_text(TEXT + '[[excitation]]\nbody = "s"\nposition_m = 0.1\ntype = "input"\n'))
    assert keys.inputs == 1
    keys.note_on(60, 0.8)
    a = keys.process(480)
    keys.reset()
    keys.note_on(60, 0.8)
    b = keys.process(input=np.full(480, 0.1))
    assert a.shape == b.shape and (a != b).any() and np.isfinite(b).all()
