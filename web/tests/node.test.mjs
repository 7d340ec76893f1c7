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

test('a WAV file is that of the command line, byte for byte', { skip: !process.env.JAWARI && 'JAWARI does not name the command line' }, () => {
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

test('the tarball installs into an empty project and runs the snippets of its README', { timeout: 120000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'jawari-npm-')), tarball = readdirSync(join(root, 'build/npm')).find((f) => f.endsWith('.tgz'));
  writeFileSync(join(work, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--offline', join(root, 'build/npm', tarball)], { cwd: work, stdio: 'pipe' });
  copyFileSync(join(root, 'web/scenes/prepared-piano.toml'), join(work, 'prepared-piano.toml'));
  const snippets = [...readFileSync(join(work, 'node_modules/jawari/README.md'), 'utf8').matchAll(/```js\n([\s\S]*?)```/g)].map((m) => m[1]);
  assert.ok(snippets.length >= 3);
  const said = snippets.map((snippet, i) => {
    writeFileSync(join(work, `snippet-${i}.js`), snippet);
    return execFileSync('node', [`snippet-${i}.js`], { cwd: work, encoding: 'utf8' });
  });
  assert.match(said[0], /closes to \d\.\de-1\d/);
  assert.match(said[1], /^2 .*lenght_m/);
  assert.match(said[2], /^true 1/);
  assert.ok(existsSync(join(work, 'bridge.wav')));
  for (const file of ['index.d.ts', 'player.d.ts', 'jawari.wasm', 'LICENSE', 'NOTICE']) assert.ok(existsSync(join(work, 'node_modules/jawari', file)), file);
  rmSync(work, { recursive: true });
});

test('sizes', () => {
  const wasm = gzipSync(readFileSync(join(built, 'jawari.wasm')), { level: 9 }).length;
  assert.ok(wasm < 700e3, `jawari.wasm has ${wasm} bytes gzipped`);
  const folder = join(root, 'build/web'), files = ['', 'jawari', 'scenes'].flatMap((f) => readdirSync(join(folder, f), { withFileTypes: true }).filter((e) => e.isFile() && !e.name.endsWith('.wasm')).map((e) => join(folder, f, e.name)));
  const bytes = files.reduce((sum, f) => sum + readFileSync(f).length, 0);
  assert.ok(bytes < 200e3, `page and scripts have ${bytes} bytes`);
});
