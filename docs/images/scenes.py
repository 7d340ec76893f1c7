#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Pictures of the gallery: renders scenes/*.toml and draws waveform and spectrogram, docs/images/scenes/NAME.png.
Prints one line of numbers per scene.  JAWARI names the command line; arguments choose scenes by name.
--reference: the examples of docs/guide/reference instead, into docs/images/reference."""
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from scipy import signal
from scipy.io import wavfile

root = pathlib.Path(__file__).resolve().parents[2]
reference = sys.argv[1:] == ["--reference"]
source, out = ("docs/guide/reference", root / "docs/images/reference") if reference else ("scenes", root / "docs/images/scenes")
names = sorted(p.stem for p in (root / source).glob("*.toml")) if reference else sys.argv[1:] or ["tanpura", "sitar", "piano", "prepared-piano", "dulcimer", "guitar", "guitar-buzz", "slap-bass",
                         "snare-drum", "marble-bar", "marble-plate", "marble-glass", "mbira", "mallet-roll"]


def render(name, folder):
    wav = f"{folder}/{name}.wav"
    run = subprocess.run([os.environ["JAWARI"], "render", root / f"{source}/{name}.toml", "-o", wav],
                         capture_output=True, text=True, check=True)
    rate, x = wavfile.read(wav)
    x = x.astype(float)
    x = x.mean(axis=1) if x.ndim > 1 else x
    said = run.stdout + run.stderr
    speed = re.search(r"([\d.]+)\s+times\s+real", said)
    return rate, x / np.abs(x).max(), float(speed.group(1)), len(re.findall("warning:", said))


def decay_s(x, rate):
    """Time for 60 dB, from the slope of the last stretch that falls from -15 to -45 dB of the peak of the envelope."""
    n = rate // 20
    level = np.array([np.sqrt(np.mean(x[i:i + n] ** 2)) for i in range(0, len(x) - n, n)])
    dB = 20 * np.log10(level / level.max() + 1e-9)
    start = np.flatnonzero(dB > -15)[-1]
    ends = np.flatnonzero(dB[start:] < -45)
    end = start + (ends[0] if len(ends) else len(dB) - 1 - start)
    return 60 * (end - start) * n / rate / max(dB[start] - dB[end], 1e-9) if end > start else 0.0


def loudest(x, rate, count=4):
    from_ = int(np.argmax(np.abs(x)))
    piece = x[from_:from_ + rate] if len(x) - from_ > rate // 2 else x[-rate:]
    power = np.abs(np.fft.rfft(piece * np.hanning(len(piece)), 1 << 18))
    f = np.fft.rfftfreq(1 << 18, 1 / rate)
    peaks, _ = signal.find_peaks(power, distance=int(25 / f[1]))
    best = sorted(peaks[np.argsort(power[peaks])[-count:]])
    return ", ".join(f"{f[p]:.0f}" for p in best)


def draw(name, rate, x):
    figure, (wave, gram) = plt.subplots(2, 1, figsize=(6.4, 3.2), height_ratios=[1, 2.2], sharex=True,
                                        layout="constrained")
    t = np.arange(len(x)) / rate
    wave.plot(t[::4], x[::4], lw=0.3, color="#5d4037")
    wave.set(ylim=(-1.05, 1.05), yticks=[], xlim=(0, t[-1]))
    f, at, power = signal.spectrogram(x, rate, nperseg=2048, noverlap=1024)
    level = 10 * np.log10(power / power.max() + 1e-12)
    keep = (f > 40) & (f < 12000)
    gram.pcolormesh(at, f[keep], level[keep], vmin=-85, vmax=0, cmap="magma", rasterized=True)
    gram.set(yscale="log", ylim=(40, 12000), xlabel="s", ylabel="Hz")
    gram.set_yticks([100, 1000, 10000], ["100", "1k", "10k"])
    picture = io.BytesIO()
    figure.savefig(picture, dpi=100)
    plt.close(figure)
    Image.open(picture).convert("RGB").quantize(40).save(out / f"{name}.png", optimize=True)


out.mkdir(exist_ok=True)
print("| scene | times real time | warnings | loudest lines in the second after the peak, Hz | 60 dB in |\n"
      "| --- | --- | --- | --- | --- |")
with tempfile.TemporaryDirectory() as folder:
    for name in names:
        rate, x, speed, warnings = render(name, folder)
        draw(name, rate, x)
        print(f"| {name} | {speed:.1f} | {warnings} | {loudest(x, rate)} | {decay_s(x, rate):.1f} s |", flush=True)
