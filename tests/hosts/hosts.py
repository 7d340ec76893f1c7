#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Plays one MIDI file in a host and compares it, bit for bit, with what the command line renders.

    hosts.py HOST JAWARI PLUGINS SOURCE

HOST: pd, csound, supercollider, ardour-lv2-export, ardour-vst3-export; these play nothing that is compared: jalv, lv2-validate, lv2bench,
qtractor, ardour-vst3; symbols: what plug-ins show and need; install: script/install --plugins, and hosts that find them without a path.
PLUGINS: the folder of the build that holds them.  77: the host is not installed.  Events lie on multiples of 64 frames, which is how exactly
the first three take time.
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time

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


def midi_file(path: pathlib.Path, lower: int) -> None:
    """480 ticks of 64 frames: a beat of 640,000 us."""
    def variable(n: int) -> bytes:
        out = [n & 127]
        while n := n >> 7:
            out.insert(0, n & 127 | 128)
        return bytes(out)

    track = b"\x00\xff\x51\x03" + (640000).to_bytes(3, "big")
    at = 0
    for when, key, velocity in notes:
        track += variable(when - at) + bytes([0x90 if velocity else 0x80, key - lower, velocity or 64])
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


# plugins: the folder of the build; None: where they are installed for the user.
def pd(plugins: pathlib.Path | None, folder: pathlib.Path) -> pathlib.Path:
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
    path = ["-path", plugins / "pd"] if plugins else []
    text = run(program, "-nogui", "-batch", "-nrt", "-noadc", "-nomidi", "-r", rate, *path, "-open", patch)
    if not out.exists():
        sys.exit(f"pd wrote nothing:\n{text}")
    return out


def csound(plugins: pathlib.Path | None, folder: pathlib.Path) -> pathlib.Path:
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
    path = [f"--opcode-lib={plugins / 'csound' / 'jawari.so'}"] if plugins else []
    run(program, *path, "-W", "-f", "-d", "-o", out, text)
    return out


def supercollider(plugins: pathlib.Path | None, folder: pathlib.Path) -> pathlib.Path:
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
    path = []
    if plugins:
        folders = [str(f) for f in (*pathlib.Path("/usr/lib").glob("**/SuperCollider/plugins"), plugins / "supercollider")]
        path = ["-U", ":".join(folders)]
    run(program, "-N", file, "_", out, rate, "WAV", "float", "-o", 2, "-i", 0, *path)
    return out


score_lua = """ardour {{ ["type"] = "dsp", name = "score", category = "Utility", license = "MIT", author = "jawari", description = "Notes at their frames" }}
function dsp_ioconfig () return {{ {{ midi_in = 1, midi_out = 1, audio_in = 0, audio_out = 0 }} }} end
local notes = {{ {notes} }}
function dsp_run (_, _, n)
  if not Session:transport_rolling () then return end
  local at = Session:transport_sample ()
  local i = 1
  for _, e in ipairs (notes) do
    if e[1] >= at and e[1] < at + n then
      midiout[i] = {{ time = e[1] - at + 1, data = {{ e[2], e[3], e[4] }} }}
      i = i + 1
    end
  end
end
"""
play_lua = """assert (AudioEngine:set_backend ("None (Dummy)", "", ""), "no backend")
local s = assert (create_session ("{folder}/session", "play", {rate}), "no session")
sleep (0.5)
local one, two = ARDOUR.ChanCount (ARDOUR.DataType ("midi"), 1), ARDOUR.ChanCount (ARDOUR.DataType ("audio"), 2)
local track = s:new_midi_track (one, two, false, ARDOUR.PluginInfo (), nil, nil, 1, "T", ARDOUR.PresentationInfo.max_order,
                                ARDOUR.TrackMode.Normal, true):front ()
local score = ARDOUR.LuaAPI.new_luaproc (s, "score")
local plugin = ARDOUR.LuaAPI.new_plugin (s, "{plugin}", ARDOUR.PluginType.{kind}, "")
assert (not score:isnil (), "no score")
assert (not plugin:isnil (), "no plug-in {plugin}")
assert (track:add_processor_by_index (score, 0, nil, true) == 0, "the score was not added")
assert (track:add_processor_by_index (plugin, 1, nil, true) == 0, "the plug-in was not added")
sleep (0.5)
local e = s:simple_export ()
e:set_name ("ardour")
e:set_folder ("{folder}")
e:set_range (0, {frames})
assert (e:set_preset ("{preset}"), "no preset")
assert (e:check_outputs () and e:run_export (), "no export")
close_session ()
quit ()
"""
float_preset = """<?xml version="1.0" encoding="UTF-8"?>
<ExportPreset id="{preset}" name="float">
  <ExportFormat id="20b4ab09-6452-4cb3-bd66-b921cdbd2942"/>
  <ExportFilename>
    <Folder relative="1" path="export"/>
    <Field name="label" enabled="0"/>
    <Field name="session" enabled="0"/>
    <Field name="snapshot" enabled="0"/>
    <Field name="timespan" enabled="1"/>
    <Field name="revision" enabled="0"/>
    <Field name="time" enabled="0" value="T_None"/>
    <Field name="date" enabled="0" value="D_None"/>
  </ExportFilename>
</ExportPreset>
"""


