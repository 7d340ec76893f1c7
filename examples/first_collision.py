# SPDX-License-Identifier: MIT
# %% [markdown]
# # First collision
#
# A mass of 1 kg flies at 20 m/s against a stiff wall. Scenes are plain data in SI units: bodies, and where they touch.
# %%
import jawari

ball = jawari.Mass(name="ball", mass_kg=1.0, position_m=-0.5, velocity_m_s=20.0)
law = jawari.PowerLaw(stiffness=5e9, exponent=1.3)
hit = jawari.Contact(bodies=("ball", "wall"), height_m=0.1, law=law, scheme="two-point")
scene = jawari.Scene(ball, hit, duration_s=0.05)
result = scene.simulate()
print(result)
# %% [markdown]
# Every quantity is an array that shares the memory of the run. Contacts are found for you.
# %%
print(result.channels)
event, = result.events
print(f"touched for {1e6 * (event['end_s'] - event['start_s']):.0f} us, at most {event['peak_N']:.3g} N")
print(f"impulse {event['impulse_N_s']:.12g} N s; 2 m v = 40 N s")
# %% [markdown]
# The contact lasts a few samples only: the closed form says how long it should be. At 16 times the rate it is resolved.
# %%
exact = jawari.Impact(mass_kg=1.0, stiffness=5e9, exponent=1.3, speed_m_s=20.0)
print(f"exact: {1e6 * exact.contact_time:.1f} us, {exact.peak_force:.4g} N")
scene.rate_hz = 16 * 44100
event, = scene.simulate().events
print(f"16 x: {1e6 * (event['end_s'] - event['start_s']):.1f} us, {event['peak_N']:.4g} N")
# %% [markdown]
# The energy account: what is stored in the mass and in the contact. It closes to rounding, at any rate.
# %%
import matplotlib.pyplot as plt

figure, axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
result = scene.simulate()
result.plot("energy", ax=axes[0])
axes[0].set_xlim(0.0298, 0.0303)
result.plot("phase", ax=axes[1])
figure.savefig("first_collision.png")
