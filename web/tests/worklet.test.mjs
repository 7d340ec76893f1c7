// SPDX-License-Identifier: MIT
// The AudioWorklet's processor, run in Node.js: once a scene plays, neither the engine nor JavaScript allocates, whatever is
// played and however pictures travel; films, states and a second scene arrive.
//   script/web; node --test web/tests/worklet.test.mjs
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import v8 from 'node:v8';
import vm from 'node:vm';

const root = new URL('../..', import.meta.url).pathname, built = join(root, 'build/npm/jawari');
const scene = (name) => readFileSync(join(root, 'web/scenes', `${name}.toml`), 'utf8');
let Library, module, Processor, collect;
before(async () => {
  v8.setFlagsFromString('--expose-gc');
  v8.setFlagsFromString('--no-concurrent-recompilation');
  collect = vm.runInNewContext('gc');
  const port = () => ({ sent: [], postMessage(message) { this.sent.push({ ...message }); }, onmessage: null });
  global.AudioWorkletProcessor = class { constructor() { this.port = port(); } };
  global.registerProcessor = (name, made) => { Processor = made; };
  Object.assign(global, { sampleRate: 48000, currentTime: 0 });
  ({ Library } = await import(join(built, 'core.js')));
  module = await (await import(join(built, 'index.js'))).compiled();
  await import(join(built, 'worklet.js'));
});

/** A string that is pushed by what comes in. */
const driven = `rate_hz = 48000
duration_s = 1
[[string]]
name = "string"
length_m = 0.65
frequency_hz = 110
radius_m = 4e-4
decay_s = [2.0, 0.5]
decay_hz = [110, 4000]
[[excitation]]
type = "input"
body = "string"
position_m = 0.2
amplitude_N = 1.0
[[pickup]]
of = "string"
position_m = 0.5
`;
/** What opener.js sends of a scene. */
function image(name, id, text = scene(name)) {
  const library = new Library(module), engine = library.open(text, { channels: 2, quality: 'draft', rate: 48000 });
  const instrument = engine.scene.voices > 0 ? library.openInstrument(text, { channels: 2, rate: 48000 }) : null;
  return { data: { type: 'image', id, image: library.memory.buffer.slice(0), engine: engine.handle, instrument: instrument?.handle ?? 0, gain: 1 } };
}
const outputs = () => [[new Float32Array(128), new Float32Array(128)]];
const take = (processor, type) => processor.port.sent.filter((m) => m.type === type);

/** Bytes of JavaScript that `count` blocks leave behind: of a few rounds the first that leaves next to none, as the compiler leaves something, too.  Before
    that keys and a parameter come. */
function garbage(processor, count, parameter) {
  const out = outputs(), inputs = [[]], back = { data: { type: 'buffer', buffer: null } };
  const set = { data: { type: 'set', parameter, value: 1e-5, glide: 0.02, others: [] } };
  const key = { data: { type: 'note', note: 0, channel: 0, index: 0, id: -1, key: 55, value: 0.7 } };
  processor.port.postMessage = (message) => { if (message.type === 'picture') back.data.buffer = message.buffer; };
  const play = (blocks, told) => {
    for (let i = 0; i < blocks; ++i) {
      out[0][0].fill(0);
      out[0][1].fill(0);
      processor.process(inputs, out);
      if (back.data.buffer) {
        processor.port.onmessage(back);
        back.data.buffer = null;
      }
      if (told && i % 16 === 0) {
        set.data.value = (i % 32) * 1e-6;
        processor.port.onmessage(set);
      }
      if (told && i % 200 === 0) {
        key.data.note = i % 400 ? 1 : 0;
        processor.port.onmessage(key);
      }
    }
  };
  play(1200, true);
  let least = Infinity;
  for (let round = 0; round < 15 && least > 4 * count; ++round) {
    collect();
    const start = v8.getHeapStatistics().used_heap_size;
    play(count, false);
    least = Math.min(least, v8.getHeapStatistics().used_heap_size - start);
  }
  return least;
}

