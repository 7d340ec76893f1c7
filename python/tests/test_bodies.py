# SPDX-License-Identifier: MIT
"""Bodies from arrays, hands, events, several pickups."""
import numpy as np
import pytest

import jawari

law = jawari.PowerLaw(stiffness=1e6, exponent=1.5)


def board(n=5):
    """A soundboard as it might come from a measurement."""
    f = 100 * np.arange(1, n + 1) ** 1.3
    return jawari.Modal(name="board", frequencies_hz=f, decay_s=np.full(n, 0.5), masses_kg=np.linspace(0.3, 0.6, n),
                        points={"bridge": np.cos(np.arange(n)), "ear": np.sin(1 + np.arange(n))})


def test_a_body_from_arrays_rings_at_its_frequencies():
    b = board()
    scene = jawari.Scene(b, jawari.Excitation(body="board", at="bridge", type="pulse", amplitude_N=1.0, duration_s=0.001),
                         jawari.Pickup(of="board", at="ear"), duration_s=2.0)
    y, sr = scene.render()
    power = np.abs(np.fft.rfft(y[0] * np.hanning(y.shape[1])))
    f = np.fft.rfftfreq(y.shape[1], 1 / sr)
    for expected in b.frequencies_hz:
        near = np.abs(f - expected) < 10
        assert f[near][np.argmax(power[near])] == pytest.approx(expected, abs=0.5)


def test_points_are_checked_and_pickle():
    import pickle
    b = board()
    assert pickle.loads(pickle.dumps(b)) == b and set(b.points) == {"bridge", "ear"}
    with pytest.raises(ValueError, match="modal.points"):
        jawari.Modal(name="b", frequencies_hz=[1.0], decay_s=[1.0], masses_kg=[1.0], points=3)
    scene = jawari.Scene(b.replace(masses_kg=[1.0]), jawari.Pickup(of="board", at="ear"), duration_s=0.01)
    with pytest.raises(ValueError, match="masses_kg"):
        scene.simulate()
    with pytest.raises(ValueError, match="at"):
        jawari.Pickup(of="board", at=[1.0, 2.0, 3.0])


def test_every_pickup_is_a_channel():
    scene = jawari.Scene(board(), jawari.Hammer(name="hammer", target="board", at="bridge", mass_kg=0.01, velocity_m_s=1.0, law=law),
                         jawari.Pickup(of="board", at="ear", name="left", gain=2.0), jawari.Pickup(of="board", at="bridge", name="right"),
                         duration_s=0.05)
    r = scene.simulate()
    assert r.sound.shape == (2, r.steps) and list(r.tracks) == ["left", "right"]
    assert np.array_equal(r.sound[0], r.tracks["left"]) and not r.tracks["left"].flags.owndata
    assert np.allclose(r.sound.sum(axis=0), r.mix, rtol=1e-14, atol=1e-300)
    assert r.accounts["board"]["received_J"] > 0
    assert jawari.Scene.from_text(scene.text()).simulate().sound.tolist() == r.sound.tolist()


def test_events_move_a_finger():
    string = jawari.String(name="s", length_m=0.65, frequency_hz=147, radius_m=2e-4,
                           start=jawari.Start(shape="pluck", position_m=0.2, height_m=1e-3))
    finger = jawari.Finger(name="finger", target="s", position_m=0.4, law=law)
    press = jawari.Event(do="press", target="finger", time_s=0.02, depth_m=5e-4, duration_s=0.005)
    scene = jawari.Scene(string, finger, press, jawari.Pickup(of="s"), duration_s=0.06)
    r = scene.simulate()
    event = r.events[r.events["contact"] == "finger-s"]
    assert len(event) and event["start_s"].min() > 0.02
    with pytest.raises(ValueError, match="depth_m"):
        jawari.Event(do="press", target="finger")


def test_oversampling_is_in_the_rate(ball):
    ball.oversample = 4
    r = ball.simulate()
    assert r.sr == 4 * 44100 and r.steps == 4 * 2205 and r.t_s[-1] < 0.05


def struck_board():
    return jawari.Scene(board(), jawari.Hammer(name="hammer", target="board", at="bridge", mass_kg=0.01, velocity_m_s=1.0, law=law),
                        jawari.Pickup(of="board", at="ear", name="left", pan=-1.0), jawari.Pickup(of="board", at="bridge", name="right", pan=1.0),
                        duration_s=0.05)


def test_an_engine_plays_the_same_in_any_blocks():
    scene = struck_board()
    whole = jawari.Engine(scene).process(2205)
    engine = jawari.Engine(scene)
    parts = [engine.process(n) for n in (1, 64, 1000, 1140)]
    assert np.array_equal(np.concatenate(parts, axis=1), whole)
    assert np.allclose(whole[0], scene.simulate(quality="draft").mix, rtol=1e-12, atol=1e-15 * np.abs(whole).max())
    assert jawari.Engine(scene, channels=0).process(100).shape == (2, 100) == jawari.Engine(scene, channels=2).process(100).shape
    assert engine.snapshot()["imbalance"] < 1e-10 and not engine.failed


def test_an_engine_takes_events():
    scene = struck_board()
    scene.hammers[0].velocity_m_s = 0.0
    engine = jawari.Engine(scene)
    assert not engine.process(500).any()
    engine.send(jawari.Event(do="strike", target="hammer", velocity_m_s=1.0), offset=100)
    y = engine.process(2000)
    assert not y[0, :100].any() and y[0, 200:].any()
    parameter = next(k for k in engine.parameters.values() if k.name.endswith(".gain"))
    owner, parameter = parameter.name.rsplit(".", 1)
    engine.send(jawari.Event(do="set", target=owner, parameter=parameter, value=0.5))
    with pytest.raises(ValueError, match="nothing"):
        engine.send(jawari.Event(do="strike", target="nothing", velocity_m_s=1.0))
    for bad in (0, -1, 1.5, "x"):
        with pytest.raises(ValueError, match="frames"):
            engine.process(bad)
    with pytest.raises(ValueError, match="channels"):
        jawari.Engine(scene, channels=3)


def test_oversampled_sound_comes_out_at_the_rate_of_the_scene():
    scene = struck_board()
    scene.oversample = 4
    engine = jawari.Engine(scene)
    y = engine.process(2000)[0]
    assert engine.sr == 44100 and engine.latency > 0
    plain = struck_board().simulate(quality="draft").mix
    late = engine.latency
    assert np.corrcoef(y[late:1500], plain[:1500 - late])[0, 1] > 0.999
