// SPDX-License-Identifier: MIT
// The npm package in Node.js: the samples of the native build bit for bit, errors, states, keys, sizes; installed from its tarball
// into an empty project, it runs the snippets of its README.
//   script/web; JAWARI=build/release/jawari node --test web/tests/node.test.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';

const root = new URL('../..', import.meta.url).pathname, built = join(root, 'build/npm/jawari');
const scenes = readdirSync(join(root, 'scenes')).filter((f) => f.endsWith('.toml')).map((f) => f.slice(0, -5));
const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const golden = JSON.parse(read('tests/golden/values/sample_hashes.json'));
let jawari, JawariError, wavBytes;
before(async () => {
  const library = await import(join(built, 'index.js'));
  ({ JawariError, wavBytes } = library);
  jawari = await library.load();
  for (const file of readdirSync(join(root, 'scenes'))) jawari.addFile(file, new Uint8Array(readFileSync(join(root, 'scenes', file))));
});

/** FNV-1a of 64 bits over doubles, as tests/golden/hash.h. */
function hashOf(tracks) {
  let high = 0xcbf29ce4, low = 0x84222325;
  const number = new Float64Array(1), bytes = new Uint8Array(number.buffer);
  for (const track of tracks)
    for (const x of track) {
      assert.ok(Number.isFinite(x), 'a sample is not finite');
      number[0] = x === 0 ? 0 : x;
      for (const byte of bytes) {  // times 2^40 + 0x1b3
        low = (low ^ byte) >>> 0;
        const small = (low & 0xffff) * 0x1b3, large = (low >>> 16) * 0x1b3 + (small >>> 16);
        high = (Math.imul(high, 0x1b3) + Math.floor(large / 65536) + (low << 8)) >>> 0;
        low = Math.imul(low, 0x1b3) >>> 0;
      }
    }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}
function playedHash(text) {
  const engine = jawari.open(text, { channels: 0 });
  try {
    if (engine.scene.steps !== 1) return 'filtered';  // the table holds what is computed, before it is filtered down
    return hashOf(engine.process(Math.trunc(Math.min(engine.scene.duration, 0.3) * engine.rate), Float64Array));
  } finally {
    engine.close();
  }
}

test('every shipped scene has the samples of the native build', () => {
  assert.ok(scenes.length >= 19);
  for (const name of scenes) assert.equal(playedHash(read('scenes', `${name}.toml`)), golden[name], name);
});

test('so have the drawn scenes, of every kind of part', () => {
  let compared = 0;
  for (const [name, hash] of Object.entries(golden).filter(([n]) => n.startsWith('drawn-'))) {
    const played = playedHash(read('tests/golden/scenes', `${name}.toml`));
    if (played === 'filtered') continue;
    assert.equal(played, hash, name);
    ++compared;
  }
  assert.ok(compared >= 35, `${compared} were compared`);
});

test('a WAV file is that of the command line, byte for byte', () => {
  assert.ok(process.env.JAWARI, 'JAWARI must name the command line; script/web --test builds it');
  const work = mkdtempSync(join(tmpdir(), 'jawari-wav-'));
  for (const name of readdirSync(join(root, 'web/scenes'))) {
    const text = read('web/scenes', name).replace(/^duration_s = .*/m, 'duration_s = 1.5'), scene = join(work, name), file = join(work, 'native.wav');
    writeFileSync(scene, text);
    execFileSync(process.env.JAWARI, ['render', scene, '--quiet', '--gain', '1', '--quality', 'draft', '-o', file], { stdio: ['ignore', 'ignore', 'ignore'] });
    let engine = jawari.open(text, { quality: 'draft' });
    if (engine.scene.pickups.some((p) => p.pan !== 0)) {
      engine.close();
      engine = jawari.open(text, { quality: 'draft', channels: 2 });
    }
    const wav = wavBytes(engine.process(Math.round(engine.scene.duration * engine.rate), Float64Array), engine.rate);
    engine.close();
    assert.ok(Buffer.from(wav).equals(readFileSync(file)), name);
  }
  rmSync(work, { recursive: true });
});

