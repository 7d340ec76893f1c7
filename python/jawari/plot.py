# SPDX-License-Identifier: MIT
"""Pictures with matplotlib.  Every function takes a `Result` and an optional ``ax``, and returns the axes."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._tables import not_allowed, refuse

__all__ = ["draw", "waveform", "spectrogram", "string", "contact_map", "energy", "phase"]


def _axes(ax: Any):
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt
    return plt.subplots(figsize=(8, 3.2), layout="constrained")[1]


def _pick(what: str, name: str | None, things: dict) -> tuple[str, Any]:
    if not things:
        refuse(what, f"{what} has nothing to draw: there is none in the scene", "", "name what the scene has")
    if name is None:
        name = next(iter(things))
    if name not in things:
        not_allowed(what, repr(name), f"be one of {', '.join(map(repr, things))}")
    return name, things[name]


def waveform(result, channel: str | None = None, *, ax=None):
    """The sound, or a channel, over time."""
    ax = _axes(ax)
    y = result.mix if channel is None else result[channel]
    ax.plot(result.t_s, y, lw=0.8)
    ax.set(xlabel="time [s]", ylabel="sound" if channel is None else channel)
    return ax


def spectrogram(result, channel: str | None = None, *, floor_dB: float = -100, ax=None):
    """Power over time and frequency, in dB of its largest value."""
    ax = _axes(ax)
    y = result.mix if channel is None else result[channel]
    size = int(min(2048, max(64, 2 ** np.floor(np.log2(max(len(y) / 8, 64))))))
    if len(y) < size:
        refuse("result", f"result has {len(y)} samples, but a spectrogram needs at least {size}",
               f"{len(y)} samples", f"have at least {size} samples")
    step = size // 4
    frames = np.lib.stride_tricks.sliding_window_view(y, size)[::step] * np.hanning(size)
    power = np.abs(np.fft.rfft(frames, axis=-1)) ** 2
    level = 10 * np.log10(np.maximum(power / max(power.max(), 1e-300), 10 ** (floor_dB / 10)))
    t = result.t_s[0] + (np.arange(len(frames)) * step + size / 2) / result.sr
    mesh = ax.pcolormesh(t, np.fft.rfftfreq(size, 1 / result.sr) / 1000, level.T, shading="nearest", vmin=floor_dB, vmax=0,
                         rasterized=True)
    ax.figure.colorbar(mesh, ax=ax, label="[dB]")
    ax.set(xlabel="time [s]", ylabel="frequency [kHz]")
    return ax


def string(result, name: str | None = None, *, frames: int = 12, ax=None):
    """Shapes of a string, early ones lighter, over the barriers it meets.  Needs ``state``."""
    ax = _axes(ax)
    name, shape = _pick("string", name, {n: s for n, s in result.state.items() if s.y_m is None})
    picks = np.unique(np.linspace(0, len(shape.values) - 1, frames).astype(int))
    for rank, i in enumerate(picks):
        ax.plot(shape.x_m, 1e3 * shape.values[i], color="tab:blue", alpha=1 - 0.8 * (len(picks) - 1 - rank) / len(picks), lw=0.9)
    strings = [s[0] for s in result._fact("strings")]
    for barrier in result._fact("barriers"):
        if strings[barrier[1]] == name:
            ax.plot(barrier[2], 1e3 * barrier[3], color="tab:red", marker="." if len(barrier[2]) < 40 else "", lw=1.5)
    ax.set(xlabel="position [m]", ylabel="displacement [mm]", title=name)
    return ax


def contact_map(result, name: str | None = None, *, ax=None):
    """Where and when a barrier is touched, and how hard.  Needs ``maps``."""
    ax = _axes(ax)
    name, shape = _pick("contact_map", name, result.maps)
    mesh = ax.pcolormesh(shape.t_s, shape.x_m, np.sqrt(shape.values).T, shading="nearest", cmap="magma", rasterized=True)
    ax.figure.colorbar(mesh, ax=ax, label="root of the force [sqrt(N)]")
    ax.set(xlabel="time [s]", ylabel="position [m]", title=name)
    return ax


def energy(result, *, ax=None):
    """The energy account: what is stored, lost and given, and its residual in the title."""
    ax = _axes(ax)
    for name, values in result.energy.items():
        if name != "residual_J" and np.any(values):
            ax.plot(result.t_s, values, label=name[:-2], lw=1)
    ax.legend(loc="best", fontsize="small")
    ax.set(xlabel="time [s]", ylabel="energy [J]", title=f"the account closes to {result.imbalance:.1e}")
    return ax


def phase(result, body: str | None = None, *, ax=None):
    """Phase portrait of a body: velocity over displacement."""
    ax = _axes(ax)
    bodies = {c[:-len(".displacement_m")]: c for c in result.channels
              if c.endswith(".displacement_m") and c[:-len(".displacement_m")] + ".velocity_m_s" in result.channels}
    name, channel = _pick("phase", body, bodies)
    ax.plot(1e3 * result[channel], result[name + ".velocity_m_s"], lw=0.8)
    ax.set(xlabel=f"displacement of {name} [mm]", ylabel="velocity [m/s]")
    return ax


kinds: dict[str, Callable[..., Any]] = {"waveform": waveform, "spectrogram": spectrogram, "string": string, "contact-map": contact_map,
         "energy": energy, "phase": phase}


def draw(result, what: str | None = None, **options: Any):
    """One picture by its name; without a name everything the run has kept, in one figure."""
    if what is not None:
        if what not in kinds:
            not_allowed("what", repr(what), f"be one of {', '.join(map(repr, kinds))}")
        return kinds[what](result, **options)
    import matplotlib.pyplot as plt
    names = ["waveform"]
    if result.steps >= 4096:
        names.append("spectrogram")
    if result._trace is not None:
        names.append("energy")
    if result._state_every and any(s.y_m is None for s in result.state.values()):
        names.append("string")
    if result._maps_every and result._forces:
        names.append("contact-map")
    figure, axes = plt.subplots(len(names), figsize=(8, 2.6 * len(names)), layout="constrained", squeeze=False)
    for name, ax in zip(names, axes[:, 0]):
        kinds[name](result, ax=ax)
    return figure
