# SPDX-License-Identifier: MIT
# %% [markdown]
# # Build a tanpura
#
# A string over a curved bridge, with a cotton thread between: the thread lets the string graze the bridge in every period
# anew, and energy keeps flowing into the high partials.
# %%
import jawari

string = jawari.String(name="string", length_m=1.0, frequency_hz=138.6, radius_m=1.4e-4, decay_s=[7.0, 1.0], decay_hz=[140, 4000],
                       start=jawari.Start(shape="pluck", position_m=0.33, height_m=2e-3))
bridge = jawari.Barrier(name="bridge", string="string", shape="parabola", centre_m=0.985, curvature_1_m=2.0, from_m=0.94, height_m=0.0,
                        law=jawari.PowerLaw(stiffness_per_m=1e10, exponent=1.3))
thread = jawari.Barrier(name="thread", string="string", shape="point", position_m=0.975, height_m=0.0,
                        law=jawari.HuntCrossley(stiffness=2e6, exponent=1.5, mu=1.0))
tanpura = jawari.Scene(string, bridge, thread, jawari.Pickup(of="string"), title="Tanpura", duration_s=2.0)
with_thread = tanpura.simulate(state=20, maps=20)
print(with_thread)
# %% [markdown]
# Without the thread the buzz is soon gone: the high partials die as on any other string.
# %%
plain = tanpura.copy()
plain.barriers.remove(plain["thread"])
without = plain.simulate()
import numpy as np

for name, result in (("with thread", with_thread), ("without", without)):
    late = result.sound[0, -int(0.5 * result.sr):]
    power = np.abs(np.fft.rfft((late - late.mean()) * np.hanning(len(late)))) ** 2
    f = np.fft.rfftfreq(len(late), 1 / result.sr)
    print(f"{name:<12} centre of the spectrum, last half second: {np.sum(f * power) / np.sum(power):.0f} Hz")
# %%
import matplotlib.pyplot as plt

figure, axes = plt.subplots(2, 2, figsize=(10, 6), layout="constrained")
with_thread.plot("spectrogram", ax=axes[0, 0], floor_dB=-90)
without.plot("spectrogram", ax=axes[0, 1], floor_dB=-90)
axes[0, 0].set_title("with thread"), axes[0, 1].set_title("without")
with_thread.plot("string", ax=axes[1, 0])
with_thread.plot("contact-map", name="bridge", ax=axes[1, 1])
figure.savefig("build_a_tanpura.png")
with_thread.write("tanpura.wav")
tanpura.save("tanpura.toml")