def ardour(kind: str, plugin: str, plugins: pathlib.Path, folder: pathlib.Path, lower: int = 0) -> pathlib.Path:
    """A session of one track: a script that says the notes, then the plug-in; exported in single precision."""
    program = need("ardour7-lua")
    home = folder / "home"
    preset = "0e5a0f0c-6e0c-4a55-9a4b-6d617761726a"
    for name in ("scripts", "export"):
        (home / ".config" / "ardour7" / name).mkdir(parents=True)
    says = ", ".join(f"{{ {when * block}, {0x90 if velocity else 0x80}, {key - lower}, {velocity or 64} }}" for when, key, velocity in notes)
    (home / ".config" / "ardour7" / "scripts" / "score.lua").write_text(score_lua.format(notes=says))
    (home / ".config" / "ardour7" / "export" / "float.preset").write_text(float_preset.format(preset=preset))
    script = folder / "play.lua"
    script.write_text(play_lua.format(folder=folder, rate=rate, frames=frames, plugin=plugin, kind=kind, preset=preset))
    environment = os.environ | {"HOME": str(home), "LV2_PATH": str(plugins / "lv2")}
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "DISPLAY"):
        environment.pop(name, None)
    if kind == "VST3":
        shutil.copytree(plugins / "vst3" / "jawari.vst3", home / ".vst3" / "jawari.vst3")
        scanner = need(next((str(p) for p in pathlib.Path("/usr/lib").glob("**/ardour-vst3-scanner")), "ardour-vst3-scanner"))
        run(scanner, "-f", home / ".vst3" / "jawari.vst3", env=environment | {"LD_LIBRARY_PATH": str(pathlib.Path(scanner).parent)})
    text = run(program, script, env=environment)
    if not (folder / "ardour.wav").exists():
        sys.exit(f"ardour7-lua exported nothing:\n{text}")
    return folder / "ardour.wav"


