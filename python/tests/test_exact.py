# SPDX-License-Identifier: MIT
"""Closed forms: over arrays, consistent, checked."""
import math

import numpy as np
import pytest

import jawari
from jawari import exact


def test_restitution_and_its_inverse():
    e = np.array([1.0, 0.9, 0.5, 0.1])
    assert exact.restitution(exact.mu_v_for_restitution(e)) == pytest.approx(e, rel=1e-13)
    assert exact.restitution(0.0) == 1 and exact.restitution_deficit(1e-12) == pytest.approx(2e-12 / 3, rel=1e-9)
    for bad in (math.nan, -1, "x", [0.1, math.nan]):
        with pytest.raises(ValueError, match="mu_v"):
            exact.restitution(bad)
    with pytest.raises(ValueError, match="restitution"):
        exact.mu_v_for_restitution(1.5)


def test_arrays_go_through():
    i = jawari.Impact(mass_kg=0.01, stiffness=np.geomspace(1e6, 1e9, 5), exponent=1.5, mu=0.3, speed_m_s=2.0)
    times = i.contact_time
    one = jawari.Impact(mass_kg=0.01, stiffness=1e6, exponent=1.5, mu=0.3, speed_m_s=2.0)
    assert times.shape == (5,) and times[0] == one.contact_time and np.all(np.diff(times) < 0)
    # K scales time as K^(-1/(alpha+1))
    assert times[-1] / times[0] == pytest.approx(1000 ** (-0.4), rel=1e-12)


def test_motion_obeys_newton():
    i = jawari.Impact(mass_kg=0.02, stiffness=3e7, exponent=1.7, mu=0.6, speed_m_s=1.3)
    t = np.linspace(0, i.contact_time, 4001)[1:-1]
    x, v = i.motion(t)
    acceleration = np.gradient(v, t)
    force = i.stiffness * x**1.7 * (1 + 0.6 * v)
    assert np.allclose(acceleration[1:-1], -force[1:-1] / 0.02, rtol=1e-4, atol=1e-3 * np.max(force) / 0.02)
    assert force.max() == pytest.approx(i.peak_force, rel=1e-6) and x.max() == pytest.approx(i.max_compression, rel=1e-6)
    assert i.compression(0.0) == pytest.approx(i.max_compression, rel=1e-12)
    assert i.outbound_velocity == pytest.approx(-i.restitution * 1.3, rel=1e-12)
    assert i.energy_change == pytest.approx(0.01 * (i.outbound_velocity**2 - 1.3**2), rel=1e-12)


@pytest.mark.parametrize("name", ["mass_kg", "stiffness", "exponent", "mu", "speed_m_s"])
@pytest.mark.parametrize("bad", [math.nan, math.inf, -1.0, "x", None, True])
def test_impacts_are_checked(name, bad):
    with pytest.raises(ValueError, match=name):
        jawari.Impact(**{**dict(mass_kg=1.0, stiffness=1e6, exponent=1.5, mu=0.1, speed_m_s=1.0), name: bad})


def test_advice_and_integrators():
    i = jawari.Impact(mass_kg=0.01, stiffness=1e6, exponent=1.5, mu=0.1)
    assert i.advise(44100).samples_per_contact == pytest.approx(i.contact_time * 44100, rel=0.01)
    rough, fine = (i.record("verlet", rate).deviation for rate in (44100, 176400))
    assert abs(fine["x"]) < abs(rough["x"]) / 4  # recycled force: between first and second order
    assert abs(i.record("invariant", 44100).deviation["v_out"]) < 1e-9
    with pytest.raises(ValueError, match="scheme"):
        i.record("euler", 44100)
    with pytest.raises(ValueError, match="rate_hz"):
        i.advise(math.nan)


def test_laws_are_functions():
    y = np.linspace(-1e-3, 1e-3, 11)
    power = jawari.PowerLaw(stiffness=1e8, exponent=1.5)
    assert np.allclose(power.force(y), np.where(y > 0, 1e8 * np.abs(y) ** 1.5, 0), rtol=1e-12)
    assert np.allclose(power.potential(y), power.psi(y) ** 2 / 2, rtol=1e-14)
    odd = jawari.OddPower(stiffness=1e8, exponent=3)
    assert np.allclose(odd.force(y), 1e8 * y**3, rtol=1e-12)
    gap = jawari.CentreLimited(stiffness=1e8, exponent=1.5, gap_m=5e-4)
    assert np.all(gap.force(y[np.abs(y) < 5e-4]) == 0) and gap.force(1e-3) > 0 > gap.force(-1e-3)
    lossy = jawari.HuntCrossley(stiffness=1e8, exponent=1.5, restitution=0.5, restitution_speed_m_s=2.0)
    assert exact.restitution(2.0 * lossy.numbers()["mu"]) == pytest.approx(0.5)
