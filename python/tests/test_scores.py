# SPDX-License-Identifier: MIT
"""Included scenes, voices, notes and MIDI files; what a render runs and analyses."""
import pathlib
import re
import subprocess

import numpy as np
import pytest

import jawari
from jawari import _core
from conftest import root, same_channels

law = jawari.PowerLaw(stiffness=1e8, exponent=1.5)


@pytest.fixture
def keys():
    """An instrument: a string and a hammer that notes play."""
    return jawari.Scene(
        jawari.String(name="string", length_m=0.62, frequency_hz=261.6, density_kg_m=6.34e-3, decay_s=[2.0, 0.5], decay_hz=[262, 5000]),
        jawari.Hammer(name="hammer", target="string", position_m=0.07, mass_kg=3e-3, law=law),
        jawari.Voice(string="string", strike="hammer", soft=0.6, loud=4.5, tail_s=0.05))


def test_every_shipped_scene_loads_from_anywhere(scenes, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = sorted(scenes.glob("*.toml"))
    assert len(files) > 15
    for path in files:
        scene = jawari.load(path)
        assert scene.text() == _core.Scene.read(str(path))[0].text(), path  # the same scene as the command line plays


def test_included_parts_are_there_and_can_be_changed(scenes):
    drone = jawari.load(scenes / "drone.toml")
    assert len(drone.strings) == 4 and drone.duration_s == 60 and drone.title == "Tanpura drone"
    before = drone.strings[0].length_m
    drone.strings[0].length_m = before * 1.01
    assert f"length_m = {before * 1.01!r}" in drone.text()


def test_includes_are_merged_as_the_reader_merges(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "deep.toml").write_text('duration_s = 2\n[[mass]]\nname = "a"\nmass_kg = 1\n[[mass]]\nname = "b"\nmass_kg = 2\n')
    (tmp_path / "parts" / "base.toml").write_text('include = "deep.toml"\nrate_hz = 48000\n[[mass]]\nname = "c"\nmass_kg = 3\n'
                                                  '[[event]]\ndo = "strike"\ntarget = "c"\nvelocity_m_s = 1.0\n')
    (tmp_path / "scene.toml").write_text('include = ["parts/base.toml"]\nremove = ["b"]\nduration_s = 1\n[[mass]]\nname = "a"\nvelocity_m_s = 5\n'
                                         '[[mass]]\nname = "d"\nmass_kg = 4\n[[event]]\ndo = "strike"\ntarget = "a"\nvelocity_m_s = 2.0\n')
    scene = jawari.load(tmp_path / "scene.toml")
    assert [m.name for m in scene.masses] == ["a", "c", "d"] and scene["a"].mass_kg == 1 and scene["a"].velocity_m_s == 5
    assert scene.duration_s == 1 and scene.rate_hz == 48000 and len(scene.events) == 2
    assert scene.text() == _core.Scene.read(str(tmp_path / "scene.toml"))[0].text()
    scene.set("c.mass_kg", 7.0)
    assert scene.simulate(trace=False).steps == 48000


def test_a_scene_with_a_voice_plays_notes(keys):
    keys.add(jawari.Note(pitch="C4", time_s=0.0, duration_s=0.1), jawari.Note(pitch=67, time_s=0.05, duration_s=0.05, velocity=1.0))
    result = keys.simulate(trace=False)
    assert result.steps == round((0.1 + 0.05) * result.sr) and np.abs(result.mix).max() > 0
    text = keys.text()
    assert "string-C4" in text and "string-G4" in text
    keys.notes[0].pitch = "D4"
    assert "string-D4" in keys.text()
    louder = keys.copy().set("voice.loud", 9.0)
    assert np.abs(louder.simulate(trace=False).mix).max() > np.abs(result.mix).max() and keys.voice.loud == 4.5
    assert jawari.Scene.from_text(text).text() == text
    import pickle
    assert pickle.loads(pickle.dumps(keys)) == keys and keys.to_dict()["voice"]["strike"] == "hammer"


def test_a_score_comes_from_a_midi_file(scenes, tmp_path):
    keys = jawari.load(scenes / "prepared-keys.toml")
    keys.rate_hz = 24000
    etude = scenes / "etude.mid"
    played = keys.copy()
    played.midi = etude
    assert played.midi.file == str(etude) and keys.midi is None
    whole = jawari.load(scenes / "etude.toml")
    whole.rate_hz = 24000
    whole.title = keys.title
    assert played.text() == whole.text()
    with pytest.raises(jawari.InputError, match="no Voice"):
        jawari.simulate(jawari.load(scenes / "ball.toml"), midi=etude)
    with pytest.raises(jawari.InputError, match="notes of its own"):
        jawari.render(played, midi=etude)
    with pytest.raises(jawari.InputError, match="nothing.mid"):
        jawari.simulate(keys, midi=tmp_path / "nothing.mid")


@pytest.mark.parametrize("make, said", [
    (lambda: jawari.Note(pitch="H4"), 'note.pitch is "H4"'), (lambda: jawari.Note(pitch=128), "note.pitch is 128"),
    (lambda: jawari.Note(pitch="C4", velocity=1.5), "note.velocity is 1.5"), (lambda: jawari.Note(time_s=1.0), "note.pitch is missing"),
    (lambda: jawari.Note(pitch="C4", lenght_s=1.0), "note.lenght_s is not known"), (lambda: jawari.Voice(strike="h"), "voice.soft is missing"),
    (lambda: jawari.Voice(string="s", voices=1000), "voices"), (lambda: jawari.Midi(), "midi.file is missing"),
    (lambda: jawari.Scene(jawari.Note(pitch="C4"), duration_s=1.0).text(), "voice"),
    (lambda: jawari.Scene(jawari.Voice(string="s", strike="h", soft=1, loud=2), jawari.Note(pitch="C4")).text(), "no such string")])
def test_wrong_scores_are_refused_with_a_sentence(make, said):
    with pytest.raises(jawari.InputError, match=re.escape(said)):
        make()


def test_an_instrument_keeps_its_voice_when_it_is_written(keys, tmp_path):
    keys.save(tmp_path / "keys.toml")
    again = jawari.load(tmp_path / "keys.toml")
    assert again.voice == keys.voice
    again.voice = None
    assert again.voice is None and "voice" not in again.to_dict()


def test_the_snippet_about_notes_runs(tmp_path, monkeypatch):
    (tmp_path / "scenes").symlink_to(root / "scenes")
    monkeypatch.chdir(tmp_path)
    snippet, = re.findall(r"^```py\n(.*?)^```", (root / "docs" / "python" / "index.md").read_text(), flags=re.M | re.S)
    names = {"jawari": jawari}
    exec(compile(snippet, "index.md", "exec"), names)
    assert (tmp_path / "two-notes.wav").exists() and names["y"].any() and names["song"].text().count("[[hammer]]") > 5


# -- rendering

def test_a_render_runs_the_scene_once_whatever_is_asked_for(ball, tmp_path, monkeypatch):
    ball.duration_s = 0.05
    compiled = []
    real = _core.render
    monkeypatch.setattr(_core, "render", lambda *a: compiled.append(a) or real(*a))
    monkeypatch.setattr(_core, "System", None)
    jawari.render(ball, tmp_path / "y.wav", trace=tmp_path / "t.npy", report=tmp_path / "r.html")
    assert len(compiled) == 1


def test_the_report_of_an_oversampled_scene_analyses_what_is_heard(ball, tmp_path):
    ball.duration_s, ball.oversample = 0.05, 4
    y, sr = jawari.render(ball, report=tmp_path / "r.html")
    assert sr == ball.rate_hz and y.shape == (1, round(0.05 * sr))
    page = (tmp_path / "r.html").read_text()
    assert f"{0.05:g} s at {sr:g} Hz" in page


def program():
    found = pathlib.Path(jawari.__file__).parent / "bin" / "jawari"
    beside = pathlib.Path(jawari.__file__).parents[2] / "jawari"
    return found if found.exists() else beside


@pytest.mark.parametrize("name", ["ball", "bridge", "bridge-modes", "dulcimer"])
def test_trace_sound_and_python_agree(scenes, tmp_path, name):
    """The same samples by whatever way: the run with and without a trace, the trace file, the sound, the command line."""
    scene = jawari.load(scenes / f"{name}.toml")
    scene.duration_s = 0.02
    plain, traced = scene.simulate(trace=False), scene.simulate()
    assert plain.steps > 100 and np.array_equal(plain.sound, traced.sound)
    y, _ = jawari.render(scene, trace=tmp_path / "t.npy", report=tmp_path / "r.html")
    if plain.sr == scene.rate_hz:
        assert np.array_equal(y, plain.sound)
    rows = np.load(tmp_path / "t.npy")
    same_channels(traced.channels, np.array([rows[channel] for channel in traced.channels]), traced.trace)
    if program().exists():
        out = tmp_path / "y.wav"
        subprocess.run([program(), "--quiet", "render", scenes / f"{name}.toml", "--duration", "0.02", "--channels", "split", "--format", "float",
                        "--gain", "1", "-o", out], check=True)
        data = out.read_bytes()
        samples = np.frombuffer(data[data.index(b"data") + 8:], dtype="<f4").reshape(-1, len(y)).T
        assert np.array_equal(samples, y.astype(np.float32))


# -- comparing

def test_compare_changes_gestures_and_takes_scenes_with_gestures_alone():
    scene = jawari.Scene(jawari.Bar(name="bar", length_m=0.3, width_m=0.03, thickness_m=0.01, density_kg_m3=800, young_Pa=1.2e10, modes=12),
                         jawari.Hammer(name="h", target="bar", position_m=0.12, mass_kg=0.02, velocity_m_s=1.5, law=law), duration_s=0.005)
    c = scene.compare(["two-point", "quadratised"], rates=[1])
    assert len(c) == 2 and c["two-point"]["error"][0] != c["quadratised"]["error"][0] and np.isfinite(c.entries["error"]).all()
    assert "two-point" in set(scene.compare(rates=[1]).entries["scheme"])
