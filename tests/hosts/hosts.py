#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Plays one MIDI file in a host and compares it, bit for bit, with what the command line renders.

    hosts.py HOST JAWARI PLUGINS SOURCE

HOST: pd, csound, supercollider, lv2-validate, lv2bench, qtractor, ardour-vst3; symbols: what plug-ins show and need.  PLUGINS: the folder of the build that holds them.
77: the host is not installed.  Events lie on multiples of 64 frames, which is how exactly the first three take time.
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import numpy

rate, block, frames = 48000, 64, 48000
preset, title = "04-sitar", "sitar"
# (block, key, velocity; 0: up)
notes = [(10, 49, 90), (100, 56, 64), (170, 49, 0), (205, 61, 127), (300, 56, 0), (420, 61, 0), (430, 52, 40), (600, 52, 0)]


def need(program: str) -> str:
    path = shutil.which(program) or (program if os.access(program, os.X_OK) else None)
    if not path:
        print(f"skipped: {program} is not installed (script/bootstrap --hosts)")
        sys.exit(77)
    return path


def run(*command, **more) -> str:
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}")
    return done.stdout


def midi_file(path: pathlib.Path) -> None:
    """480 ticks of 64 frames: a beat of 640,000 us."""
    def variable(n: int) -> bytes:
        out = [n & 127]
        while n := n >> 7:
            out.insert(0, n & 127 | 128)
        return bytes(out)

    track = b"\x00\xff\x51\x03" + (640000).to_bytes(3, "big")
    at = 0
    for when, key, velocity in notes:
        track += variable(when - at) + bytes([0x90 if velocity else 0x80, key, velocity or 64])
        at = when
    track += b"\x00\xff\x2f\x00"
    path.write_bytes(b"MThd" + struct.pack(">IHHH", 6, 0, 1, 480) + b"MTrk" + struct.pack(">I", len(track)) + track)