for (const [name, shared] of [['marble-glass', false], ['slap-bass', false], ['tanpura', true]])
    test(`${name}: nothing is allocated while it plays, pictures ${shared ? 'in shared memory' : 'by message'}`, { timeout: 120000 }, () => {
      const processor = new Processor({ processorOptions: { module, shared } });
      processor.port.onmessage(image(name, 1));
      const [{ size, shared: memory }] = take(processor, 'playing');
      assert.equal(Boolean(memory), shared);
      const { slot } = processor, parameter = slot.player.parameters().findIndex((p) => p.name.endsWith('height_m'));
      assert.ok(parameter >= 0 || name !== 'tanpura');
      slot.allocations = slot.library.allocations;
      const count = 400, left = garbage(processor, count, parameter);
      assert.ok(left < 4 * count, `${left} bytes in ${count} blocks`);
      console.log(`# ${name}: ${left} bytes in ${count} blocks`);
      assert.equal(slot.library.allocations, slot.allocations);
      assert.equal(slot.library.memory.buffer.byteLength, slot.bytes);
      if (shared) {
        const shown = new Int32Array(memory, 0, 1)[0], half = new Float32Array(memory, 4 * (1 + (shown & 1) * size), size);
        assert.ok(shown > 200 && half[0] > 128 * 1500, `${shown} pictures, the last at frame ${half[0]}`);
      }
    });

test('a state is judged elsewhere as it would be here', () => {
  const processor = new Processor({ processorOptions: { module } }), there = new Library(module);
  processor.port.onmessage(image('tanpura', 1));
  const far = there.open(scene('tanpura'), { channels: 2, quality: 'draft', rate: 48000 }), out = outputs();
  for (let i = 0; i < 400; ++i) processor.process([[]], out);
  const [{ stateBytes }] = take(processor, 'playing'), buffer = new ArrayBuffer(stateBytes.reduce((sum, n) => sum + n, 0)), { library } = processor.slot, before_ = library.allocations;
  processor.port.onmessage({ data: { type: 'judge', buffer } });
  assert.equal(library.allocations, before_);
  const [{ bytes }] = take(processor, 'state');
  far.load(new Uint8Array(buffer, 0, bytes[0]));
  assert.ok(far.time > 1);
  assert.deepEqual(far.judge(), processor.slot.engine.judge());
  assert.deepEqual(far.ledger(), processor.slot.engine.ledger());
});

test('a film holds the sound that is played', () => {
  const processor = new Processor({ processorOptions: { module } }), heard = [], out = outputs();
  processor.port.onmessage(image('tanpura', 1));
  const { library, player } = processor.slot, before_ = library.allocations;
  processor.port.onmessage({ data: { type: 'film', every: 8, count: 512, pictures: new Float32Array(512 * player.pictureSize), sound: new Float32Array(4096) } });
  for (let i = 0; i < 40; ++i) {
    out[0].forEach((channel) => channel.fill(0));
    processor.process([[]], out);
    heard.push(...out[0][0]);
  }
  const [film] = take(processor, 'film');
  assert.equal(library.allocations, before_, 'a film allocates in the engine');
  assert.equal(film.count, 512);
  assert.equal(film.pictures.length, 512 * film.size);
  assert.ok(film.sound.some((x) => x !== 0));
  assert.deepEqual([...film.sound], heard.slice(0, 4096));
});

/** What opener.js answers, which runs here instead of in a Worker. */
let opening = null;
const opener = () => opening = opening ?? beginOpener();
async function beginOpener() {
  const answers = new Map();
  Object.assign(global, { onmessage: null, postMessage: (m) => answers.set(m.id, m) });
  await import(join(built, 'opener.js'));
  let id = 0;
  const ask = async (message) => {
    await global.onmessage({ data: { ...message, id: ++id } });
    const answer = answers.get(id);
    if (answer.error) throw new Error(answer.error.message);
    return answer;
  };
  await ask({ type: 'module', module });
  return (text, more = {}, options = {}) => ask({ type: 'open', scene: text, options: { quality: 'draft', rate: 48000, ...options }, ...more });
}
test('strings go on as they move when something is moved along them, without a click and with their overtones', async () => {
  const open = await opener(), text = scene('tanpura'), processor = new Processor({ processorOptions: { module } }), out = outputs();
  const begin = (answer, id) => processor.port.onmessage({ data: { type: 'image', id, image: answer.image, engine: answer.engine, instrument: 0, gain: 1 } });
  const play = (count) => {
    const sound = [];
    for (let i = 0; i < count; ++i) {
      out[0].forEach((channel) => channel.fill(0));
      processor.process([[]], out);
      sound.push(...out[0][0]);
    }
    return sound;
  };
  const steepest = (sound) => sound.reduce((most, x, i) => i ? Math.max(most, Math.abs(x - sound[i - 1])) : most, 0);
  const first = await open(text, { instrument: false });
  begin(first, 1);
  const before_ = play(200), [{ stateBytes }] = take(processor, 'playing'), buffer = new ArrayBuffer(stateBytes[0]);
  processor.port.onmessage({ data: { type: 'judge', buffer, question: 7 } });
  const [state] = take(processor, 'state');
  assert.equal(state.question, 7);
  const second = await open(text.replace('position_m = 0.45', 'position_m = 0.3'), { instrument: false, after: { opened: first.opened, buffer, bytes: state.bytes } }, { events: false });
  begin(second, 2);
  const across = [before_.at(-1), ...play(10)], later = play(40);
  assert.ok(steepest(before_) > 0);
  assert.ok(steepest(across) < 1.05 * steepest(before_), `${steepest(across)} against ${steepest(before_)}`);
  // What the string would have gone on with: the plectrum that has moved is far from it, so nothing else differs.
  const whole = new Library(module).open(text, { channels: 2, quality: 'draft', rate: 48000 }).process(128 * 250)[0].slice(128 * 210);
  const wrong = Math.sqrt(later.reduce((sum, x, i) => sum + (x - whole[i]) ** 2, 0) / whole.reduce((sum, x) => sum + x * x, 0));
  assert.ok(wrong < 0.3, `off by ${wrong} of the sound`);
  assert.equal(processor.old, null);
  assert.deepEqual(take(processor, 'playing').map((m) => m.id), [1, 2]);
});

