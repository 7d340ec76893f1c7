// SPDX-License-Identifier: MIT
// Speed of the WebAssembly build against the native one, by the time of the processor: times real time, and their ratio.
//   script/web; JAWARI=build/release/jawari node web/bench/speed.mjs [scene...]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname, work = mkdtempSync(join(tmpdir(), 'jawari-speed-'));
const names = process.argv.length > 2 ? process.argv.slice(2) : ['bridge', 'tanpura', 'sitar', 'guitar', 'slap-bass', 'piano', 'prepared-piano', 'marble-plate', 'snare-drum', 'mbira'];

/** Of a run as long as the scene, the best of three. */
function native(file) {
  let best = 0;
  for (let i = 0; i < 3; ++i) {
    const { stdout, stderr } = spawnSync(process.env.JAWARI, ['render', file, '--gain', '1', '--quality', 'draft', '-o', join(work, 'out.wav')], { encoding: 'utf8' });
    best = Math.max(best, Number(/([\d.e+]+) times real time/.exec(stdout + stderr)?.[1] ?? 0));
  }
  return best;
}
function wasm(jawari, text) {
  let best = 0;
  for (let i = 0; i < 3; ++i) {
    const engine = jawari.open(text, { quality: 'draft' }), frames = Math.round(engine.scene.duration * engine.rate), begun = process.cpuUsage();
    engine.process(frames, Float64Array);
    best = Math.max(best, frames / engine.rate / (process.cpuUsage(begun).user / 1e6));
    engine.close();
  }
  return best;
}

async function main() {
  const { load } = await import(join(root, 'build/npm/jawari/index.js')), jawari = await load();
  for (const name of names) {
    const file = join(root, 'scenes', `${name}.toml`), there = process.env.JAWARI ? native(file) : NaN, here = wasm(jawari, readFileSync(file, 'utf8'));
    console.log(`${name.padEnd(16)} ${here.toFixed(1).padStart(7)} x real time, native ${there.toFixed(1).padStart(7)}, ratio ${(here / there).toFixed(2)}`);
  }
  rmSync(work, { recursive: true });
}
main();
