#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the table of physics-for-musicians.md: renders small scenes with $JAWARI and writes the table into the page."""
import math
import os
import pathlib
import re
import subprocess
import tempfile
import warnings

import numpy as np
from scipy.io import wavfile

warnings.simplefilter("ignore", wavfile.WavFileWarning)  # chunks of metadata
page = pathlib.Path(__file__).with_suffix(".md")
jawari = os.environ["JAWARI"]


def sound(scene, seconds):
    """The sound of a scene in units of the pickup, and its rate."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "s.toml").write_text(scene)
        subprocess.run([jawari, "--quiet", "render", path / "s.toml", "--duration", str(seconds), "--gain", "0.01", "--format", "float",
                        "-o", path / "s.wav"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rate, y = wavfile.read(path / "s.wav")
    return y.astype(float), rate


def centroid(y, rate, start, length=0.1):
    """Spectral centroid [Hz] from 60 Hz to 18 kHz, weighted by power, as docs/guide/convergence.md has it."""
    part = y[int(start * rate):int((start + length) * rate)]
    power = np.abs(np.fft.rfft(part * np.hanning(len(part))))**2
    f = np.fft.rfftfreq(len(part), 1 / rate)
    band = (f > 60) & (f < 18000)
    return float((f * power)[band].sum() / power[band].sum())


def level(y, rate, start, length=0.1):
    part = y[int(start * rate):int((start + length) * rate)]
    part = part - part.mean()
    return 10 * math.log10(float((part**2).mean()))


def contact_stiffness(mass, exponent, speed, seconds):
    """Stiffness for which a mass stays in contact with a rigid wall so long: (E7) of docs/theory/impact.md."""
    p = 1 / (exponent + 1)
    depth = seconds * speed / (2 * math.sqrt(math.pi) * math.gamma(1 + p) / math.gamma(0.5 + p))
    return (exponent + 1) * mass * speed**2 / 2 / depth**(exponent + 1)


def struck(stiffness=4.5e9, exponent=2.5, mu=0.0, mass=3e-3, speed=2.0, high=1.0):
    """A string of the middle of a piano, and a hammer."""
    return f"""
rate_hz = 48000
duration_s = 4
[[string]]
name = "string"
length_m = 0.62
frequency_hz = 261.63
density_kg_m = 6.3e-3
bending_N_m2 = 4e-3
decay_s = [8.0, {high}]
decay_hz = [261.63, 4000]
[[hammer]]
name = "hammer"
target = "string"
position_m = 0.075
mass_kg = {mass}
velocity_m_s = {speed}
law = {{ type = "hunt-crossley", stiffness = {stiffness}, exponent = {exponent}, mu = {mu} }}
"""


def buzzing(gap=1e-5, mu=0.0, stiffness=1e10, bridge=True):
    """A plucked string of 110 Hz, its thread, and a curved bridge some hundredths of a millimetre below it."""
    return f"""
rate_hz = 48000
duration_s = 4
[[string]]
name = "string"
length_m = 0.8
frequency_hz = 110
radius_m = 2e-4
decay_s = [8.0, 1.2]
decay_hz = [110, 4000]
start = {{ shape = "pluck", position_m = 0.25, height_m = 3e-3 }}
""" + (f"""
[[barrier]]
string = "string"
shape = "parabola"
centre_m = 0.785
height_m = {-gap}
curvature_1_m = 0.5
from_m = 0.76
law = {{ type = "hunt-crossley", stiffness_per_m = {stiffness}, exponent = 1.3, mu = {mu} }}
""" if bridge else "")


def rattling(mass=None, gap=0.0, hold=0.05):
    """A plucked string of 147 Hz with a small loose nut."""
    return """
rate_hz = 48000
duration_s = 4
[[string]]
name = "string"
length_m = 0.65
frequency_hz = 147
radius_m = 2e-4
decay_s = [8.0, 1.0]
decay_hz = [147, 4000]
start = { shape = "pluck", position_m = 0.1, height_m = 2e-3 }
""" + (f"""
[[rattle]]
name = "nut"
target = "string"
position_m = 0.3
mass_kg = {mass}
gap_m = {gap}
hold_N = {hold}
law = {{ {'type = "power"' if gap else 'type = "hunt-crossley", mu = 0.3'}, stiffness = 1e6, exponent = 1.5 }}
""" if mass else "")


def marble(stiffness, exponent=1.5, mu=0.0, mass=5e-3):
    return f"""
