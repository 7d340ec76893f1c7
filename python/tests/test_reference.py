# SPDX-License-Identifier: MIT
"""An independent reference: SciPy's DOP853 with events, against our schemes at rates where they have converged."""
import numpy as np
import pytest

import jawari
from conftest import package

integrate = package("scipy.integrate")


def pieces(motion, state, t_end, surface, outputs):
    """Integrates through every touch and release, each found as an event: right-hand sides are smooth between."""
    t, y, out = 0.0, np.asarray(state, dtype=float), []
    touching = surface(0.0, y) > 0 or (surface(0.0, y) == 0 and surface(1e-12, y + 1e-12 * motion(0.0, y, False)) > 0)
    while t < t_end:
        def crossing(time, u):
            return surface(time, u)
        crossing.terminal, crossing.direction = True, -1 if touching else 1
        rest = outputs[(outputs > t) & (outputs <= t_end)]
        s = integrate.solve_ivp(lambda time, u: motion(time, u, touching), (t, t_end), y, method="DOP853", rtol=3e-14, atol=1e-18,
                                events=crossing, dense_output=True, max_step=t_end / 200)
        end = s.t[-1]
        inside = rest[rest <= end]
        if len(inside):
            out.append(s.sol(inside).T)
        t, y = end, s.y[:, -1].copy()
        if s.status == 1:
            touching = not touching
            t = np.nextafter(t, np.inf)
    return np.concatenate(out)


impacts = {  # mass, stiffness, exponent, mu, speed: linear, Hertz, felt; without and with loss
    "linear": (0.01, 1e5, 1.0, 0.0, 1.0),
    "sphere": (0.005, 4e5, 1.5, 0.0, 0.7),
    "lossy sphere": (0.005, 4e5, 1.5, 0.5, 0.7),
    "felt": (0.009, 4e8, 2.3, 0.0, 2.0),
    "lossy felt": (0.009, 2e10, 3.0, 1.2, 1.5),
}


@pytest.mark.parametrize("name", impacts)
def test_impacts(name):
    m, K, alpha, mu, v = impacts[name]
    exact = jawari.Impact(mass_kg=m, stiffness=K, exponent=alpha, mu=mu, speed_m_s=v)
    tau = float(exact.contact_time)
    rate = round(40000 / tau)
    steps = 80000  # twice the contact time
    law = jawari.HuntCrossley(stiffness=K, exponent=alpha, mu=mu)
    scene = jawari.Scene(jawari.Mass(name="m", mass_kg=m, velocity_m_s=v),
                         jawari.Contact(bodies=("m", "wall"), law=law, scheme="two-point"), rate_hz=rate, duration_s=steps / rate)
    r = scene.simulate()
    assert r.steps == steps and not r.failed
    at = np.arange(0, steps, 500)[1:]

    def motion(_, u, touching):
        x, w = u
        return np.array([w, -K * max(x, 0.0) ** alpha * (1 + mu * w) / m if touching else 0.0])

    reference = pieces(motion, [0.0, v], steps / rate, lambda _, u: u[0], at / rate)
    x, scale = r["m.displacement_m"][at], float(exact.max_compression)
    assert np.max(np.abs(x - reference[:, 0])) < 1e-8 * scale
    assert np.max(np.abs(r["m.velocity_m_s"][at] - reference[:, 1])) < 1e-8 * v
    # The closed forms say the same, in their own way.
    ours, speed = exact.motion(at / rate)
    assert np.max(np.abs(ours - reference[:, 0])) < 1e-9 * scale and np.max(np.abs(speed - reference[:, 1])) < 1e-9 * v


@pytest.mark.parametrize("mu", [0.0, 0.4])
def test_a_string_of_twenty_modes_on_a_stop(mu):
    L, T, rho, EI, sigma = 0.8, 60.0, 1.2e-3, 1e-4, 2.0
    K, alpha, height, where, h = 2e4, 1.5, -1e-3, 0.31, 4e-3
    p = np.arange(1, 21)
    beta = p * np.pi / L
    omega2, mass = (T * beta**2 + EI * beta**4) / rho, rho * L / 2
    phi = np.sin(beta * where)
    listen = np.sin(beta * 0.55)
    duration = 0.006
    rates = (1e6, 1.6e7)

    def motion(_, u, touching):
        q, w = u[:20], u[20:]
        f = 0.0
        if touching:
            y = height - phi @ q
            f = K * max(y, 0.0) ** alpha * (1 - mu * (phi @ w))
        return np.concatenate([w, -omega2 * q - 2 * sigma * w + f * phi / mass])

    start = np.zeros(40)
    start[0] = h
    at = np.arange(0, round(duration * rates[0]), 100)[1:]
    reference = pieces(motion, start, duration, lambda _, u: height - phi @ u[:20], at / rates[0])[:, :20] @ listen
    scene = jawari.Scene(
        jawari.String(name="s", length_m=L, tension_N=T, density_kg_m=rho, bending_N_m2=EI, sigma0_1_s=sigma, method="modes",
                      stepping="exact", modes=20, start=jawari.Start(shape="mode", number=1, height_m=h)),
        jawari.Barrier(string="s", shape="point", position_m=where, height_m=height, scheme="two-point",
                       law=jawari.HuntCrossley(stiffness=K, exponent=alpha, mu=mu)),
        jawari.Pickup(of="s", position_m=0.55, quantity="displacement", name="ear"), duration_s=duration)
    errors = []
    for rate in rates:
        scene.rate_hz = rate
        r = scene.simulate()
        event, = r.events  # it meets the stop once, long after the start, and leaves it
        assert 0.001 < event["start_s"] < event["end_s"] < 0.0059
        errors.append(np.max(np.abs(r["ear.displacement_m"][at * round(rate / rates[0])] - reference)) / h)
    assert errors[1] < 1e-8
    assert errors[0] / errors[1] == pytest.approx(256, rel=0.1)  # second order, down to there