test('shipped scenes to their end are those of the command line', { skip: !process.env.JAWARI_WHOLE && 'takes minutes: JAWARI_WHOLE=1' }, () => {
  const work = mkdtempSync(join(tmpdir(), 'jawari-whole-')), file = join(work, 'native.wav');
  for (const name of scenes) {
    execFileSync(process.env.JAWARI, ['render', join(root, 'scenes', `${name}.toml`), '--quiet', '--gain', '1', '--quality', 'draft', '-o', file], { stdio: 'ignore' });
    let engine = jawari.open(read('scenes', `${name}.toml`), { quality: 'draft' });
    if (engine.scene.pickups.some((p) => p.pan !== 0)) {
      engine.close();
      engine = jawari.open(read('scenes', `${name}.toml`), { quality: 'draft', channels: 2 });
    }
    const wav = wavBytes(engine.render(Float64Array), engine.rate);
    engine.close();
    assert.ok(Buffer.from(wav).equals(readFileSync(file)), name);
  }
  rmSync(work, { recursive: true });
});

test('what is refused is refused with its line', () => {
  const refused = (text, options) => {
    try {
      jawari.open(text, options).close();
    } catch (error) {
      assert.ok(error instanceof JawariError);
      return error;
    }
    assert.fail(`not refused: ${text}`);
  };
  assert.equal(refused('duration_s = 1\n[[string]]\nname = "s"\nlenght_m = 1').line, 2);
  assert.equal(refused('duration_s = 1\n[[string]]\nname = "s"\nlength_m = -1\nfrequency_hz = 100\nradius_m = 1e-4').line, 4);
  assert.match(refused('duration_s = -1').message, /duration_s is -1/);
  const wrong = refused('duration_s = 1\n[[string]]\nname = "s"\nlength_m = -1\nfrequency_hz = 100\nradius_m = 1e-4');
  assert.deepEqual([wrong.path, wrong.value, wrong.allowed], ['string[0].length_m', '-1', 'lie in (0, 10000] m']);
  assert.ok(wrong.message.endsWith(wrong.sentence) && wrong.sentence !== wrong.message, wrong.sentence);
  assert.match(refused('include = ["missing.toml"]').message, /missing\.toml/);
  assert.match(refused(read('scenes/ball.toml'), { kernels: 2 }).message, /kernels is 2, but must be 0 or 1/);
  assert.throws(() => jawari.open(read('scenes/ball.toml'), { quality: 'best' }), /must be one of draft, standard, high/);
  const engine = jawari.open(read('scenes/ball.toml'));
  assert.throws(() => engine.send('pluck', 'nothing'), /no body "nothing"/);
  assert.throws(() => engine.set('nothing.gain', 1), /no parameter "nothing.gain"/);
  engine.close();
});

test('states are saved and loaded, blocks of any size give the same samples', () => {
  const text = read('scenes/bridge.toml'), engine = jawari.open(text), whole = engine.process(3000, Float64Array)[0];
  engine.reset();
  const pieces = [1, 127, 872].map((n) => engine.process(n, Float64Array)[0]), state = engine.save(), rest = engine.process(2000, Float64Array)[0];
  assert.deepEqual([...pieces[0], ...pieces[1], ...pieces[2], ...rest], [...whole]);
  engine.load(state);
  assert.deepEqual(engine.process(2000, Float64Array)[0], rest);
  state[state.length - 1] ^= 1;
  assert.throws(() => engine.load(state), JawariError);
  engine.close();
});

test('parameters change while it plays, and the account stays closed', () => {
  const engine = jawari.open(read('scenes/bridge.toml')), still = jawari.open(read('scenes/bridge.toml'));
  engine.process(4000);
  still.process(4000);
  const name = engine.parameterNames.find((n) => n.endsWith('.height_m'));
  engine.set(name, 2e-4, 0.05);
  assert.notDeepEqual(engine.process(8000)[0], still.process(8000)[0]);
  const { residual, largest, injected } = engine.ledger();
  assert.ok(Math.abs(residual) < 1e-11 * largest, `residual ${residual} J of ${largest} J`);
  assert.notEqual(injected, 0);
  assert.deepEqual(engine.judge().filter((v) => v.severity === 'failure'), []);
  engine.close();
  still.close();
});

