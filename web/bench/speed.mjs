// SPDX-License-Identifier: MIT
// Speed of the WebAssembly build against the native one, in one run, by the time of the processor: times real time, and their ratio;
// then what the presets of the page leave of the time in an AudioWorklet, which plays blocks of 128 frames.
//   script/web; JAWARI=build/release/jawari node web/bench/speed.mjs [scene...]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname, work = mkdtempSync(join(tmpdir(), 'jawari-speed-')), built = join(root, 'build/npm/jawari');
const names = process.argv.length > 2 ? process.argv.slice(2) : ['bridge', 'tanpura', 'sitar', 'guitar', 'slap-bass', 'piano', 'prepared-piano', 'marble-plate', 'snare-drum', 'mbira'];
const rounds = 3;  // of both, by turns: the best counts

/** Of the whole scene; the command line tells the time of its thread. */
function native(file) {
  const { stdout, stderr } = spawnSync(process.env.JAWARI, ['render', file, '--gain', '1', '--quality', 'draft', '-o', join(work, 'out.wav')], { encoding: 'utf8' });
  return Number(/([\d.e+]+) times real time/.exec(stdout + stderr)?.[1] ?? NaN);
}
function wasm(jawari, text) {
  const engine = jawari.open(text, { quality: 'draft' }), frames = Math.round(engine.scene.duration * engine.rate);
  const sound = [new Float64Array(4096)], begun = process.cpuUsage();
  for (let at = 0; at < frames; at += 4096) engine.processInto(sound, Math.min(4096, frames - at));
  const used = process.cpuUsage(begun);
  engine.close();
  return frames / engine.rate / ((used.user + used.system) / 1e6);
}
/** Share of the time that is left to a thread that plays a preset as the page does. */
function left(Processor, Library, module, text) {
  const library = new Library(module), options = { channels: 2, quality: 'draft', rate: 48000 }, engine = library.open(text, options);
  const instrument = engine.scene.voices > 0 ? library.openInstrument(text, { channels: 2, rate: 48000 }) : null;
  const processor = new Processor({ processorOptions: { module } }), out = [[new Float32Array(128), new Float32Array(128)]];
  processor.port.postMessage = () => {};
  processor.port.onmessage({ data: { type: 'image', id: 1, image: library.memory.buffer, engine: engine.handle, instrument: instrument?.handle ?? 0 } });
  const blocks = Math.ceil(engine.scene.duration * 48000 / 128), play = () => { for (let i = 0; i < blocks; ++i) processor.process([[]], out); };
  play();
  processor.port.onmessage({ data: { type: 'reset' } });
  const begun = process.cpuUsage();
  play();
  const used = process.cpuUsage(begun);
  return 1 - (used.user + used.system) / 1e6 / (blocks * 128 / 48000);
}

async function main() {
  global.AudioWorkletProcessor = class { constructor() { this.port = {}; } };
  let Processor;
  global.registerProcessor = (name, made) => { Processor = made; };
  Object.assign(global, { sampleRate: 48000, currentTime: 0 });
  const { load, compiled, Library } = await import(join(built, 'index.js')), jawari = await load(), module = await compiled();
  await import(join(built, 'worklet.js'));
  for (const file of readdirSync(join(root, 'scenes'))) jawari.addFile(file, new Uint8Array(readFileSync(join(root, 'scenes', file))));
  for (const name of names) {
    const file = join(root, 'scenes', `${name}.toml`), text = readFileSync(file, 'utf8');
    let there = NaN, here = 0;
    for (let i = 0; i < rounds; ++i) {
      if (process.env.JAWARI) there = Math.max(there || 0, native(file));
      here = Math.max(here, wasm(jawari, text));
    }
    console.log(`${name.padEnd(16)} ${here.toFixed(1).padStart(7)} x real time, native ${there.toFixed(1).padStart(7)}, ratio ${(here / there).toFixed(2)}`);
  }
  for (const file of process.argv.length > 2 ? [] : readdirSync(join(root, 'web/scenes')))
    console.log(`${file.replace('.toml', '').padEnd(16)} leaves ${Math.round(100 * left(Processor, Library, module, readFileSync(join(root, 'web/scenes', file), 'utf8')))} % of the time in the AudioWorklet`);
  rmSync(work, { recursive: true });
}
main();