def ardour_lv2_export(plugins: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    return ardour("LV2", f"urn:jawari:{title}", plugins, folder)


def ardour_vst3_export(plugins: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    return ardour("VST3", "jawari", plugins, folder, 12)  # its first preset is a tanpura, whose keys are low


def jalv(plugins: pathlib.Path) -> None:
    """Two seconds on JACK's dummy driver, with notes: it goes on until it is stopped, without a word of an error, and is heard."""
    for name in ("jalv", "jackd", "jack_midiseq", "jack_rec", "jack_connect", "jack_lsp"):
        need(name)
    server = f"jawari-{os.getpid()}"
    environment = os.environ | {"JACK_DEFAULT_SERVER": server, "JACK_NO_START_SERVER": "1", "LV2_PATH": str(plugins / "lv2"),
                                "JACK_NO_AUDIO_RESERVATION": "1"}
    started = []

    def start(*command, **more) -> subprocess.Popen:
        with open(pathlib.Path(name) / f"{command[0]}.txt", "w") as said:  # not into a pipe, which would be full at some time
            started.append(subprocess.Popen([str(c) for c in command], stdout=said, stderr=subprocess.STDOUT, text=True, env=environment, **more))
        return started[-1]

    def wait_for(*ports: str) -> None:
        for _ in range(300):
            done = subprocess.run(["jack_lsp"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
            if done.returncode == 0 and all(p in done.stdout.split() for p in ports):
                return
            time.sleep(0.1)
        sys.exit(f"there is no port {' or '.join(ports)}:\n{done.stdout}")

    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name) / "jalv.wav"
        try:
            start("jackd", "-n", server, "-r", "-d", "dummy", "-r", rate, "-p", 1024)
            wait_for("system:playback_1")
            player = start("jalv", "-n", "jalv", f"urn:jawari:{title}", stdin=subprocess.PIPE)
            wait_for("jalv:notes", "jalv:left", "jalv:right")
            start("jack_midiseq", "score", rate // 2, 0, 49, rate // 4, rate // 4, 56, rate // 8)
            wait_for("score:out")
            run("jack_connect", "score:out", "jalv:notes", env=environment)
            run("jack_rec", "-f", out, "-d", 2, "-b", 16, "jalv:left", "jalv:right", env=environment)
            if player.poll() is not None:
                sys.exit(f"jalv ended by itself: {player.returncode}\n{(out.parent / 'jalv.txt').read_text()}")
            player.kill()  # closed by itself it ends in JACK, which cancels the thread that plays amid a block
            player.wait(30)
            said = (out.parent / "jalv.txt").read_text()
        finally:
            for process in reversed(started):
                if process.poll() is None:
                    process.terminate()
                    process.wait(30)
        print(said)
        if bad := [line for line in said.splitlines() if "error" in line.lower() or "fail" in line.lower()]:
            sys.exit("\n".join(bad))
        heard = numpy.frombuffer(out.read_bytes()[44:], dtype="<i2")
        if len(heard) < 2 * rate or numpy.abs(heard.astype(int)).max() < 300:
            sys.exit(f"{len(heard)} samples, the loudest {numpy.abs(heard.astype(int)).max() if len(heard) else 0} of 32768: the notes are not heard")


def install(plugins: pathlib.Path, jawari: str, source: pathlib.Path) -> None:
    """Into the folders of a user; hosts find what is there by themselves."""
    with tempfile.TemporaryDirectory() as name:
        home = pathlib.Path(name) / "home"
        home.mkdir()
        for variable in ("LV2_PATH", "XDG_DATA_HOME", "OPCODE6DIR64"):
            os.environ.pop(variable, None)
        os.environ["HOME"] = str(home)
        said = run(source / "script" / "install", "--plugins", env=os.environ | {"JAWARI_BUILD": str(plugins.parent)})
        print(said)
        missing = []
        for made, put in (("jawari.clap", ".clap/jawari.clap"), ("lv2/jawari.lv2", ".lv2/jawari.lv2/manifest.ttl"),
                          ("vst3/jawari.vst3", f".vst3/jawari.vst3/Contents/{os.uname().machine}-linux/jawari.so"),
                          ("pd/jawari~.pd_linux", ".local/lib/pd/extra/jawari~/jawari~.pd_linux"),
                          ("csound/jawari.so", ".local/lib/csound/6.0/plugins64/jawari.so"),
                          ("supercollider/Jawari.so", ".local/share/SuperCollider/Extensions/Jawari/Jawari.so")):
            if (plugins / made).exists() and not (home / put).exists():
                missing.append(put)
        if missing or not said.strip():
            sys.exit(f"not installed: {', '.join(missing)}")
        if (plugins / "lv2/jawari.lv2").exists() and shutil.which("lv2ls") and f"urn:jawari:{title}" not in run("lv2ls").split():
            sys.exit("lv2ls does not list the plug-in")
        for made, program, play in (("pd", "pd", pd), ("csound", "csound", csound), ("supercollider", "scsynth", supercollider)):
            if (plugins / made).exists() and shutil.which(program):
                folder = pathlib.Path(name) / made
                folder.mkdir()
                print(program)
                compare(sound(play(None, folder)), rendered(jawari, source, folder))


def rendered(jawari: str, source: pathlib.Path, folder: pathlib.Path, preset: str = preset, lower: int = 0) -> numpy.ndarray:
    midi_file(folder / "play.mid", lower)
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
    """No plug-in shows more than its entry, or needs more than the C and C++ libraries.  That of CLAP has a window: X11, Cairo and what
    these need.  Those that open scenes from disk, which may name sound files, need libsndfile and what it needs."""
    entries = {"jawari.clap": {"clap_entry"}, "lv2/jawari.lv2/jawari.so": {"lv2_descriptor"},
               "vst3": {"GetPluginFactory", "ModuleEntry", "ModuleExit"}, "pd/jawari~.pd_linux": {"jawari_tilde_setup"},
               "csound/jawari.so": {"csoundModuleCreate", "csoundModuleDestroy", "csoundModuleInit"},
               "supercollider/Jawari.so": {"api_version", "server_type", "load"}}
    more = {"jawari.clap": ("libX11.so", "libcairo.so"), "pd/jawari~.pd_linux": ("libsndfile.so",), "csound/jawari.so": ("libsndfile.so",),
            "supercollider/Jawari.so": ("libsndfile.so",)}

    def libraries(path: pathlib.Path) -> dict[str, str]:
        """Name and path of all that the linker loads with it."""
        found = {}
        for line in run(need("ldd"), path).splitlines():
            words = line.split()
            found[words[0].rsplit("/", 1)[-1]] = words[2] if "=>" in words and len(words) > 2 else words[0]
        return found

    seen = 0
    for name, entry in entries.items():
        path = next((plugins / "vst3").glob("**/jawari.so"), None) if name == "vst3" else plugins / name
        if path is None or not path.exists():
            continue
        seen += 1
        shown = {line.split()[-1].split("@")[0] for line in run(need("nm"), "-D", "--defined-only", path).splitlines()}
        if shown != entry:
            sys.exit(f"{path} shows {sorted(shown)}, but must show {sorted(entry)}")
        needed = libraries(path)
        may = {n for n in needed if n.startswith(("libc.so", "libm.so", "libstdc++.so", "libgcc_s.so", "ld-linux", "linux-vdso"))}
        for n, where in needed.items():
            if n.startswith(more.get(name, ("-",))):
                may |= {n} | libraries(pathlib.Path(where)).keys()
        if extra := needed.keys() - may:
            sys.exit(f"{path} needs {', '.join(sorted(extra))}")
        print(f"{path.name}: {', '.join(sorted(shown))}; {', '.join(sorted(needed))}")
    if seen == 0:
        sys.exit(f"there is no plug-in in {plugins}")


def main() -> None:
    host, jawari, plugins, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    checks = {"lv2-validate": lv2_validate, "lv2bench": lv2bench, "qtractor": qtractor, "ardour-vst3": ardour_vst3, "symbols": symbols,
              "jalv": jalv}
    players = {"pd": pd, "csound": csound, "supercollider": supercollider, "ardour-lv2-export": ardour_lv2_export,
               "ardour-vst3-export": ardour_vst3_export}
    if host == "install":
        return install(plugins, jawari, source)
    if host in checks:
        return checks[host](plugins)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        played = sound(players[host](plugins, folder))
        if host == "ardour-vst3-export":
            compare(played, rendered(jawari, source, folder, "01-tanpura", 12))
        else:
            compare(played, rendered(jawari, source, folder))


if __name__ == "__main__":
    main()
