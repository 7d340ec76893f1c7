# SPDX-License-Identifier: MIT
"""Simulated impacts against the closed forms and against scenes."""
import numpy as np
import pytest

import jawari


def scene(mass_kg, stiffness, exponent, mu, speed_m_s, rate_hz, scheme):
    s = jawari.Scene(rate_hz=rate_hz, duration_s=0.01)
    s.add(jawari.Mass(name="m", mass_kg=mass_kg, position_m=-0.5 * speed_m_s / rate_hz, velocity_m_s=speed_m_s))
    s.add(jawari.Contact(name="c", bodies=["m", "wall"], law=jawari.HuntCrossley(stiffness=stiffness, exponent=exponent, mu=mu), scheme=scheme))
    return s


@pytest.mark.parametrize("scheme", ["guarded-two-point", "two-point", "quadratised"])
def test_are_those_of_a_scene(scheme):
    mass, speed, rate = 0.01, 1.3, 44100
    stiffness = np.array([1e6, 1e7, 1e8])
    got = jawari.impacts(mass_kg=mass, stiffness=stiffness, exponent=1.5, mu=0.4, speed_m_s=speed, rate_hz=rate, scheme=scheme)
    for i, k in enumerate(stiffness):
        r = jawari.simulate(scene(mass, k, 1.5, 0.4, speed, rate, scheme), quality="draft")
        velocity = r["m.velocity_m_s"][-1]
        assert got.outbound_m_s[i] == pytest.approx(-velocity, rel=1e-9)
        assert got.force_N[i] == pytest.approx(np.abs(r["c.force_N"]).max(), rel=1e-9)


def test_converge_to_the_closed_forms():
    rng = np.random.default_rng(3)
    values = dict(mass_kg=10 ** rng.uniform(-3, -1, 40), stiffness=10 ** rng.uniform(6, 8, 40), exponent=rng.uniform(1, 2.5, 40),
                  mu=rng.uniform(0, 1, 40), speed_m_s=rng.uniform(0.3, 3, 40))
    exact = jawari.Impact(**values)
    fine = jawari.impacts(**values, rate_hz=4e6, scheme="two-point", longest_s=0.1)
    assert np.abs(fine.outbound_m_s / -exact.outbound_velocity - 1).max() < 1e-3
    assert np.abs(fine.compression_m / exact.max_compression - 1).max() < 1e-3
    assert fine.imbalance.max() < 1e-10


def test_threads_and_shapes_change_nothing():
    k = np.geomspace(1e6, 1e10, 300).reshape(20, 15)
    one = jawari.impacts(mass_kg=0.01, stiffness=k, workers=1)
    two = jawari.impacts(mass_kg=0.01, stiffness=k, workers=2)
    assert one.restitution.shape == (20, 15)
    for a, b in zip(one, two):
        assert np.array_equal(a, b)


def test_refuse_what_makes_no_sense():
    with pytest.raises(jawari.InputError, match=r"impact\[1\].mass_kg is -1"):
        jawari.impacts(mass_kg=[0.01, -1], stiffness=1e8)
    with pytest.raises(jawari.InputError, match="scheme"):
        jawari.impacts(mass_kg=0.01, stiffness=1e8, scheme="two-pont")
    assert np.isnan(jawari.impacts(mass_kg=1, stiffness=1, speed_m_s=0.1, longest_s=0.01).restitution)
