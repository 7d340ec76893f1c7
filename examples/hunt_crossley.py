# SPDX-License-Identifier: MIT
# %% [markdown]
# # Hunt-Crossley in closed form
#
# With the loss of Hunt and Crossley the restitution depends on mu times the speed alone: not on stiffness, exponent or mass.
# %%
import matplotlib.pyplot as plt
import numpy as np

import jawari
from jawari import exact

mu_v = np.geomspace(1e-2, 1e2, 200)
figure, axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
axes[0].semilogx(mu_v, exact.restitution(mu_v), label="exact")
axes[0].semilogx(mu_v, exact.restitution_approximate(mu_v), "--", label="fourth-order formula")
axes[0].set(xlabel="mu v", ylabel="restitution")
axes[0].legend()
print(f"the formula is off by at most {100 * np.max(np.abs(exact.restitution_approximate(mu_v) / exact.restitution(mu_v) - 1)):.2f} %")
# %% [markdown]
# Arrays go through everything: contact time and peak force of a marble on stone, over its speed.
# %%
speed = np.geomspace(0.05, 5, 50)
marble = jawari.Impact(mass_kg=0.0054, stiffness=3.7e9, exponent=1.5, mu=float(exact.mu_v_for_restitution(0.85)), speed_m_s=speed)
axes[1].loglog(speed, 1e6 * marble.contact_time, label="contact time [us]")
axes[1].loglog(speed, marble.peak_force, label="peak force [N]")
axes[1].set(xlabel="speed [m/s]")
axes[1].legend()
figure.savefig("hunt_crossley.png")
# %% [markdown]
# A simulation agrees, if the contact is resolved.
# %%
impact = jawari.Impact(mass_kg=0.0054, stiffness=3.7e9, exponent=1.5, mu=0.3, speed_m_s=1.0)
law = jawari.HuntCrossley(stiffness=3.7e9, exponent=1.5, mu=0.3)
for rate in (44100, 441000, 4410000):
    scene = jawari.Scene(jawari.Mass(name="m", mass_kg=0.0054, velocity_m_s=1.0),
                         jawari.Contact(bodies=("m", "wall"), law=law, scheme="two-point"), rate_hz=rate, duration_s=0.001)
    rebound = scene.simulate()["m.velocity_m_s"][-1]
    print(f"{rate:>8} Hz: rebound {rebound:.8f} m/s, off by {abs(rebound / impact.outbound_velocity - 1):.1e}")