rate_hz = 48000
duration_s = 1
[[bar]]
name = "bar"
length_m = 0.3
width_m = 0.04
thickness_m = 0.006
density_kg_m3 = 7850
young_Pa = 2e11
ends = "free"
decay_s = [2.0, 0.5]
decay_hz = [340, 5000]
[[mass]]
name = "marble"
mass_kg = {mass}
position_m = 0.0001
velocity_m_s = -1.0
[[contact]]
bodies = ["bar", "marble"]
lower_at = 0.1
law = {{ type = "hunt-crossley", stiffness = {stiffness}, exponent = {exponent}, mu = {mu} }}
[[pickup]]
of = "bar"
position_m = 0.0
"""


def hz(x):
    return f"{round(x, -1):.0f} Hz" if x < 995 else f"{x / 1000:.1f} kHz"


table = []


def row(what, at, values, scenes, loud=False, seconds=0.7):
    """One row: the centroid from `at` on for 0.1 s, and the level there against that of the first value."""
    cells, levels = [], []
    for value, scene in zip(values, scenes):
        y, rate = sound(scene, seconds)
        levels.append(level(y, rate, at))
        cells.append(f"{value}: {hz(centroid(y, rate, at))}" + (f", {round(levels[-1] - levels[0])} dB" if loud else ""))
    table.append(f"| {what} | {at:g} s | {'; '.join(cells)} |")
    print(table[-1])


def measure():
    row("hammer on a string, stiffness [N/m^2.5]", 0.02, ["4.5e7", "4.5e8", "4.5e9", "4.5e10"], [struck(k) for k in (4.5e7, 4.5e8, 4.5e9, 4.5e10)])
    for exponent in (1, 1.5, 2.5, 3.5):  # the same contact time at 2 m/s
        k = contact_stiffness(3e-3, exponent, 2.0, 1.5e-3)
        row(f"its speed, with exponent {exponent}", 0.02, ["0.5 m/s", "2 m/s", "5 m/s"], [struck(k, exponent, speed=v) for v in (0.5, 2, 5)])
    row("its mass", 0.02, ["1 g", "3 g", "10 g"], [struck(mass=m) for m in (1e-3, 3e-3, 1e-2)], loud=True)
    row("its loss factor mu", 0.02, ["0", "0.3 s/m", "1 s/m", "3 s/m"], [struck(mu=m) for m in (0, 0.3, 1, 3)], loud=True)
    row("decay time of the string at 4 kHz", 0.5, ["2 s", "1 s", "0.3 s", "0.1 s"], [struck(high=h) for h in (2, 1, 0.3, 0.1)])
    gaps = (1e-3, 1e-4, 1e-5, 0)
    row("curved bridge under a string, gap", 0.5, ["no bridge", "1 mm", "0.1 mm", "0.01 mm", "none"],
        [buzzing(bridge=False), *(buzzing(g) for g in gaps)], loud=True)
    row("the same, earlier", 0.05, ["no bridge", "1 mm", "0.1 mm", "0.01 mm", "none"], [buzzing(bridge=False), *(buzzing(g) for g in gaps)], loud=True)
    row("stiffness of that bridge [N/m^2.3]", 0.5, ["1e6", "1e7", "1e8", "1e10"], [buzzing(stiffness=k) for k in (1e6, 1e7, 1e8, 1e10)], loud=True)
    row("its loss factor mu", 0.5, ["0", "1 s/m", "10 s/m", "100 s/m"], [buzzing(mu=m) for m in (0, 1, 10, 100)], loud=True)
    row("nut on a string, mass", 0.5, ["no nut", "0.1 g", "0.3 g", "1 g"], [rattling(), *(rattling(m) for m in (1e-4, 3e-4, 1e-3))], loud=True)
    row("half the play of a nut of 0.3 g", 0.5, ["0.1 mm", "0.3 mm", "1 mm", "3 mm"], [rattling(3e-4, g, 0) for g in (1e-4, 3e-4, 1e-3, 3e-3)], loud=True)
    row("marble on a steel bar, stiffness [N/m^1.5]", 0.02, ["1e5", "1e7", "1e8", "1e9", "1e10"], [marble(k) for k in (1e5, 1e7, 1e8, 1e9, 1e10)], loud=True)


if __name__ == "__main__":
    measure()
    if page.exists():
        head = "| what is changed | from | value: centroid, level |\n| --- | --- | --- |\n"
        text = re.sub(r"<!-- measured -->.*<!-- /measured -->", lambda _: f"<!-- measured -->\n{head}" + "\n".join(table) + "\n<!-- /measured -->", page.read_text(), flags=re.S)
        page.write_text(text)
