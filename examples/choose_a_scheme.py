# SPDX-License-Identifier: MIT
# %% [markdown]
# # Choose a scheme
#
# Conserving energy is necessary, never sufficient. `compare` runs a scene with many schemes at many rates and measures the
# distance to a converged reference.
# %%
import jawari

scene = jawari.Scene(
    jawari.Mass(name="hammer", mass_kg=0.009, position_m=-0.002, velocity_m_s=2.0),
    jawari.Contact(bodies=("hammer", "wall"), law=jawari.PowerLaw(stiffness=4e8, exponent=2.3)),
    duration_s=0.01)
names = ["two-point", "three-point", "quadratised", "secant-1", "secant-2"]
comparison = scene.compare(names, rates=[1, 2, 4, 8])
print(comparison)
# %% [markdown]
# The slope of the error over the rate is the order of convergence here.
# %%
for name in names:
    print(f"{name:<14} order {comparison.order(name):.2f}")
comparison.plot().figure.savefig("choose_a_scheme.png")
# %% [markdown]
# For one impact the closed forms give advice without running anything.
# %%
for rate in (44100, 192000):
    advice = jawari.Impact(mass_kg=0.009, stiffness=4e8, exponent=2.3, speed_m_s=2.0).advise(rate)
    print(f"{rate} Hz: {advice.samples_per_contact:.1f} samples; {advice.scheme}: {advice.sentence}")
