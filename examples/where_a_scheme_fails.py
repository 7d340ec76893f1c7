# SPDX-License-Identifier: MIT
# %% [markdown]
# # Sweep a plane and find where a scheme fails
#
# A plane of stiffness and speed at 44.1 kHz, with loss. Every scheme here is passive, but where a contact lasts a few samples only
# the rebound is wrong. `sweep` runs on all cores; with `restart` an interrupted sweep goes on where it was.
# %%
import numpy as np

import jawari

law = jawari.HuntCrossley(stiffness=1e6, exponent=1.5, mu=0.5)
scene = jawari.Scene(jawari.Mass(name="m", mass_kg=0.01, position_m=-1e-3, velocity_m_s=1.0),
                     jawari.Contact(bodies=("m", "wall"), law=law), duration_s=0.02)
grid = {"contact[0].law.stiffness": np.geomspace(1e5, 1e11, 25), "m.velocity_m_s": np.geomspace(0.1, 10, 17)}
K, v = np.meshgrid(*grid.values(), indexing="ij")
exact = jawari.Impact(mass_kg=0.01, stiffness=K, exponent=1.5, mu=0.5, speed_m_s=v)


def rebound(result):
    return -result["m.velocity_m_s"][-1]


plane = {}
for name in ("quadratised", "two-point", "guarded-two-point"):
    sweep = jawari.sweep(scene.use_scheme(name), grid, measure=rebound, restart=f"{name}.sweep")
    plane[name] = np.abs(sweep.values / -exact.outbound_velocity - 1)
    print(f"{name:<18} off by more than 2 % in {100 * np.mean(plane[name] > 0.02):4.1f} % of the plane, at most by {plane[name].max():.2g}")
# %% [markdown]
# The border is a number of samples per contact.
# %%
samples = 44100 * exact.contact_time
for name, error in plane.items():
    bad = error > 0.02
    print(f"{name:<18} " + (f"fails below {samples[bad].max():.1f} samples per contact" if bad.any() else "holds everywhere"))
# %%
import matplotlib.pyplot as plt

figure, axes = plt.subplots(1, 3, figsize=(12, 3.4), layout="constrained")
for ax, (name, error) in zip(axes, plane.items()):
    mesh = ax.pcolormesh(K, v, np.log10(np.maximum(error, 1e-16)), vmin=-8, vmax=0, shading="nearest")
    ax.contour(K, v, samples, levels=[2, 5, 10], colors="w", linewidths=0.8)
    ax.set(xscale="log", yscale="log", xlabel="stiffness", ylabel="speed [m/s]", title=name)
figure.colorbar(mesh, ax=axes, label="log10 of the rebound error")
figure.savefig("where_a_scheme_fails.png")
