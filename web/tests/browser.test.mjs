// SPDX-License-Identifier: MIT
// The playground in Chromium (playwright-core) and Firefox (puppeteer-core, WebDriver BiDi): no message on the console, no request
// to another host, first sound, gestures, MIDI, links, sound files, phones, the keyboard alone.
//   script/web; JAWARI=build/release/jawari node --test web/tests/browser.test.mjs
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { load } from '../package/index.js';

const root = new URL('../..', import.meta.url).pathname, site = join(root, 'build/web');
const chromiumPath = process.env.CHROMIUM || '/usr/bin/chromium', firefoxPath = process.env.FIREFOX || '/usr/bin/firefox-esr';
const kinds = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.toml': 'text/plain', '.wasm': 'application/wasm' };
let server, base, jawari;
/** The documentation as far as its pictures that play need it: the gallery, the script, the playground beside them. */
function docs(path) {
  if (path === 'assets/play.js') return readFileSync(join(root, 'docs/theme/play.js'));
  if (path.endsWith('.png')) return readFileSync(join(root, 'docs', path));
  const text = readFileSync(join(root, 'docs', path.replace('.html', '.md')), 'utf8'), title = /^# (.*)/.exec(text)[1];
  const pictures = [...text.matchAll(/!\[([^\]]*)\]\(([^)]*)\)/g)].map(([, name, from]) => `<p><img alt="${name}" src="${from}"></p>`).join('\n');
  return `<!doctype html><link rel="icon" href="data:,"><h1 id="${title.toLowerCase().replace(/[^a-z]+/g, '-')}">${title}</h1>${pictures}<script src="../assets/play.js"></script>`;
}
before(async () => {
  server = createServer((request, response) => {
    const gallery = /^\/docs\/(?!playground)(.*)/.exec(request.url)?.[1];
    if (gallery) return response.writeHead(200, { 'content-type': kinds[extname(gallery)] ?? 'image/png' }).end(docs(gallery));
    const isolated = request.url.startsWith('/isolated/') ? { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' } : {};
    request.url = request.url.replace(/^\/(docs\/playground|isolated)\//, '/');
    const path = normalize(join(site, decodeURIComponent(new URL(request.url, 'http://localhost').pathname))), file = path.endsWith('/') ? join(path, 'index.html') : path;
    if (!file.startsWith(site) || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': kinds[extname(file)] ?? 'application/octet-stream', ...isolated }).end(readFileSync(file));
  });
  jawari = await load(readFileSync(join(site, 'jawari/jawari.wasm')));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${server.address().port}/`;
});
after(() => server.close());

// The same few words for both drivers: open(address) gives a page with evaluate, click, wait and problems.
const chromium = {
  name: 'Chromium',
  async start() {
    const { chromium: driver } = await import('playwright-core');
    this.browser = await driver.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--autoplay-policy=no-user-gesture-required'] });
  },
  async open(address, { width = 1360, height = 900, dark = false, init = null } = {}) {
    const context = await this.browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', hasTouch: width < 600, acceptDownloads: true, permissions: ['midi', 'clipboard-read', 'clipboard-write'] });
    const page = await context.newPage(), problems = [];
    page.on('console', (m) => problems.push(`console: ${m.text()}`));
    page.on('pageerror', (e) => problems.push(`error: ${e.message}`));
    page.on('request', (r) => { if (!r.url().startsWith(base) && !/^(data|blob):/.test(r.url())) problems.push(`request: ${r.url()}`); });
    page.on('response', (r) => { if (r.status() >= 400) problems.push(`${r.status()}: ${r.url()}`); });
    if (init) await page.addInitScript(init);
    await page.goto(base + address);
    await page.waitForSelector('html[data-ready]');
    return { problems, evaluate: (f, x) => page.evaluate(f, x), click: (s) => page.click(s), wait: (f, x, timeout = 20000) => page.waitForFunction(f, x, { timeout }), shot: (path) => page.screenshot({ path, fullPage: width < 600 }),
      drag: async (from, to) => { await page.mouse.move(...from); await page.mouse.down(); for (let i = 1; i <= 8; ++i) await page.mouse.move(from[0] + (to[0] - from[0]) * i / 8, from[1] + (to[1] - from[1]) * i / 8); await page.mouse.up(); },
      press: (key) => page.keyboard.press(key), page, context, close: () => context.close() };
  },
  stop() { return this.browser?.close(); },
};
const firefox = {
  name: 'Firefox',
  async start() {
    const { default: driver } = await import('puppeteer-core');
    // Firefox begins no AudioContext without a device: a sound server of its own, with nothing behind it.
    if (existsSync('/usr/bin/pulseaudio')) {
      this.runtime = mkdtempSync(join(tmpdir(), 'jawari-pulse-'));
      process.env.XDG_RUNTIME_DIR = this.runtime;
      this.sound = spawn('pulseaudio', ['-n', '--daemonize=no', '--exit-idle-time=-1', '-L', 'module-null-sink', '-L', 'module-native-protocol-unix'], { stdio: 'ignore' });
      for (let i = 0; i < 50 && !existsSync(join(this.runtime, 'pulse/native')); ++i) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    this.browser = await driver.launch({ browser: 'firefox', executablePath: firefoxPath, headless: true, extraPrefsFirefox: { 'media.autoplay.default': 0, 'media.autoplay.blocking_policy': 0, 'dom.webmidi.enabled': false } });
  },
  async open(address, { width = 1360, height = 900, init = null } = {}) {
    const page = await this.browser.newPage(), problems = [];
    await page.setViewport({ width, height });
    page.on('console', (m) => problems.push(`console: ${m.text()}`));
    page.on('pageerror', (e) => problems.push(`error: ${e.message}`));
    page.on('request', (r) => { if (!r.url().startsWith(base) && !/^(data|blob|about):/.test(r.url())) problems.push(`request: ${r.url()}`); });
    if (init) await page.evaluateOnNewDocument(init);
    await page.goto(base + address);
    await page.waitForSelector('html[data-ready]', { timeout: 60000 });
    return { problems, evaluate: (f, x) => page.evaluate(f, x), click: (s) => page.click(s), wait: (f, x) => page.waitForFunction(f, { timeout: 30000 }, x), shot: (path) => page.screenshot({ path }),
      drag: async (from, to) => { await page.mouse.move(...from); await page.mouse.down(); await page.mouse.move(...to, { steps: 8 }); await page.mouse.up(); },
      press: (key) => page.keyboard.press(key), close: () => page.close() };
  },
  async stop() {
    await this.browser?.close();
    this.sound?.kill();
    if (this.runtime) rmSync(this.runtime, { recursive: true, force: true });
  },
};

const ledger = () => ({ ...window.jawariState.ledger });
/** The first `seconds` of what plays, from its start, bit for bit. */
const beginning = (page, seconds) => page.evaluate((s) => new Promise((resolve) => {
  const player = window.jawariPlayer, shown = player.onfilm;
  player.onfilm = (film) => {
    player.onfilm = shown;
    resolve({ sound: [...film.sound], rate: film.rate });
  };
  player.silence();
  player.film(s, 8);
}), seconds);
/** The state of what plays now. */
const stateOf = async (page) => Buffer.from(await page.evaluate(async () => {
  const { buffer, bytes } = await window.jawariPlayer.state(), data = new Uint8Array(buffer, 0, bytes[0]);
  let letters = '';
  for (let i = 0; i < data.length; i += 8192) letters += String.fromCharCode(...data.subarray(i, i + 8192));
  return btoa(letters);
}), 'base64');
/** Whether these are the samples of a text with a string that is pulled; the film may begin some blocks after the sound. */
function isPulled(text, { sound, rate }, start) {
  const engine = jawari.open(text, { events: false, quality: 'draft', channels: 2, rate, starts: [start] }), [left] = engine.process(sound.length + 128 * 400);
  engine.close();
  assert.ok(sound.some((x) => x !== 0), 'there is no sound');
  return Array.from({ length: 401 }, (_, k) => 128 * k).some((at) => sound.every((x, i) => x === left[at + i]));
}
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const middleOf = (selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

for (const driver of [chromium, firefox]) {
  const path = driver === chromium ? chromiumPath : firefoxPath;
  describe(driver.name, { concurrency: 1 }, () => {
    before(() => {
      assert.ok(existsSync(path), `${path} is missing: script/bootstrap --web installs it`);
      return driver.start();
    });
    after(() => driver.stop());

    test('plays within two seconds, draws, and keeps its account', { timeout: 90000 }, async () => {
      let page, first = Infinity;
      for (let i = 0; i < 3 && !(first < 2000); ++i) {  // the least of three: other programs use this machine too
        await page?.close();
        page = await driver.open('#tanpura');
        await page.click('#play');
        await page.wait(() => window.jawariState.pictures > 40);
        first = Math.min(first, await page.evaluate(() => window.jawariState.firstSound));
      }
      const seen = await page.evaluate(() => ({ energy: { ...window.jawariState.ledger }, address: location.hash, error: document.getElementById('missing').hidden }));
      assert.ok(first > 0 && first < 2000, `first sound after ${first} ms`);
      console.log(`# ${driver.name}: first sound after ${Math.round(first)} ms`);
      assert.ok(seen.energy.largest > 1e-6 && Math.abs(seen.energy.residual) < 1e-10 * seen.energy.largest, JSON.stringify(seen.energy));
      assert.equal(seen.address, '#tanpura');
      assert.ok(seen.error);
      await page.wait(() => window.jawariState.grown !== undefined);
      assert.equal(await page.evaluate(() => window.jawariState.grown), 0, 'memory grew while it played');
      assert.equal(await page.evaluate(() => window.jawariState.allocations), 0, 'something was allocated while it played');
      assert.deepEqual(page.problems, []);
      await page.close();
    });

    test('where a server isolates the page, pictures come in shared memory', { timeout: 60000 }, async () => {
      const page = await driver.open('isolated/#tanpura');
      assert.ok(await page.evaluate(() => window.crossOriginIsolated));
      await page.evaluate(() => {
        const post = MessagePort.prototype.postMessage;
        MessagePort.prototype.postMessage = function (message, ...more) {
          if (message.type === 'buffer') window.cameBack = true;
          return post.call(this, message, ...more);
        };
      });
      await page.click('#play');
      await page.wait(() => window.jawariState.pictures > 40 && window.jawariState.ledger.largest > 1e-6);
      assert.ok(!await page.evaluate(() => window.cameBack), 'a picture came by message');
      assert.deepEqual(page.problems, []);
      await page.close();
    });

    test('Stop ends the sound until something is played again', { timeout: 60000 }, async () => {
      const page = await driver.open('#tanpura'), loudest = () => page.evaluate(() => {
        const samples = new Float32Array(window.testAnalyser.fftSize);
        window.testAnalyser.getFloatTimeDomainData(samples);
        return samples.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      });
      await page.click('#play');
      await page.wait(() => window.jawariState.ledger?.time > 0.3);
      await page.evaluate(() => {
        window.testAnalyser = window.jawariPlayer.context.createAnalyser();
        window.jawariPlayer.output.connect(window.testAnalyser);
      });
      await sleep(200);
      assert.ok(await loudest() > 1e-4);
      await page.click('#stop');
      await sleep(600);  // the scene would have been plucked by then, if it had begun again
      assert.equal(await loudest(), 0);
      assert.equal(await page.evaluate(() => document.getElementById('play').textContent), 'Play');
      const pictures = await page.evaluate(() => window.jawariState.pictures);
      await sleep(200);
      assert.equal(await page.evaluate(() => window.jawariState.pictures), pictures);
      await page.click('#play');
      await page.wait((n) => window.jawariState.pictures > n + 20 && window.jawariState.ledger.largest > 1e-6, pictures);
      await sleep(200);
      assert.ok(await loudest() > 1e-4);
      assert.deepEqual(page.problems, []);
      await page.close();
    });

    test('pulling the string, and dragging its bridge, change what sounds as the text says; the account stays closed', { timeout: 120000 }, async () => {
      const page = await driver.open('#tanpura', { init: () => {
        const post = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function (m, ...more) {
          if (m.type === 'open' && m.options.starts?.length) [window.lastStart] = m.options.starts;
          return post.call(this, m, ...more);
        };
      } }), [x, y] = await page.evaluate(middleOf, '#stage'), lastStart = () => page.evaluate(() => window.lastStart);
      await page.drag([x, y], [x + 30, y - 60]);
      await page.wait(() => window.jawariState.ledger?.largest > 1e-6);
      const [bx, by] = await page.evaluate(middleOf, '#handles [data-name=bridge]'), before_ = await page.evaluate(ledger);
      const { text, opened } = await page.evaluate(() => ({ text: window.jawariState.text, opened: window.jawariState.opened }));
      await page.drag([bx, by], [bx, by - 40]);
      await page.wait((t) => window.jawariState.text !== t, text);
      await page.wait((work) => Math.abs(window.jawariState.ledger.injected - work) > 1e-12, before_.injected);
      const after_ = await page.evaluate(ledger);
      assert.ok(Math.abs(after_.residual) < 1e-10 * after_.largest, JSON.stringify(after_));
      const higher = await page.evaluate(() => window.jawariState.text), height = Number(/name = "bridge"[\s\S]*?height_m = (\S+)/.exec(higher)[1]);
      assert.ok(height > 0, `height_m is ${height}`);

      // Dragged along: a parameter moves the thread, nothing is opened anew.
      const [tx, ty] = await page.evaluate(middleOf, '#handles [data-name=thread]');
      await page.drag([tx, ty], [tx + 12, ty]);
      await page.wait((t) => window.jawariState.text !== t, higher);
      const moved = await page.evaluate(() => window.jawariState.text), place = Number(/name = "thread"[\s\S]*?position_m = (\S+)/.exec(moved)[1]);
      assert.ok(place > 0.007, `position_m is ${place}`);
      await sleep(300);
      const dragged = await page.evaluate(ledger);
      assert.ok(Math.abs(dragged.residual) < 1e-10 * dragged.largest, JSON.stringify(dragged));
      assert.equal(await page.evaluate(() => window.jawariState.opened), opened, 'the scene was opened anew');
      await page.wait((t) => window.jawariState.ledger.time > t + 0.1, dragged.time);  // the glide takes 30 ms of what is played
      const engine = jawari.open(text, { events: false, quality: 'draft', channels: 2, starts: [await lastStart()], rate: await page.evaluate(() => window.jawariPlayer.context.sampleRate) });
      engine.load(await stateOf(page));
      engine.process(256);
      for (const [name, value] of [['bridge.height_m', height], ['thread.position_m', place]]) {
        const { value: heard, least, most } = engine.parameters().find((p) => p.name === name);
        assert.ok(Math.abs(heard - value) < 1e-12, `${name} is ${heard}, the text says ${value}, and it may be ${least} to ${most}`);
      }
      engine.close();

      // Pulled again, sample by sample: what sounds is what the text says, and neither what it said before.
      await page.evaluate(() => document.getElementById('stage').focus());
      await page.press('Enter');
      await page.wait((n) => window.jawariState.opened > n, opened);
      await page.evaluate(() => { window.jawariState.ledger = null; });
      await page.wait(() => window.jawariState.ledger?.time > 0.1);  // the old scene has faded
      const heard = await beginning(page, 0.1), start = await lastStart();
      assert.ok(isPulled(moved, heard, start), 'what sounds is not what the text says');
      assert.ok(!isPulled(higher, heard, start), 'the thread is where it was');
      assert.ok(!isPulled(text, heard, start), 'the bridge is where it was');

      const [fx, fy] = await page.evaluate(middleOf, '#handles [data-name=finger]');
      await page.drag([fx, fy], [fx + 80, fy]);
      await page.wait(() => !/position_m = 0.45\n/.test(window.jawariState.text));
      assert.deepEqual(page.problems, []);
      await page.close();
    });

    test('several strings: one is pulled, all go on when something is dragged along them', { timeout: 120000 }, async () => {
      const page = await driver.open('#scene=dulcimer');
      await page.click('#play');
      await page.wait(() => window.jawariState.ledger?.largest > 1e-6 && window.jawariState.ledger.time > 0.3);
      const sway = () => page.evaluate(() => {
        const { scene } = window.jawariState, player = window.jawariPlayer, shown = player.onpicture;
        return new Promise((resolve) => {
          const most = {};
          let left = 30;
          player.onpicture = (picture) => {
            let at = 0;
            for (const s of scene.description.shapes) {
              for (let i = 0; i < s.x.length; ++i) if (s.string) most[s.name] = Math.max(most[s.name] ?? 0, Math.abs(picture.values[at + i]));
              at += s.x.length;
            }
            shown(picture);
            if (--left > 0) return;
            player.onpicture = shown;
            resolve(most);
          };
        });
      });
      const before_ = await sway(), opened = await page.evaluate(() => window.jawariState.opened), [hx, hy] = await page.evaluate(middleOf, '#handles [data-name=hammer]');
      await page.drag([hx, hy], [hx + 40, hy]);
      await page.wait((n) => window.jawariState.opened > n && !window.jawariState.trying, opened);
      await page.wait(() => /position_m = 0.0[789]/.test(window.jawariState.text));
      const after_ = await sway();  // they decay meanwhile, the longer the busier the machine is; one that had begun at rest would not move
      for (const name of ['low', 'high']) assert.ok(before_[name] > 1e-5 && after_[name] > 0.2 * before_[name], `${name}: ${before_[name]} m, then ${after_[name]} m`);
      assert.deepEqual(page.problems, []);
      await page.close();
    });

    test('keys and MIDI with MPE play voices, bend their pitch and let them go', { timeout: 120000 }, async () => {
      const page = await driver.open('#tanpura', { init: () => {
        const input = { name: 'Test keyboard', onmidimessage: null };
        navigator.requestMIDIAccess = async () => ({ inputs: new Map([['1', input]]), onstatechange: null });
        window.testInput = input;
        window.sentNotes = [];
        const post = MessagePort.prototype.postMessage;
        MessagePort.prototype.postMessage = function (message, ...more) {
          if (message?.type === 'note') window.sentNotes.push(message.note);
          return post.call(this, message, ...more);
        };
      } });
      // A tap while the scene opens: the note is let go after it has begun.
      await page.evaluate(() => {
        for (const type of ['keydown', 'keyup']) dispatchEvent(new KeyboardEvent(type, { key: 'a' }));
      });
      await page.wait(() => window.sentNotes.length === 2);
      assert.deepEqual(await page.evaluate(() => window.sentNotes), [0, 1]);
      await page.wait(() => window.jawariState.pictures > 10 && window.jawariState.voices === 0);
      await page.evaluate(() => { window.jawariPlayer.silence(); document.activeElement.blur(); });
      await page.wait(() => window.jawariState.voices === 0 && !(window.jawariState.ledger.kinetic > 1e-12));
      await page.evaluate(() => dispatchEvent(new KeyboardEvent('keydown', { key: 'a' })));
      await page.wait(() => window.jawariState.voices === 1 && window.jawariState.ledger.kinetic > 1e-9);
      await page.evaluate(() => dispatchEvent(new KeyboardEvent('keyup', { key: 'a' })));

      await page.click('#midi');
      await page.wait(() => document.getElementById('midi-state').textContent.includes('Test keyboard'));
      const midi = (...messages) => page.evaluate((list) => { for (const bytes of list) window.testInput.onmidimessage({ data: Uint8Array.from(bytes) }); }, messages);
      await page.evaluate(() => window.jawariPlayer.silence());
      await midi([0xb0, 0x79, 0], [0xb0, 101, 0], [0xb0, 100, 6], [0xb0, 6, 4], [0x91, 50, 100], [0x92, 57, 100], [0xd1, 90]);
      await page.wait(() => window.jawariState.voices === 2);
      await midi([0x81, 50, 0], [0x82, 57, 0], [0xb0, 101, 0], [0xb0, 100, 6], [0xb0, 6, 0]);
      await page.evaluate(() => window.jawariPlayer.silence());
      await midi([0x90, 50, 100]);
      const pitch = () => page.evaluate(() => parseFloat(document.getElementById('pitch').textContent) || 0);
      const near = (hz) => page.wait((f) => Math.abs(parseFloat(document.getElementById('pitch').textContent) / f - 1) < 0.006, hz);
      await near(146.8);
      await midi([0xe0, 0x7f, 0x7f]);
      await near(146.8 * 2 ** (2 / 12)).catch(async () => assert.fail(`bent by two semitones the pitch is ${await pitch()} Hz`));
      await midi([0x80, 50, 0]);
      assert.deepEqual(page.problems, []);
      await page.close();
    });

    test('a link brings the same scene, a sound file is that of the command line', { timeout: 120000 }, async () => {
      assert.ok(process.env.JAWARI, 'JAWARI must name the command line; script/web --test builds it');
      const page = await driver.open('#slap-bass');
      await page.click('#tab-scene');
      await page.evaluate(() => {
        const area = document.getElementById('text');
        area.value = area.value.replace('duration_s = 4', 'duration_s = 1.2').replace('velocity_m_s = 4.0', 'velocity_m_s = 3.5');
        area.dispatchEvent(new Event('input'));
      });
      await page.wait(() => location.hash.startsWith('#z='));
      const address = await page.evaluate(() => location.hash), text = await page.evaluate(() => window.jawariState.text);
      assert.deepEqual(page.problems, []);
      await page.close();
      const again = await driver.open(address);
      assert.equal(await again.evaluate(() => window.jawariState.text), text);
      await again.click('#tab-share');
      await again.click('#wav');
      await again.wait(() => !document.getElementById('wav-link').hidden);
      const bytes = await again.evaluate(async () => {
        const data = new Uint8Array(await (await fetch(document.getElementById('wav-link').href)).arrayBuffer());
        let letters = '';
        for (let i = 0; i < data.length; i += 8192) letters += String.fromCharCode(...data.subarray(i, i + 8192));
        return btoa(letters);
      });
      const work = mkdtempSync(join(tmpdir(), 'jawari-page-'));
      writeFileSync(join(work, 'scene.toml'), text);
      execFileSync(process.env.JAWARI, ['render', 'scene.toml', '--quiet', '--gain', '1', '--quality', 'draft', '-o', 'scene.wav'], { cwd: work, stdio: 'ignore' });
      assert.ok(Buffer.from(bytes, 'base64').equals(readFileSync(join(work, 'scene.wav'))));
      // What is copied does the same.
      if (again.context) {
        const copied = async (button) => {
          await again.click(button);
          await again.wait((b) => document.querySelector(b).textContent === 'Copied', button);
          return again.evaluate(() => navigator.clipboard.readText());
        };
        assert.equal(await copied('#copy-toml'), text);
        assert.equal(await copied('#copy-link'), `${base}${address}`);
        const env = { ...process.env, PATH: `${join(process.env.JAWARI, '..')}:/usr/bin:${process.env.PATH}`, PYTHONPATH: process.env.JAWARI_PYTHON };
        for (const [button, run] of [['#copy-cli', 'bash'], ['#copy-python', 'python3']]) {
          rmSync(join(work, 'scene.wav'));
          execFileSync(run, { cwd: work, env, input: await copied(button), stdio: ['pipe', 'ignore', 'pipe'] });
          assert.ok(Buffer.from(bytes, 'base64').equals(readFileSync(join(work, 'scene.wav'))), `${button} writes another sound`);
        }
      }
      rmSync(work, { recursive: true });
      assert.deepEqual(again.problems, []);
      await again.close();
    });

    test('errors stand at their line', { timeout: 60000 }, async () => {
      const page = await driver.open('#tanpura');
      await page.click('#tab-scene');
      await page.evaluate(() => {
        const area = document.getElementById('text');
        area.value = area.value.replace('length_m = 1.0', 'length_m = -1.0');
        area.dispatchEvent(new Event('input'));
      });
      await page.wait(() => document.getElementById('text-error').textContent !== '');
      const { said, line, wrong } = await page.evaluate(() => ({ said: document.getElementById('text-error').textContent, line: document.querySelector('#numbers b')?.textContent, wrong: document.getElementById('text').value.split('\n').findIndex((row) => row.startsWith('length_m')) + 1 }));
      assert.match(said, /length_m/);
      assert.equal(Number(line), wrong);
      assert.deepEqual(page.problems, []);
      await page.close();
    });
  });
}

