# SPDX-License-Identifier: MIT
"""One mass, one wall, Hunt-Crossley contact: everything in closed form or by quadrature (PAR11 section II).

Velocities point into the wall.  Arguments may be arrays; the forms keep their digits from mu = 0 (elastic) to mu v = 1000.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._tables import not_allowed

__all__ = ["Impact", "Advice", "Record", "restitution", "restitution_deficit", "restitution_approximate",
           "mu_v_for_restitution", "duration_bias"]


def _products(name: str, values: Any) -> np.ndarray:
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        not_allowed(name, repr(values), "be a number or an array of numbers")
    if not np.all((array >= 0) & (array <= 1e3)):
        not_allowed(name, repr(values), "lie in [0, 1000]")
    return array


def restitution(mu_v: Any):
    """Rebound over impact speed as a function of mu times the impact speed alone, (E1) PAR11 (6) solved."""
    return _core.restitution(_products("mu_v", mu_v))


def restitution_deficit(mu_v: Any):
    """1 - restitution, without the cancellation at small mu v."""
    return _core.restitution_deficit(_products("mu_v", mu_v))


def restitution_approximate(mu_v: Any):
    """The fourth-order formula PAR11 (7), (8); off by at most 2.05 %, at mu v = 3."""
    return _core.restitution_approximate(_products("mu_v", mu_v))


def mu_v_for_restitution(restitution: Any):
    """The inverse (E2): mu times the impact speed for a restitution in (0, 1]."""
    return _core.mu_v_for_restitution(np.asarray(restitution, dtype=float))


def duration_bias(exponent: Any):
    """c of (E8): the simulated contact time is off by c (dt/tau)^2, relative, with the two-point scheme."""
    return _core.duration_bias(np.asarray(exponent, dtype=float))


class Advice(NamedTuple):
    """What a sample rate makes of an impact."""

    samples_per_contact: float
    scheme: str
    sentence: str


class Record(NamedTuple):
    """One simulated contact and how far it strays from the closed forms, in percent."""

    x_m: np.ndarray
    v_m_s: np.ndarray
    deviation: dict


_names = ("mass_kg", "stiffness", "exponent", "mu", "speed_m_s")


class Impact:
    """One impact.

    Parameters
    ----------
    mass_kg : float [kg]
        Mass (m).
    stiffness : float [N/m^alpha]
        Force at 1 m of compression (K).
    exponent : float
        1: linear spring, 1.5: sphere (Hertz), 2-3: felt (alpha); in [1, 13].
    mu : float [s/m], default 0
        Loss factor; 0: elastic.
    speed_m_s : float [m/s], default 1
        Speed at touch; mu times it may be 1000 at most.
    """

    __slots__ = _names

    def __init__(self, *, mass_kg: float, stiffness: float, exponent: float, mu: float = 0.0, speed_m_s: float = 1.0) -> None:
        for name, value in zip(_names, (mass_kg, stiffness, exponent, mu, speed_m_s)):
            if isinstance(value, (bool, str)) or value is None:
                not_allowed(name, repr(value), "be a number or an array of numbers")
            array = np.asarray(value, dtype=float)
            setattr(self, name, float(array) if array.ndim == 0 else array)
        _core.check_impact(*self._all())

    def _all(self) -> tuple:
        return tuple(getattr(self, n) for n in _names)

    @property
    def restitution(self):
        """Rebound over impact speed (E1)."""
        return restitution(np.multiply(self.mu, self.speed_m_s))

    @property
    def outbound_velocity(self):
        """v_out [m/s], negative."""
        return _core.outbound_velocity(*self._all())

    @property
    def max_compression(self):
        """Largest compression [m], (E3) PAR11 (4)."""
        return _core.max_compression(*self._all())

    @property
    def energy_change(self):
        """Energy after less energy before [J], never positive."""
        return _core.energy_change(*self._all())

    @property
    def peak_force(self):
        """Largest force [N]."""
        return _core.peak_force(*self._all())

    @property
    def contact_time(self):
        """From touch to release [s], (E6) PAR11 (9)."""
        return _core.contact_time(*self._all())

    @property
    def compression_time(self):
        """From touch to the largest compression [s]."""
        return _core.compression_time(*self._all())

    @property
    def elastic_contact_time(self):
        """Contact time without loss [s], (E7)."""
        return _core.elastic_contact_time(*self._all())

    def compression(self, v_m_s: Any):
        """Compression [m] at a velocity between v_out and v_in, (E4) PAR11 (3)."""
        return _core.compression(np.asarray(v_m_s, dtype=float), *self._all())

    def hamiltonian(self, v_m_s: Any):
        """Energy [J] at a velocity, (E5) PAR11 (20)."""
        return _core.hamiltonian(np.asarray(v_m_s, dtype=float), *self._all())

    def force(self, v_m_s: Any):
        """Contact force [N] at a velocity."""
        return _core.force(np.asarray(v_m_s, dtype=float), *self._all())

    def motion(self, t_s: Any) -> tuple:
        """Compression [m] and velocity [m/s] a time after touch, (E10); straight lines before and after the contact."""
        t = np.asarray(t_s, dtype=float)
        return _core.position_at(t, *self._all()), _core.velocity_at(t, *self._all())

    def advise(self, rate_hz: float = 44100.0) -> Advice:
        """How many samples the contact lasts, which scheme to use, and why."""
        return Advice(*_core.advise(*self._all(), rate_hz))

    def record(self, integrator: str, rate_hz: float) -> Record:
        """One contact moved by a classic integrator, and its deviation: PAR11 (27), (28), rebound and timing."""
        return Record(*_core.record_contact(*self._all(), integrator, rate_hz))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Impact) and all(np.array_equal(a, b) for a, b in zip(self._all(), other._all()))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self):
        return _impact, self._all()

    def __repr__(self) -> str:
        return f"Impact({', '.join(f'{n}={getattr(self, n)!r}' for n in _names)})"


def _impact(*values: Any) -> Impact:
    return Impact(**dict(zip(_names, values)))