test('instruments play keys and MIDI, and allocate nothing while they do', () => {
  const instrument = jawari.openInstrument(read('web/scenes/prepared-piano.toml')), out = [new Float32Array(128), new Float32Array(128)];
  instrument.processInto(out);
  assert.ok(instrument.silent && out[0].every((x) => x === 0));
  instrument.on(60, 0.8);
  instrument.processInto(out);
  const bytes = jawari.memory.buffer.byteLength;
  let loud = 0;
  for (let block = 0; block < 300; ++block) {
    if (block === 20) assert.equal(instrument.midi(0x90, 67, 90), 0);
    if (block === 100) instrument.midi(0xe0, 0, 96);
    if (block === 150) instrument.midi(0x80, 67, 0);
    assert.ok(instrument.processInto(out));
    loud = Math.max(loud, ...out[0].map(Math.abs));
  }
  assert.ok(loud > 1e-3, `the loudest sample is ${loud}`);
  assert.ok(instrument.sounding >= 1);
  assert.equal(jawari.memory.buffer.byteLength, bytes);
  assert.deepEqual(instrument.controls(), []);
  assert.equal(jawari.tuning('12-tet')[69], 440);
  instrument.close();
});

test('the image of an open scene goes on in another instance', async () => {
  const { Engine, Library } = await import(join(built, 'core.js'));
  const { compiled } = await import(join(built, 'index.js'));
  const module = await compiled(), first = new Library(module), engine = first.open(read('scenes/bridge.toml'));
  const image = first.memory.buffer.slice(0), here = engine.process(2000, Float64Array)[0];
  assert.deepEqual(new Engine(new Library(module, image), engine.handle).process(2000, Float64Array)[0], here);
});