describe('Chromium, more', { concurrency: 1 }, () => {
  before(() => chromium.start());
  after(() => chromium.stop());

  test('every preset plays, on a desktop and on a phone, light and dark; nothing is wider than the screen', { timeout: 180000 }, async () => {
    for (const [i, name] of ['tanpura', 'sitar', 'prepared-piano', 'slap-bass', 'snare-drum', 'marble-plate', 'marble-glass'].entries()) {
      const page = await chromium.open(`#${name}`, i % 2 ? { width: 390, height: 844, dark: true } : {});
      await page.click('#play');
      await page.wait(() => window.jawariState.firstSound > 0 && window.jawariState.pictures > 20);
      const { residual, largest } = await page.evaluate(ledger);
      assert.ok(Math.abs(residual) < 1e-9 * largest, `${name}: ${residual} J of ${largest} J`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is too wide`);
      if (process.env.SHOTS) await page.shot(join(process.env.SHOTS, `${name}.png`));
      assert.deepEqual(page.problems, [], name);
      await page.close();
    }
  });

  test('a finger on a phone pulls the string, and strikes where it taps', { timeout: 60000 }, async () => {
    const page = await chromium.open('#prepared-piano', { width: 390, height: 844 }), touch = await page.context.newCDPSession(page.page), [x, y] = await page.evaluate(middleOf, '#stage');
    const send = (type, ...points) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([px, py]) => ({ x: px, y: py })) });
    await send('touchStart', [x, y]);
    for (let i = 1; i <= 6; ++i) await send('touchMove', [x + 3 * i, y - 9 * i]);
    assert.ok(await page.evaluate(() => scrollY === 0), 'the page scrolls instead');
    await send('touchEnd');
    await page.wait(() => window.jawariState.ledger?.largest > 1e-6);
    const text = await page.evaluate(() => window.jawariState.text), opened = await page.evaluate(() => window.jawariState.opened);
    await send('touchStart', [x - 90, y]);
    await send('touchEnd');
    await page.wait((t) => window.jawariState.text !== t, text);
    const place = Number(/name = "hammer"[\s\S]*?position_m = (\S+)/.exec(await page.evaluate(() => window.jawariState.text))[1]), along = await page.evaluate(() => 0.62 * ((innerWidth / 2 - 90 - document.getElementById('stage').getBoundingClientRect().x - 26) / (document.getElementById('stage').clientWidth - 52)));
    assert.ok(Math.abs(place - along) < 5e-3, `it strikes at ${place} m instead of ${along} m`);
    assert.equal(await page.evaluate(() => window.jawariState.opened), opened);
    await page.wait(() => window.jawariState.ledger.injected > 1e-4);
    assert.deepEqual(page.problems, []);
    await page.close();
  });

  test('with the keyboard alone: a pluck, a bridge, tabs', { timeout: 60000 }, async () => {
    const page = await chromium.open('#tanpura');
    await page.evaluate(() => document.getElementById('stage').focus());
    for (const key of ['ArrowRight', 'ArrowUp', 'Enter']) await page.press(key);
    await page.wait(() => window.jawariState.ledger?.largest > 1e-7);
    const text = await page.evaluate(() => window.jawariState.text);
    await page.evaluate(() => document.querySelector('#handles [data-name=bridge]').focus());
    await page.press('ArrowUp');
    await page.wait((t) => window.jawariState.text !== t, text);
    await page.evaluate(() => document.getElementById('tab-controls').focus());
    await page.press('ArrowRight');
    assert.ok(await page.evaluate(() => !document.getElementById('pane-scene').hidden));
    const unnamed = await page.evaluate(() => [...document.querySelectorAll('button, input, select, textarea, canvas:not([aria-hidden])')].filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).map((e) => e.outerHTML.slice(0, 80)));
    assert.deepEqual(unnamed, [], 'without a name for screen readers');
    assert.deepEqual(page.problems, []);
    await page.close();
  });

  test('slow motion shows the samples that are heard', { timeout: 60000 }, async () => {
    const page = await chromium.open('#slap-bass');
    await page.click('#play');
    await page.wait(() => window.jawariState.pictures > 10);
    await page.click('#slow');
    await page.wait(() => !document.getElementById('film').hidden);
    assert.match(await page.evaluate(() => document.getElementById('moment-text').textContent), /ms$/);
    if (process.env.SHOTS) await page.shot(join(process.env.SHOTS, 'slow-motion.png'));
    assert.deepEqual(page.problems, []);
    await page.close();
  });

  test('four schemes are compared', { timeout: 120000 }, async () => {
    const page = await chromium.open('#tanpura');
    await page.click('#tab-schemes');
    await page.click('#compare');
    await page.wait(() => window.jawariState.compared !== undefined && !document.getElementById('compare').disabled, null, 100000);
    const rows = await page.evaluate(() => window.jawariState.compared);
    assert.equal(rows.length, 4);
    for (const row of rows) assert.ok(row.refused || Math.abs(row.off) < 1e-9, JSON.stringify(row));
    const good = rows.find((r) => r.name === 'two-point'), published = rows.find((r) => r.name === 'quadratised');
    assert.ok(good.early < published.early, JSON.stringify(rows));
    if (process.env.SHOTS) await page.shot(join(process.env.SHOTS, 'schemes.png'));
    assert.deepEqual(page.problems, []);
    await page.close();
  });

  test('every picture of the gallery plays, and opens the playground', { timeout: 120000 }, async () => {
    const context = await chromium.browser.newContext(), page = await context.newPage(), problems = [];
    page.on('console', (m) => problems.push(m.text()));
    page.on('pageerror', (e) => problems.push(e.message));
    await page.goto(`${base}docs/guide/gallery.html`);
    const found = await page.evaluate(() => [...document.images].map((image) => [image.getAttribute('src'), image.nextElementSibling?.querySelector('button')?.textContent, image.nextElementSibling?.querySelector('a')?.getAttribute('href')]));
    assert.ok(found.length >= 14);
    for (const [from, button, link] of found) {
      assert.equal(button, 'Play', from);
      assert.equal(link, `${base}docs/playground/index.html#scene=${/([a-z0-9-]+)\.png/.exec(from)[1]}`);
    }
    // Player and playground play the same scene.
    for (const [from, , link] of found) {
      const name = /([a-z0-9-]+)\.png/.exec(from)[1], text = readFileSync(join(root, 'scenes', `${name}.toml`), 'utf8');
      await page.goto(link);
      await page.reload();
      await page.waitForSelector('html[data-ready]');
      assert.equal(await page.inputValue('#text'), text, name);
      assert.ok((await page.title()).startsWith(/^title = "(.*)"/m.exec(text)[1]), name);
    }
    await page.goto(`${base}docs/guide/gallery.html`);
    await page.click('img[src*=marble-glass] + p button');
    await page.waitForFunction(() => document.querySelector('img[src*=marble-glass] + p button').textContent === 'Stop', null, { timeout: 60000 });
    await page.click('img[src*=marble-glass] + p button');
    assert.equal(await page.textContent('img[src*=marble-glass] + p button'), 'Play');
    await page.click('img[src*=dulcimer] + p a');
    await page.waitForSelector('html[data-ready]');
    assert.match(await page.title(), /[Dd]ulcimer/);
    await page.goto(`${base}docs/guide/playground.html`);
    assert.equal(await page.textContent('h1 + p a'), 'Open the playground');
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('where something is missing, a sentence says what', { timeout: 60000 }, async () => {
    for (const [what, init] of [['AudioWorklet', () => { delete window.AudioWorkletNode; }], ['SIMD', () => { WebAssembly.validate = () => false; }], ['WebAssembly', () => { delete window.WebAssembly; }]]) {
      const context = await chromium.browser.newContext(), page = await context.newPage();
      await page.addInitScript(init);
      await page.goto(`${base}#tanpura`);
      await page.waitForSelector('#missing:not([hidden])');
      assert.ok((await page.textContent('#missing')).includes(what), what);
      await context.close();
    }
  });
});