test('voices that a bridge presses from the start come to rest beforehand, and are not heard before a note', async () => {
  const open = await opener(), text = scene('tanpura').replace('height_m = -1e-5', 'height_m = 4e-4'), out = outputs(), blocks = 60;
  assert.equal((await open(scene('tanpura'))).rested, false);
  const answer = await open(text), processor = new Processor({ processorOptions: { module } });
  assert.equal(answer.rested, true);
  const played = (more = () => {}) => Float32Array.from({ length: blocks }).reduce((sound, _, i) => {
    if (i === 20) more();
    out[0].forEach((channel) => channel.fill(0));
    processor.process([[]], out);
    return sound.concat([...out[0][0]]);
  }, []);
  const key = () => processor.port.onmessage({ data: { type: 'note', note: 0, channel: 0, index: 0, id: -1, key: 50, value: 0.8 } });
  const reset = () => processor.port.onmessage({ data: { type: 'reset' } });
  processor.port.onmessage({ data: { type: 'image', id: 1, image: answer.image, engine: answer.engine, instrument: answer.instrument, rested: answer.rested, gain: 1 } });
  const alone = [...new Library(module).open(text, { channels: 2, quality: 'draft', rate: 48000 }).process(128 * blocks)[0]];
  assert.deepEqual(played(), alone);
  reset();
  const first = played(key), voice = first.map((x, i) => x - alone[i]), most = (from, to) => voice.slice(from, to).reduce((m, x) => Math.max(m, Math.abs(x)), 0);
  assert.equal(most(0, 128 * 20), 0);
  assert.ok(most(128 * 20, 128 * blocks) > 1e-2, 'the key is not heard');
  assert.ok(most(128 * 20, 128 * 21) < 0.05 * most(128 * 21, 128 * blocks), 'strings that no key has played are heard');
  reset();
  assert.deepEqual(played(key), first);

  // It stops, and begins to play again.
  processor.port.onmessage({ data: { type: 'stop' } });
  const end = played();
  assert.ok(end.slice(0, 128).some((x) => x !== 0) && end.slice(1024).every((x) => x === 0));
  const { engine, image: memory } = await open(text, { instrument: false });
  processor.port.onmessage({ data: { type: 'image', id: 2, image: memory, engine, instrument: 0, gain: 1 } });
  assert.deepEqual(played(), alone);
});

test('a picture says how many voices sound, sound that comes in reaches a scene with an input', () => {
  const processor = new Processor({ processorOptions: { module } }), out = outputs();
  processor.port.onmessage(image('tanpura', 1));
  const voices = () => {
    const pictures = [];
    for (let i = 0; i < 20; ++i) {
      processor.process([[]], out);
      for (const m of processor.port.sent.splice(0))
        if (m.type === 'picture') {
          pictures.push(m.buffer[1]);
          processor.port.onmessage({ data: { type: 'buffer', buffer: m.buffer } });
        }
    }
    return pictures.at(-1);
  };
  processor.port.postMessage = (message) => processor.port.sent.push({ ...message });
  assert.equal(voices(), 0);
  processor.port.onmessage({ data: { type: 'note', note: 0, channel: 0, index: 0, id: -1, key: 50, value: 0.8 } });
  assert.equal(voices(), 1);

  const heard = new Processor({ processorOptions: { module } });
  heard.port.onmessage(image('', 1, driven));
  const input = [Float32Array.from({ length: 128 }, (_, i) => Math.sin(i / 5))];
  for (const [given, loud] of [[[], false], [input, true]]) {
    out[0].forEach((channel) => channel.fill(0));
    for (let i = 0; i < 10; ++i) heard.process([given], out);
    assert.equal(out[0][0].some((x) => x !== 0), loud);
  }
});