test('every function of the C interface is used, or there is a reason', () => {
  const core = read('web/package/core.js'), api = read('include/jawari/c_api.h'), others = {
    jawari_open: 'jawari_web_open, with quality, scheme and starts', jawari_find_body: 'names are kept in lists', jawari_find_parameter: 'names are kept in lists',
    jawari_instrument_find_control: 'names are kept in lists', jawari_instrument_engine: 'jawari_web_instrument_engine, which may be told events', jawari_instrument_send: 'notes go with the block',
  };
  const names = [...api.matchAll(/^JAWARI_API [^(]*?\b(jawari_\w+)\(/gm)].map((m) => m[1]);
  assert.ok(names.length > 70, `${names.length} functions`);
  // kindList() makes the names of six of them.
  const used = (name) => new RegExp(`\\b${name}\\b`).test(core) || /^jawari_(law|scheme)_(count|info|key)$/.test(name) && core.includes(`jawari_\${what}_${name.split('_')[2]}`);
  assert.deepEqual(names.filter((name) => !used(name)).sort(), Object.keys(others).sort());
  for (const name of names) assert.equal(typeof jawari.x[name], 'function', name);
});

test('laws, schemes, tunings, channels, contacts, whole renderings', () => {
  const laws = jawari.laws(), hunt = laws.find((l) => l.name === 'hunt-crossley');
  assert.ok(hunt.keys.some((k) => k.name === 'stiffness' && k.required) && hunt.keys.some((k) => k.name === 'exponent' && k.least > 0 && k.most > k.least));
  assert.ok(jawari.allSchemes().some((s) => s.name === 'two-point' && s.text && s.source));
  assert.equal(jawari.allSchemes().length, jawari.x.jawari_scheme_count());
  const equal = jawari.tuningFromScala('! equal.scl\n!\nequal\n 12\n!\n' + Array.from({ length: 12 }, (_, i) => ` ${100 * (i + 1)}.0\n`).join(''));
  jawari.tuning('12-tet').forEach((hz, key) => assert.ok(Math.abs(equal[key] / hz - 1) < 1e-9, `key ${key}`));
  assert.throws(() => jawari.tuningFromScala('no scale'), JawariError);
  const text = read('scenes/marble-glass.toml').replace(/^duration_s = .*/m, 'duration_s = 1'), engine = jawari.open(text, { channels: 2 }), split = jawari.open(read('scenes/dulcimer.toml'), { channels: 0 });
  assert.deepEqual(engine.channelNames, ['left', 'right']);
  assert.equal(split.channelNames.length, split.channels);
  assert.deepEqual(split.pickups.map((p) => p.pan), [-0.5, 0.5]);
  assert.equal(engine.frames, engine.rate);
  const whole = engine.render(Float64Array), [contact] = engine.contacts();
  assert.ok(contact.impacts >= 1 && contact.largestForce > 0, JSON.stringify(contact));
  engine.reset();
  assert.deepEqual(engine.process(engine.frames, Float64Array), whole);
  assert.equal(jawari.versionNumber, jawari.version.split('.').reduce((n, x) => 100 * n + Number(x), 0));
  engine.close();
  split.close();
});

test('sound that comes in moves what it drives', () => {
  const text = `rate_hz = 48000\nduration_s = 1\n[[mass]]\nname = "m"\nmass_kg = 1e-3\nspring_N_m = 1e3\n[[excitation]]\nbody = "m"\ntype = "input"\n[[pickup]]\nof = "m"\nquantity = "velocity"`;
  const engine = jawari.open(text), input = [Float64Array.from({ length: 1000 }, (_, i) => Math.sin(i / 10))];
  assert.equal(engine.inputs, 1);
  const [sound] = engine.process(1000, Float64Array, input);
  assert.ok(sound.some((x) => Math.abs(x) > 1e-3));
  engine.reset();
  const pieces = [new Float64Array(1000)];
  for (let at = 0; at < 1000; at += 125) engine.processInto([pieces[0].subarray(at, at + 125)], 125, input, at);
  assert.deepEqual(pieces[0], sound);
  engine.reset();
  assert.ok(engine.process(1000, Float64Array)[0].every((x) => x === 0));
  engine.process(10, Float64Array, [Float64Array.from({ length: 10 }, () => NaN)]);
  assert.equal(engine.replacedInput, 10);
  engine.close();
});

const pages = readdirSync(join(root, 'web/scenes')).map((f) => ['web/scenes', f]), everyScene = () => [...pages, ...scenes.map((name) => ['scenes', `${name}.toml`])];
const loudest = (engine, seconds) => engine.process(Math.round(seconds * engine.rate), Float64Array).reduce((most, c) => c.reduce((m, x) => Math.max(m, Math.abs(x)), most), 0);
/** Largest displacement of every string [m]. */
const widest = (engine) => Object.fromEntries(engine.motion().map(({ string, u }) => [string, u.reduce((m, x) => Math.max(m, Math.abs(x)), 0)]));

test('without events strings rest, in every scene; each can be pulled', () => {
  let strings = 0;
  for (const path of everyScene()) {
    const text = read(...path), still = jawari.open(text, { events: false, channels: 2 }), { shapes } = still.scene, wires = still.scene.parts.filter((p) => p.kind === 'snare').map((p) => p.name), names = shapes.filter((s) => s.string && !wires.some((w) => s.name.startsWith(w))).map((s) => s.name);
    if (!names.length) {
      still.close();
      continue;
    }
    const start = widest(still);
    loudest(still, 0.4);
    const later = widest(still);
    for (const name of names) assert.ok(later[name] < 2e-4 && start[name] < 1e-5, `${path}: ${name} moves by ${later[name]} m`);
    const held = names.reduce((sum, name) => sum + later[name], 0);
    still.close();
    const name = names.at(-1), length = shapes.find((s) => s.name === name).x.at(-1), height = 1e-3;
    const pulled = jawari.open(text, { events: false, channels: 2, starts: [{ string: name, position: 0.3 * length, height }] });
    const most = widest(pulled);
    assert.ok(most[name] > 0.6 * height && most[name] < 1.2 * height, `${path}: ${name} begins at ${most[name]} m`);
    for (const other of names) assert.ok(other === name || most[other] < 1e-4, `${path}: ${other} begins at ${most[other]} m`);
    assert.ok(loudest(pulled, 0.2) > 1e-6, `${path}: ${name} is not heard`);
    assert.ok(Math.abs(pulled.ledger().residual) < 1e-9 * pulled.ledger().largest, `${path}: ${JSON.stringify(pulled.ledger())}`);
    assert.ok(held < 1e-3, `${path}: ${held} m`);
    pulled.close();
    strings += names.length;
  }
  assert.ok(strings > 30, `${strings} strings`);
  assert.throws(() => jawari.open(read('scenes/bridge.toml'), { starts: [{ string: 'none', position: 0.1, height: 1e-3 }] }), /no such string/);
});

test('a pull is the start "pluck" of the text; what is set at the beginning stays, what events move may still be moved', () => {
  const text = read('scenes/bridge.toml'), bare = text.replace(/^start = .*\n/m, ''), name = jawari.open(text).scene.shapes[0].name;
  assert.notEqual(bare, text);
  const written = jawari.open(bare.replace(/(\[\[string\]\]\n)/, '$1start = { shape = "pluck", position_m = 0.2, height_m = 2e-3 }\n')), pulled = jawari.open(text, { events: false, starts: [{ string: name, position: 0.2, height: 2e-3 }] });
  assert.deepEqual(pulled.process(2000, Float64Array), written.process(2000, Float64Array));
  const moves = read('web/scenes/tanpura.toml').replaceAll('position_range_m', '# position_range_m').replace('[voice]', '[[event]]\ndo = "set"\ntarget = "thread"\nparameter = "height_m"\nvalue = 1e-5\n\n[[event]]\ntime_s = 1\ndo = "set"\ntarget = "thread"\nparameter = "position_m"\nvalue = 0.02\n\n[voice]');
  const engine = jawari.open(moves, { events: false }), parameter = engine.parameters().find((p) => p.name === 'thread.position_m');
  assert.equal(parameter?.most, 0.02);
  engine.process(512);
  assert.equal(engine.parameters().find((p) => p.name === 'thread.height_m').value, 1e-5);
  engine.process(engine.rate * 1.2);
  assert.equal(engine.parameters().find((p) => p.name === 'thread.position_m').value, 0.006);
  for (const one of [written, pulled, engine]) one.close();
});

test('strings go on in another engine as they move, all of them', () => {
  for (const path of [['web/scenes', 'sitar.toml'], ['scenes', 'dulcimer.toml'], ['scenes', 'piano.toml'], ['scenes', 'tanpura.toml'], ['scenes', 'bridge.toml']]) {
    const text = read(...path), engine = jawari.open(text);
    engine.process(Math.round(0.9 * engine.rate));
    const state = engine.save(), starts = engine.motion(), on = jawari.open(text, { events: false, starts });
    engine.load(state);
    engine.process(1);
    const coupled = /dulcimer|piano|tanpura/.test(path.join());  // to a board, which begins at rest
    const compare = (frames) => {
      engine.process(frames);
      on.process(frames);
      const a = engine.motion(), b = on.motion();
      a.forEach((s, k) => {
        const off = Math.sqrt(s.u.reduce((sum, x, i) => sum + (x - b[k].u[i]) ** 2, 0) / s.u.reduce((sum, x) => sum + x * x, 1e-18));
        assert.ok(off < (coupled ? 0.2 : 0.05), `${path}: ${s.string} is off by ${off} of its displacement after ${frames} frames`);
      });
    };
    compare(1);
    compare(Math.round(0.004 * engine.rate));
    engine.close();
    on.close();
  }
});

test('what is dragged is in the text, and sounds as the text says', async () => {
  const { movedText, moversOf, valuesOf } = await import(join(root, 'web/page/moving.js'));
  let moved = 0, live = 0;
  for (const path of everyScene()) {
    const text = read(...path), engine = jawari.open(text, { events: false }), { scene } = engine, parameters = engine.parameters();
    const places = { parts: scene.parts, lines: scene.lines, parameters, values: valuesOf(scene, parameters) };
    for (const part of scene.parts.filter((p) => ['barrier', 'fret', 'thread', 'hammer', 'plectrum', 'bolt', 'rattle', 'pickup'].includes(p.kind))) {
      const movers = moversOf(part, parameters), on = scene.shapes.find((s) => s.name === (part.string ?? part.target ?? part.of));
      if (!on?.string) continue;
      for (const by of [{ x: 1e-3, y: 0, height: 0 }, { x: 0, y: 0, height: movers.height ? 2e-5 : 0 }]) {
        if (!by.x && !by.height) continue;
        const changed = movedText(text, places, part, by);
        if (changed === text) {
          assert.ok(!(by.x ? movers.along : movers.height), `${path}: ${part.kind} ${part.name} moves and the text does not say so`);
          continue;
        }
        const again = jawari.open(changed, { events: false }), now = again.scene.parts.find((p) => p.kind === part.kind && p.index === part.index), set = valuesOf(again.scene, again.parameters());
        const parameter = by.x ? movers.along : movers.height, close = (a, b, what) => assert.ok(Math.abs(a - b) < 1e-9, `${path}: ${part.kind} ${part.name}: ${what} is ${a} instead of ${b}`);
        ++moved;
        assert.deepEqual(again.scene.parts.map((p) => p.name), scene.parts.map((p) => p.name).concat(again.scene.parts.length > scene.parts.length ? [again.scene.parts.at(-1).name] : []));
        const drawn = (e, owner) => e.barriers.find((b) => b.name === owner);
        if (parameter && parameter.name.endsWith('height_m')) {
          // The surface as built, and what is set on top of it.
          const before_ = drawn(scene, part.name).height[0] - parameter.start + places.values.get(parameter.name), after_ = drawn(again.scene, part.name).height[0] - again.parameters().find((p) => p.name === parameter.name).start + set.get(parameter.name);
          close(after_, before_ + by.height, 'its height');
          drawn(again.scene, part.name).height.forEach((h, i) => close(h - drawn(scene, part.name).height[i], drawn(again.scene, part.name).height[0] - drawn(scene, part.name).height[0], 'a point'));
        } else if (parameter?.name.endsWith('position_m')) {
          close(set.get(parameter.name), places.values.get(parameter.name) + by.x, 'its place');
          ++live;
        } else if (now.heights) {
          now.positions.forEach((x, i) => close(x, part.positions[i] + by.x, 'a point'));
        }
        again.close();
      }
    }
    engine.close();
  }
  assert.ok(moved > 60 && live > 8, `${moved} places, ${live} of them live`);
});

test('frets are moved by their list', async () => {
  const { movedText, valuesOf } = await import(join(root, 'web/page/moving.js'));
  const text = read('web/scenes/slap-bass.toml'), engine = jawari.open(text, { events: false }), parameters = engine.parameters(), part = engine.scene.parts.find((p) => p.name === 'frets');
  const changed = movedText(text, { parts: engine.scene.parts, lines: engine.scene.lines, parameters, values: valuesOf(engine.scene, parameters) }, part, { x: 0, y: 0, height: 3e-4 });
  assert.doesNotMatch(changed, /^height_m/m);
  const again = jawari.open(changed, { events: false, starts: [{ string: 'e', position: 0.3, height: 6e-3 }] }), live = jawari.open(text, { events: false, starts: [{ string: 'e', position: 0.3, height: 6e-3 }] });
  again.scene.parts.find((p) => p.name === 'frets').heights.forEach((h, i) => assert.ok(Math.abs(h - part.heights[i] - 3e-4) < 1e-12));
  live.set('frets.height_m', 3e-4, 0);
  const [a, b] = [again, live].map((e) => e.process(4800, Float64Array)[0]), still = jawari.open(text, { events: false, starts: [{ string: 'e', position: 0.3, height: 6e-3 }] }).process(4800, Float64Array)[0];
  const off = (x, y) => Math.sqrt(x.reduce((sum, v, i) => sum + (v - y[i]) ** 2, 0) / y.reduce((sum, v) => sum + v * v, 0));
  assert.ok(off(a, still) > 0.2, `the frets are not heard: ${off(a, still)}`);
  assert.ok(off(a, b) < 0.02, `what sounds is off by ${off(a, b)} of what the text says`);
});

test('the tarball installs into an empty project and runs the snippets of its README', { timeout: 120000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'jawari-npm-')), tarball = readdirSync(join(root, 'build/npm')).find((f) => f.endsWith('.tgz'));
  writeFileSync(join(work, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--offline', join(root, 'build/npm', tarball)], { cwd: work, stdio: 'pipe' });
  copyFileSync(join(root, 'web/scenes/prepared-piano.toml'), join(work, 'prepared-piano.toml'));
  const readme = readFileSync(join(work, 'node_modules/jawari/README.md'), 'utf8'), snippets = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map((m) => m[1]);
  assert.ok(snippets.length >= 4);
  const said = snippets.map((snippet, i) => {
    writeFileSync(join(work, `snippet-${i}.js`), snippet);
    return execFileSync('node', [`snippet-${i}.js`], { cwd: work, encoding: 'utf8' });
  });
  assert.match(said[0], /closes to \d\.\de-1\d/);
  assert.match(said[1], /^2 .*lenght_m/);
  assert.match(said[2], /^true 1/);
  assert.match(said[3], /^true true/);
  // All of them are TypeScript, too, and so is what types.ts uses; what it says is wrong is refused.
  const inPage = /<script type="module">([\s\S]*?)<\/script>/.exec(readme)[1].replace('./node_modules/jawari/player.js', 'jawari/player.js');
  [...snippets, inPage, read('web/tests/types.ts')].forEach((source, i) => writeFileSync(join(work, `typed-${i}.ts`), source));
  const sources = [...snippets, 0, 0].map((_, i) => `typed-${i}.ts`);
  execFileSync('node', [join(root, 'node_modules/typescript/bin/tsc'), '--strict', '--noEmit', '--skipDefaultLibCheck', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', '--typeRoots', join(root, 'node_modules/@types'), '--types', 'node', ...sources], { cwd: work, encoding: 'utf8', stdio: 'pipe' });
  assert.ok(existsSync(join(work, 'bridge.wav')));
  for (const file of ['index.d.ts', 'player.d.ts', 'jawari.wasm', 'LICENSE', 'NOTICE']) assert.ok(existsSync(join(work, 'node_modules/jawari', file)), file);
  rmSync(work, { recursive: true });
});

test('what the types describe is there', async () => {
  const { default: ts } = await import('typescript');
  const library = await import(join(built, 'index.js')), player = await import(join(built, 'player.js')), engine = jawari.open(read('scenes/bridge.toml')), instrument = jawari.openInstrument(read('web/scenes/tanpura.toml'));
  const has = { Library: jawari, Engine: engine, Instrument: instrument, Sounding: engine, Player: Object.assign(Object.create(player.Player.prototype), new player.Player(), { context: 0, node: 0, output: 0, sources: 0 }), Opener: Object.assign(Object.create(player.Opener.prototype), { module: 0 }), JawariError: new JawariError('') };
  let members = 0;
  for (const file of ['index.d.ts', 'player.d.ts'])
    for (const statement of ts.createSourceFile(file, read('web/package', file), ts.ScriptTarget.ES2022).statements) {
      if (ts.isFunctionDeclaration(statement)) assert.equal(typeof (library[statement.name.text] ?? player[statement.name.text]), 'function', statement.name.text);
      if (!ts.isClassDeclaration(statement)) continue;
      for (const member of statement.members) {
        const name = member.name?.text;
        if (!name) continue;
        const owner = member.modifiers?.some((m) => m.kind === ts.SyntaxKind.StaticKeyword) ? player[statement.name.text] : has[statement.name.text];
        assert.ok(name in owner, `${statement.name.text}.${name} is described, but is not there`);
        ++members;
      }
    }
  assert.ok(members > 60, `${members} members`);
  engine.close();
  instrument.close();
});

test('sizes', () => {
  const wasm = gzipSync(readFileSync(join(built, 'jawari.wasm')), { level: 9 }).length;
  assert.ok(wasm < 700e3, `jawari.wasm has ${wasm} bytes gzipped`);
  const folder = join(root, 'build/web'), files = ['', 'jawari', 'scenes'].flatMap((f) => readdirSync(join(folder, f), { withFileTypes: true }).filter((e) => e.isFile() && !e.name.endsWith('.wasm')).map((e) => join(folder, f, e.name)));
  const bytes = files.reduce((sum, f) => sum + readFileSync(f).length, 0);
  assert.ok(bytes < 200e3, `page and scripts have ${bytes} bytes`);
});
