# SPDX-License-Identifier: MIT
"""Laws and barriers that are functions of Python, tabulated once."""
import math

import numpy as np
import pytest

import jawari
from conftest import package


def felt(y):
    return 1e6 * y**2 + 2e9 * y**3


def thrown(law, **keys):
    return jawari.Scene(jawari.Mass(name="m", mass_kg=0.01, velocity_m_s=1.0),
                        jawari.Contact(bodies=("m", "wall"), law=law, **keys), rate_hz=192000, duration_s=0.01)


def test_a_law_of_ones_own_moves_as_its_equation_says():
    integrate = package("scipy.integrate")
    r = thrown(jawari.tabulate(felt, 4e-3, points=4001)).simulate()
    assert r.contacts[0]["scheme"] == "two-point" and r.imbalance < 1e-12
    assert r["m.velocity_m_s"][-1] == pytest.approx(-1, abs=1e-9)

    def left(t, u):
        return u[0] if t > 0 else 1.0
    left.terminal, left.direction = True, -1
    s = integrate.solve_ivp(lambda t, u: [u[1], -felt(max(u[0], 0)) / 0.01], (0, 0.01), [0, 1], rtol=1e-12, atol=1e-15,
                            method="DOP853", events=left, dense_output=True)
    n = np.flatnonzero(r.t_s < s.t[-1])
    x = s.sol(r.t_s[n])[0]
    assert np.max(np.abs(r["m.displacement_m"][n] - x)) < 2e-5 * x.max()


def test_a_tabulated_law_is_its_function():
    law = jawari.tabulate(felt, 1e-3, points=2001)
    y = np.linspace(1e-5, 1e-3, 777)
    assert np.allclose(law.force(y), felt(y), rtol=1e-5)
    assert np.allclose(law.potential(y), 1e6 * y**3 / 3 + 2e9 * y**4 / 4, rtol=1e-5)
    assert law.force(-1.0) == 0


def test_what_is_no_law_is_refused():
    for function, why in [(lambda y: 1 + y, "begins with 1"), (lambda y: -y, "never fall"), (lambda y: math.nan, "begins with nan"),
                          (lambda y: 0 * y, "zeros only")]:
        with pytest.raises(ValueError, match=why):
            jawari.tabulate(function, 1e-3)
    with pytest.raises(ValueError, match="max_m"):
        jawari.tabulate(felt, -1)
    with pytest.raises(ValueError, match="points"):
        jawari.tabulate(felt, 1e-3, points=2)
    with pytest.raises(ValueError, match="function"):
        jawari.tabulate(3.0, 1e-3)
    with pytest.raises(ValueError, match="does not serve"):
        thrown(jawari.tabulate(felt, 1e-3), scheme="guarded-two-point").simulate()


def test_a_barrier_of_ones_own_is_the_parabola_it_copies(bridge):
    string, = bridge.strings
    given = bridge.barriers[0]
    own = bridge.copy()
    own.barriers[:] = [jawari.barrier_from(lambda x: -0.25 * (x - 0.785) ** 2, string=string, law=given.law, from_m=0.76,
                                           points=80001)]
    a, b = bridge.simulate(maps=True), own.simulate(maps=True)
    assert a.maps["string-barrier"].x_m == pytest.approx(b.maps["string-barrier"].x_m)
    heights = [r._fact("barriers")[0][3] for r in (a, b)]
    assert np.max(np.abs(heights[0] - heights[1])) < 1.01 * 0.5 * (0.8 / 80000) ** 2 / 8  # c h^2/8, straight between points
    early = slice(0, 400)  # later the small difference of heights grows, as buzzing is chaotic
    assert np.allclose(a.sound[0, early], b.sound[0, early], rtol=0, atol=1e-4 * np.abs(a.sound).max())
    with pytest.raises(ValueError, match="height at x = "):
        jawari.barrier_from(lambda x: math.nan, string=string, law=given.law)
