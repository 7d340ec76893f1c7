// SPDX-License-Identifier: MIT
// Speed of the WebAssembly build against the native one, in one run, by the time of the processor: times real time, and their ratio;
// then what the presets of the page leave of the time in an AudioWorklet, which plays blocks of 128 frames, and when Chromium sounds first.
//   script/web; JAWARI=build/release/jawari node web/bench/speed.mjs [--write] [scene...]
//   --write   puts the tables into docs/guide/playground.md
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname, work = mkdtempSync(join(tmpdir(), 'jawari-speed-')), built = join(root, 'build/npm/jawari');
const write = process.argv.includes('--write'), asked = process.argv.slice(2).filter((name) => name !== '--write');
const names = asked.length ? asked : ['bridge', 'tanpura', 'sitar', 'guitar', 'slap-bass', 'piano', 'prepared-piano', 'marble-plate', 'snare-drum', 'mbira'];
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

/** From the click on Play to the first sample that is not zero, in headless Chromium [ms]; least of three. */
async function firstSounds(presets) {
  const { chromium } = await import('playwright-core'), site = join(root, 'build/web'), kinds = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', wasm: 'application/wasm' };
  const server = createServer((request, response) => {
    const file = join(site, new URL(request.url, 'http://localhost').pathname.replace(/\/$/, '/index.html'));
    if (!file.startsWith(site) || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': kinds[file.split('.').at(-1)] ?? 'text/plain' }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'] }), found = {};
  for (const name of presets)
    for (let i = 0; i < 3; ++i) {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${server.address().port}/#${name}`);
      await page.waitForSelector('html[data-ready]');
      await page.click('#play');
      await page.waitForFunction(() => window.jawariState.firstSound > 0);
      found[name] = Math.min(found[name] ?? Infinity, await page.evaluate(() => window.jawariState.firstSound));
      await page.close();
    }
  await browser.close();
  server.close();
  return found;
}

async function main() {
  global.AudioWorkletProcessor = class { constructor() { this.port = {}; } };
  let Processor;
  global.registerProcessor = (name, made) => { Processor = made; };
  Object.assign(global, { sampleRate: 48000, currentTime: 0 });
  if (write && (asked.length || !process.env.JAWARI)) throw new Error('--write needs all scenes, and JAWARI, the command line to compare with');
  const { load, compiled, Library } = await import(join(built, 'index.js')), jawari = await load(), module = await compiled();
  await import(join(built, 'worklet.js'));
  for (const file of readdirSync(join(root, 'scenes'))) jawari.addFile(file, new Uint8Array(readFileSync(join(root, 'scenes', file))));
  const scenes = ['| Scene | Times real time | Native | Ratio |', '| --- | --- | --- | --- |'], lines = ['| Preset | Time left in the AudioWorklet | First sound |', '| --- | --- | --- |'];
  for (const name of names) {
    const file = join(root, 'scenes', `${name}.toml`), text = readFileSync(file, 'utf8');
    let there = NaN, here = 0;
    for (let i = 0; i < rounds; ++i) {
      if (process.env.JAWARI) there = Math.max(there || 0, native(file));
      here = Math.max(here, wasm(jawari, text));
    }
    scenes.push(`| \`${name}.toml\` | ${here.toFixed(1)} | ${there.toFixed(1)} | ${(here / there).toFixed(2)} |`);
    console.log(scenes.at(-1));
  }
  if (!asked.length) {
    const presets = readdirSync(join(root, 'web/scenes')).map((file) => file.replace('.toml', '')), first = await firstSounds(presets);
    for (const name of presets) {
      lines.push(`| ${name} | ${Math.round(100 * left(Processor, Library, module, readFileSync(join(root, 'web/scenes', `${name}.toml`), 'utf8')))} % | ${Math.round(first[name])} ms |`);
      console.log(lines.at(-1));
    }
  }
  if (write) {
    const page = join(root, 'docs/guide/playground.md'), marks = /(<!-- speed\.mjs writes what follows -->\n)[\s\S]*?(<!-- as far as here -->)/;
    const table = `\nMeasured on: ${cpus()[0].model}.\n\n${scenes.join('\n')}\n\n${lines.join('\n')}\n\n`;
    writeFileSync(page, readFileSync(page, 'utf8').replace(marks, (_, from, to) => from + table + to));
  }
  rmSync(work, { recursive: true });
}
main();
