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
