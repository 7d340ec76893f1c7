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
  processor.port.onmessage({ data: { type: 'film', frames: 4096, every: 8 } });
  for (let i = 0; i < 40; ++i) {
    out[0].forEach((channel) => channel.fill(0));
    processor.process([[]], out);
    heard.push(...out[0][0]);
  }
  const [film] = take(processor, 'film');
  assert.equal(film.count, 512);
  assert.equal(film.pictures.length, 512 * film.size);
  assert.ok(film.sound.some((x) => x !== 0));
  assert.deepEqual([...film.sound], heard.slice(0, 4096));
});

test('a string goes on from its shape when something is moved along it, without a click', async () => {
  const { withStart, withoutEvents } = await import(join(root, 'web/page/text.js'));
  const processor = new Processor({ processorOptions: { module } }), out = outputs(), first = image('tanpura', 1);
  processor.port.onmessage(first);
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
  const before_ = play(200), { engine } = processor.slot, [string] = new Library(module).open(scene('tanpura'), { channels: 2 }).scene.shapes;
  const picture = engine.readPicture(new Float32Array(engine.pictureSize)), inner = [...string.x.keys()].slice(1, -1);
  const start = `{ shape = "file", x_m = [${inner.map((k) => string.x[k])}], u_m = [${inner.map((k) => picture[k])}] }`;
  processor.port.onmessage(image('tanpura', 2, withStart(withoutEvents(scene('tanpura')).replace('position_m = 0.45', 'position_m = 0.3'), 0, start)));
  const across = [before_.at(-1), ...play(10)];
  assert.ok(steepest(across.slice(-300)) > 0.1 * steepest(before_), 'it sounds no more');
  assert.ok(steepest(before_) > 0);
  assert.ok(steepest(across) < 1.05 * steepest(before_), `${steepest(across)} against ${steepest(before_)}`);
  assert.equal(processor.old, null);
  assert.deepEqual(take(processor, 'playing').map((m) => m.id), [1, 2]);
});