def sound(path: pathlib.Path) -> numpy.ndarray:
    """The samples of a WAV file in single precision, as bits: (frames, channels)."""
    data = path.read_bytes()
    at, channels = 12, 0
    while at < len(data):
        kind, size = data[at:at + 4], struct.unpack("<I", data[at + 4:at + 8])[0]
        if kind == b"fmt ":
            code, channels = struct.unpack("<HH", data[at + 8:at + 12])
            bits = struct.unpack("<H", data[at + 22:at + 24])[0]
            assert bits == 32 and code in (3, 0xfffe), (code, bits)
        if kind == b"data":
            return numpy.frombuffer(data[at + 8:at + 8 + min(size, len(data) - at - 8) // 4 * 4], dtype="<f4").reshape(-1, channels)
        at += 8 + size + size % 2
    sys.exit(f"{path}: no samples")


def compare(got: numpy.ndarray, want: numpy.ndarray) -> None:
    if got.shape[1] != 2 or want.shape[1] != 2 or len(got) < frames or len(want) < frames:
        sys.exit(f"shapes {got.shape} and {want.shape}, but both must have two channels of {frames} frames or more")
    a, b = got[:frames].copy(), want[:frames].copy()
    if not numpy.abs(b).max() > 0.01:
        sys.exit("the command line renders silence")
    a[a == 0] = 0  # -0 is 0
    b[b == 0] = 0
    differ = numpy.nonzero((a.view("u4") != b.view("u4")).any(axis=1))[0]
    if len(differ):
        i = differ[0]
        sys.exit(f"{len(differ)} of {frames} frames differ, the first is {i}: {a[i]} in the host, {b[i]} rendered; "
                 f"largest difference {numpy.abs(a - b).max():.3g} of {numpy.abs(b).max():.3g}")
    print(f"{frames} frames are equal, bit for bit")


def pd(plugins: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    program = need("pd")
    out = folder / "pd.wav"
    lines = ["#N canvas 0 0 900 900 10;"]
    count = 0

    def add(text: str) -> int:
        nonlocal count
        lines.append(text + ";")
        count += 1
        return count - 1

    add(f"#X obj 10 10 jawari~ {title}")
    for name in ("left", "right"):
        add(f"#X obj 10 60 table {name} {frames}")
    write = [add(f"#X obj 10 80 tabwrite~ {name}") for name in ("left", "right")]
    start = add("#X obj 10 100 loadbang")
    dsp = add("#X msg 10 120 \\; pd dsp 1")
    wires = [(0, 0, write[0], 0), (0, 1, write[1], 0), (start, 0, dsp, 0), (start, 0, write[0], 0), (start, 0, write[1], 0)]
    for when, key, velocity in notes:
        delay = add(f"#X obj 10 140 delay {(when + 0.3) * 1000 * block / rate:.6f}")
        note = add(f"#X msg 10 160 note {key} {velocity}")
        wires += [(start, 0, delay, 0), (delay, 0, note, 0), (note, 0, 0, 0)]
    end = add(f"#X obj 10 180 delay {1000 * frames / rate + 100}")
    save = add(f"#X msg 10 200 write -wave -bytes 4 -rate {rate} {out} left right")
    filer = add("#X obj 10 220 soundfiler")
    quit_later = add("#X obj 10 240 delay 10")
    leave = add("#X msg 10 260 \\; pd quit")
    wires += [(start, 0, end, 0), (end, 0, save, 0), (save, 0, filer, 0), (end, 0, quit_later, 0), (quit_later, 0, leave, 0)]
    lines += [f"#X connect {a} {b} {c} {d};" for a, b, c, d in wires]
    patch = folder / "play.pd"
    patch.write_text("\n".join(lines) + "\n")
    text = run(program, "-nogui", "-batch", "-nrt", "-noadc", "-nomidi", "-r", rate, "-path", plugins / "pd", "-open", patch)
    if not out.exists():
        sys.exit(f"pd wrote nothing:\n{text}")
    return out


def csound(plugins: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    program = need("csound")
    out = folder / "csound.wav"
    score, down = [f"i 100 0 {frames / rate:.9f}"], {}
    for when, key, velocity in notes:
        if velocity:
            down[key] = (when, velocity)
        else:
            since, was = down.pop(key)
            score.append(f"i 1 {since * block / rate:.12f} {(when - since) * block / rate:.12f} {key} {was}")
    text = folder / "play.csd"
    text.write_text(f"""<CsoundSynthesizer>
<CsInstruments>
sr = {rate}
ksmps = {block}
nchnls = 2
0dbfs = 1
instr 1
  jawarinote 1, p4, p5
endin
instr 100
  aleft, aright jawari 1, "{title}"
  outs aleft, aright
endin
</CsInstruments>
<CsScore>
{os.linesep.join(score)}
</CsScore>
</CsoundSynthesizer>
""")
    run(program, f"--opcode-lib={plugins / 'csound' / 'jawari.so'}", "-W", "-f", "-d", "-o", out, text)
    return out


def supercollider(plugins: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    program = need("scsynth")
    out = folder / "sc.wav"

    def text(s: str) -> bytes:
        b = s.encode() + b"\0"
        return b + b"\0" * (-len(b) % 4)

    def message(*parts) -> bytes:
        tags, body = ",", b""
        for p in parts[1:]:
            if isinstance(p, str):
                tags, body = tags + "s", body + text(p)
            elif isinstance(p, bytes):
                tags, body = tags + "b", body + struct.pack(">I", len(p)) + p + b"\0" * (-len(p) % 4)
            else:
                tags, body = tags + "i", body + struct.pack(">i", p)
        return text(parts[0]) + text(tags) + body

    def bundle(time_s: float, *messages: bytes) -> bytes:
        whole = b"#bundle\0" + struct.pack(">Q", round(time_s * 2**32))
        for m in messages:
            whole += struct.pack(">I", len(m)) + m
        return struct.pack(">I", len(whole)) + whole

    def name(s: str) -> bytes:
        return bytes([len(s)]) + s.encode()

    # A synth definition of version 1: constant 0; Jawari.ar(0) into Out.ar(0).
    definition = (b"SCgf" + struct.pack(">ih", 1, 1) + name("play") + struct.pack(">hf", 1, 0.0) + struct.pack(">h", 0)
                  + struct.pack(">h", 0) + struct.pack(">h", 2)
                  + name("Jawari") + struct.pack(">bhhh", 2, 1, 2, 0) + struct.pack(">hh", -1, 0) + struct.pack(">bb", 2, 2)
                  + name("Out") + struct.pack(">bhhh", 2, 3, 0, 0) + struct.pack(">hhhhhh", -1, 0, 0, 0, 0, 1)
                  + struct.pack(">h", 0))
    score = bundle(0, message("/d_recv", definition), message("/cmd", "jawari_open", 0, title))
    score += bundle(0, message("/s_new", "play", 1000, 0, 0))
    for when, key, velocity in notes:
        score += bundle((when + 0.3) * block / rate, message("/cmd", "jawari_note", 0, key, velocity))
    score += bundle((frames + 10 * block) / rate, message("/c_set", 0, 0))
    file = folder / "score.osc"
    file.write_bytes(score)
    folders = [str(f) for f in (*pathlib.Path("/usr/lib").glob("**/SuperCollider/plugins"), plugins / "supercollider")]
    run(program, "-N", file, "_", out, rate, "WAV", "float", "-o", 2, "-i", 0, "-U", ":".join(folders))
    return out


def rendered(jawari: str, source: pathlib.Path, folder: pathlib.Path) -> numpy.ndarray:
    midi_file(folder / "play.mid")
    run(jawari, "render", source / "presets" / f"{preset}.toml", "--midi", folder / "play.mid", "--gain", 1, "--quality", "draft",
        "--format", "float", "--channels", "stereo", "--quiet", "-o", folder / "reference.wav")
    return sound(folder / "reference.wav")


def lv2_validate(plugins: pathlib.Path) -> None:
    program = need("lv2_validate")
    text = run(program, plugins / "lv2" / "jawari.lv2" / "manifest.ttl", plugins / "lv2" / "jawari.lv2" / "jawari.ttl")
    print(text)
    if "Found 0 errors" not in text:
        sys.exit(1)


def lv2bench(plugins: pathlib.Path) -> None:
    program = need("lv2bench")
    path = f"{plugins / 'lv2'}:/usr/lib/lv2:/usr/lib/x86_64-linux-gnu/lv2:/usr/lib/aarch64-linux-gnu/lv2"
    for uri in ("urn:jawari:tanpura", "urn:jawari:drums"):
        text = run(program, "-n", 9600, "-b", 64, uri, env=os.environ | {"LV2_PATH": path})
        print(text)
        if uri not in text:
            sys.exit(f"lv2bench does not know {uri}")


def qtractor(plugins: pathlib.Path) -> None:
    program = need(next((p for p in ("/usr/lib/x86_64-linux-gnu/qtractor/qtractor_plugin_scan", "/usr/lib/qtractor/qtractor_plugin_scan",
                                     "/usr/lib/aarch64-linux-gnu/qtractor/qtractor_plugin_scan") if os.path.exists(p)), "qtractor_plugin_scan"))
    done = subprocess.run([program], input=f"CLAP:{plugins / 'jawari.clap'}\n", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=120, env=os.environ | {"QT_QPA_PLATFORM": "offscreen"})
    print(done.stdout)
    if "jawari" not in done.stdout or done.stdout.count("|") < 3:
        sys.exit("qtractor does not list the plug-in")


def ardour_vst3(plugins: pathlib.Path) -> None:
    program = need(next((str(p) for p in pathlib.Path("/usr/lib").glob("**/ardour-vst3-scanner")), "ardour-vst3-scanner"))
    with tempfile.TemporaryDirectory() as home:
        text = run(program, "-v", "-f", plugins / "vst3" / "jawari.vst3", env=os.environ | {"HOME": home, "LD_LIBRARY_PATH": str(pathlib.Path(program).parent)})
    print(text)
    if "jawari" not in text:
        sys.exit("the scanner of Ardour does not find the plug-in")


def symbols(plugins: pathlib.Path) -> None:
    """No plug-in shows more than its entry, or needs more than the C and C++ libraries and what the library itself needs."""
    entries = {"jawari.clap": {"clap_entry"}, "lv2/jawari.lv2/jawari.so": {"lv2_descriptor"},
               "vst3": {"GetPluginFactory", "ModuleEntry", "ModuleExit"}, "pd/jawari~.pd_linux": {"jawari_tilde_setup"},
               "csound/jawari.so": {"csoundModuleCreate", "csoundModuleDestroy", "csoundModuleInit"},
               "supercollider/Jawari.so": {"api_version", "server_type", "load"}}
    may = ("libc.so", "libm.so", "libstdc++", "libgcc_s", "ld-linux", "libfmt.so", "libsndfile.so", "libhwy.so", "libX11.so", "libcairo.so")  # the last two for the window
    seen = 0
    for name, entry in entries.items():
        path = next((plugins / "vst3").glob("**/jawari.so"), None) if name == "vst3" else plugins / name
        if path is None or not path.exists():
            continue
        seen += 1
        shown = {line.split()[-1].split("@")[0] for line in run(need("nm"), "-D", "--defined-only", path).splitlines()}
        if shown != entry:
            sys.exit(f"{path} shows {sorted(shown)}, but must show {sorted(entry)}")
        needed = [line.split()[-1] for line in run(need("objdump"), "-p", path).splitlines() if "NEEDED" in line]
        if more := [n for n in needed if not n.startswith(may)]:
            sys.exit(f"{path} needs {', '.join(more)}")
        print(f"{path.name}: {', '.join(sorted(shown))}; {', '.join(needed)}")
    if seen == 0:
        sys.exit(f"there is no plug-in in {plugins}")


def main() -> None:
    host, jawari, plugins, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    checks = {"lv2-validate": lv2_validate, "lv2bench": lv2bench, "qtractor": qtractor, "ardour-vst3": ardour_vst3, "symbols": symbols}
    if host in checks:
        return checks[host](plugins)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        played = sound({"pd": pd, "csound": csound, "supercollider": supercollider}[host](plugins, folder))
        compare(played, rendered(jawari, source, folder))


if __name__ == "__main__":
    main()
