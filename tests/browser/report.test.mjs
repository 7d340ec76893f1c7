// SPDX-License-Identifier: MIT
// Reports as they are displayed: loaded in headless Chromium at desktop and phone width, in light and dark.
// node --test tests/browser, with JAWARI=path of the command line and TEST_REPORT=path of the tests that write pages.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fine, launch, opened } from './look.mjs';

const root = new URL('../..', import.meta.url).pathname, work = mkdtempSync(join(tmpdir(), 'jawari-browser-'));
const pages = { bridge: ['render', 'scenes/bridge.toml', '--duration', '0.5', '--report'], marble: ['render', 'scenes/marble.toml', '--report'],
                drum: ['render', 'tests/browser/drum.toml', '--report'], ball: ['render', 'scenes/ball.toml', '--report'],
                stage: ['render', 'tests/browser/stage.toml', '-o', join(work, 'stage.wav'), '--report'], names: ['render', 'tests/browser/names.toml', '--report'],
                compare: ['compare', 'scenes/ball.toml', '--rates', '1,2', '--plot'] };
const written = ['string', 'empty'];  // by tests/unit/report_page.cpp
let browser;

before(async () => {
  execFileSync(process.env.TEST_REPORT, ['--gtest_brief=1', '--gtest_filter=Pages.*'], { env: { ...process.env, JAWARI_KEEP: work }, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const [name, words] of Object.entries(pages))
    execFileSync(process.env.JAWARI, ['--quiet', ...words, join(work, `${name}.html`)], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  browser = await launch();
});
after(async () => { await browser?.close(); rmSync(work, { recursive: true }); });

const open = (name, width, colour) => opened(browser, join(work, `${name}.html`), width, colour);

for (const name of [...Object.keys(pages), ...written])
  for (const [width, colour] of [[1280, 'light'], [390, 'dark']])
    test(`${name} at ${width} px, ${colour}`, async () => {
      const { page, problems, context } = await open(name, width, colour);
      await fine(page, problems);
      await context.close();
    });

for (const name of ['bridge', 'drum', 'marble'])
  test(`${name} on paper`, async () => {
    const { page, problems, context } = await open(name, 794, 'dark');  // A4 at 96 dpi
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const seen = await page.evaluate(() => ({
      paper: getComputedStyle(document.body).backgroundColor,
      ink: getComputedStyle(document.body).color,
      overflow: document.documentElement.scrollWidth - innerWidth,
      cut: [...document.querySelectorAll('.scroll, pre')].filter(n => n.scrollWidth > n.clientWidth + 1 && getComputedStyle(n).overflowX !== 'visible').length,
      controls: [...document.querySelectorAll('audio, .controls button, .controls select, nav')].filter(n => n.offsetHeight > 0).length,
    }));
    assert.equal(seen.paper, 'rgb(255, 255, 255)');
    assert.ok(seen.ink.match(/\d+/g).every(v => +v < 80), `ink is ${seen.ink}`);
    assert.ok(seen.overflow <= 0, `${seen.overflow} px too wide`);
    assert.equal(seen.cut, 0, 'a table or the scene is cut off');
    assert.equal(seen.controls, 0, 'what cannot be pressed is not printed');
    assert.ok((await page.pdf({ format: 'A4' })).length > 50000);
    assert.deepEqual(problems, []);
    await context.close();
  });

const panel = (page, title) => page.locator('section.card', { has: page.locator('h2', { hasText: new RegExp(`^${title}$`) }) });

for (const width of [1280, 390])
  test(`one transport moves all films at ${width} px`, async () => {
    const { page, problems, context } = await open('drum', width, 'light');
    assert.equal(await page.locator('.controls').count(), 1);
    assert.equal(await page.locator('.films section').count(), 1, 'one film');
    const titles = ['Film'], all = () => Promise.all(titles.map(t => picture(page, t)));
    const start = await all(), slider = page.locator('.controls input');
    await slider.fill('120');
    const later = await all();
    titles.forEach((t, i) => assert.notEqual(later[i], start[i], `${t} does not move`));
    await page.locator('.controls .reel').selectOption('whole run');
    assert.equal(await page.locator('.controls output').textContent().then(parseFloat).then(v => Math.abs(v - .2) < .05), true, 'it stays where it was in time');
    await slider.fill('0');
    assert.match(await page.locator('.controls output').textContent(), /^0\.?0* s$/);
    const before = await all();
    await page.locator('.play').click();
    await page.waitForFunction(() => +document.querySelector('.controls output').dataset.frame > 45, null, { timeout: 20000 });  // past the stroke
    await page.locator('.play').click();
    const played = await all();
    titles.forEach((t, i) => assert.notEqual(played[i], before[i], `${t} does not play`));
    assert.deepEqual(problems, []);
    await context.close();
  });

test('a surface is turned by dragging, a click on a plot moves the films', async () => {
  const { page, problems, context } = await open('drum', 1280, 'light');
  const canvas = panel(page, 'Film').locator('canvas'), box = await canvas.boundingBox(), start = await picture(page, 'Film');
  await canvas.scrollIntoViewIfNeeded();
  const at = await canvas.boundingBox();
  await page.mouse.move(at.x + box.width / 2, at.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(at.x + box.width / 2 + 90, at.y + box.height / 2, { steps: 3 });
  await page.mouse.up();
  assert.notEqual(await picture(page, 'Film'), start);
  const over = panel(page, 'Force').locator('.u-over');
  await over.scrollIntoViewIfNeeded();
  await over.click({ position: { x: (await over.boundingBox()).width * .8, y: 20 } });
  assert.equal(await page.locator('.controls .reel').inputValue(), 'whole run', 'the close-up does not hold that moment');
  assert.ok(Math.abs(parseFloat(await page.locator('.controls output').textContent()) - 1.2) < .05);
  assert.deepEqual(problems, []);
  await context.close();
});

test('pitch, energy and parameters are told', async () => {
  const { page, context } = await open('bridge', 1280, 'light');
  assert.match(await panel(page, 'Pitch').locator('.caption').textContent(), /^Mostly A2( [+-]\d+ ct)?, 1\d\d\.\d\d Hz/);
  const over = panel(page, 'Pitch').locator('.u-over');
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.move(box.x + box.width * .9, box.y + 40);
  assert.match(await panel(page, 'Pitch').locator('.legend').textContent(), /A2 [+−±]\d+ ct, 1[01]\d\.\d\d Hz/);
  const account = panel(page, 'Energy account').locator('tbody tr');
  assert.deepEqual(await account.locator('td:first-child').allTextContents(), ['string', 'string-barrier', 'everything']);
  const facts = await panel(page, 'Bodies and hands').textContent();
  for (const said of ['length', '80 cm', 'radius', '0.2 mm', '200 GPa', 'decay by 60 dB at 110 Hz', '8 s', 'pluck']) assert.ok(facts.includes(said), said);
  assert.match(await panel(page, 'What they meet').textContent(), /1e\+10 N\/m\^2\.3/);
  const drum = await open('drum', 1280, 'light');
  assert.match(await drum.page.locator('.verdicts').textContent(), /mallet-drum: "auto" chose \S+, because/);
  await drum.context.close(), await context.close();
});

let stage;  // opened once for the tests that change nothing
const onStage = async () => stage ??= await open('stage', 1280, 'light');

test('one film shows strings, surfaces and masses at the same time', async () => {
  const { page, problems } = await onStage();
  const card = page.locator('.films section');
  assert.equal(await card.count(), 1);
  assert.equal(await card.locator('canvas').count(), 3, 'strings and bars, a plate, masses');
  const all = () => Promise.all([0, 1, 2].map(k => picture(page, 'Film', k)));
  await page.locator('.controls .reel').selectOption('whole run');
  await page.locator('.controls input').fill('3');
  const start = await all();
  await page.locator('.controls input').fill('150');
  (await all()).forEach((now, k) => assert.notEqual(now, start[k], `picture ${k} does not move`));
  assert.deepEqual(problems, []);
});

test('no scale follows a hammer that flies off', async () => {
  const { page } = await onStage();
  const { from, to } = await panel(page, 'Film').locator('canvas').last().evaluate(c => ({ ...c.dataset }));
  assert.ok(+from > -.01 && +to < .01, `the mass on a spring moves by a millimetre, its scale is ${from} to ${to} m`);
  const labels = await page.evaluate(() => Object.fromEntries(report.data.panels.filter(p => /^(Displacement|Velocity|Energy)/.test(p.title) && p.series).map(p => [p.title, p.series.map(s => s.label)])));
  for (const what of ['Displacement', 'Velocity']) {
    assert.ok(labels[what].length > 0 && labels[`${what} of masses`].length > 0 && labels[`${what} of hammers and hands`].length > 0, JSON.stringify(labels));
    for (const tool of ['mallet', 'stick', 'nail', 'hand']) {
      assert.ok(!labels[what].includes(tool) && !labels[`${what} of masses`].includes(tool), `${tool} in ${what}`);
    }
    assert.ok(labels[`${what} of hammers and hands`].includes('mallet'));
  }
  assert.match(await page.locator('.verdicts').textContent(), /Never touched: far-stop\./);
  assert.ok(!labels['Energy of every body'].includes('mallet') && labels['Energy of hammers'].includes('mallet'));
});

test('the player plays the stereo sound that render writes', async () => {
  const { page, problems } = await onStage();
  const heard = await page.evaluate(async () => {
    const raw = atob(document.querySelector('audio').src.split(',')[1]), bytes = Uint8Array.from(raw, c => c.charCodeAt(0));
    const sound = await new OfflineAudioContext(2, 1, 44100).decodeAudioData(bytes.buffer);
    return { rate: sound.sampleRate, channels: Array.from({ length: sound.numberOfChannels }, (_, k) => Array.from(sound.getChannelData(k))) };
  });
  const wav = readFileSync(join(work, 'stage.wav')), at = wav.indexOf('data') + 8, count = (wav.length - at) / 6 | 0;  // two channels of 24 bits
  assert.equal(wav.readUInt16LE(22), 2), assert.equal(wav.readUInt16LE(34), 24), assert.equal(heard.channels.length, 2), assert.equal(heard.rate, 44100);
  const energy = [0, 0];
  for (let n = 0; n < count; ++n)
    for (const k of [0, 1]) {
      const written = wav.readIntLE(at + 6 * n + 3 * k, 3) / 2 ** 23;
      energy[k] += written ** 2;
      if (!(Math.abs(heard.channels[k][n] - written) < 2 / 2 ** 15)) assert.fail(`sample ${n} of channel ${k}: ${heard.channels[k][n]} instead of ${written}`);
    }
  assert.ok(energy[0] > 2 * energy[1] && energy[1] > 0, `the left is louder, or nothing was tested: ${energy}`);
  assert.deepEqual(await page.evaluate(() => report.data.panels.find(p => p.title === 'Sound' && p.series).series.map(s => s.label)), ['left', 'right']);
  assert.deepEqual(problems, []);
});

test('names are text wherever they stand', async () => {
  const { page, problems, context } = await open('names', 1280, 'light');
  const title = '<!--<script> @DATA@ --></script><b>&amp;\u2028</title>', text = await page.locator('main').textContent();
  assert.equal(await page.title(), title);
  assert.equal(await page.locator('h1').textContent(), title);
  for (const name of ['<!--<script>s', "</script><script>document.title='hit'</script>", '@SCRIPT@<!--<script', "<svg onload=document.title='hit'>", ']]><!--',
    '&lt;"\'`${document.title=\'hit\'}', "<img src=x onerror=document.title='hit'>", '\u2028\u2029<script>'])
    assert.ok(text.includes(name), `${name} is not on the page`);
  assert.deepEqual(await page.evaluate(() => [document.scripts.length, document.images.length, document.querySelectorAll('main svg, main a[href^="http"]').length]), [3, 0, 0]);
  assert.ok(await page.locator('section.card').count() > 8);
  assert.doesNotMatch(await page.locator('.verdicts').textContent(), /Never touched/, 'springs, and hammers that wait, need not touch');
  assert.deepEqual(problems, []);
  await context.close();
});

test('the policy of a page stops what is not its own', async () => {
  const { page, problems, context } = await open('ball', 1280, 'light');
  const outcome = await page.evaluate(async () => {
    const script = document.createElement('script'), image = new Image();
    script.textContent = 'document.title = "hit"', document.body.append(script);
    image.src = 'https://127.0.0.1:9/x.png', document.body.append(image);
    const fetched = await fetch('data:text/plain,hello').then(() => 'fetched', () => 'stopped');
    await new Promise(done => setTimeout(done, 100));
    return [document.title !== 'hit', fetched];
  });
  assert.deepEqual(outcome, [true, 'stopped']);
  for (const kind of ['script-src', 'img-src', 'connect-src']) assert.ok(problems.some(p => p.startsWith(`policy: ${kind}`)), `${kind}: ${problems}`);
  await context.close();
});

test('every page keeps the notice of uPlot', () => {
  for (const name of Object.keys(pages)) {
    const text = readFileSync(join(work, `${name}.html`), 'utf8');
    for (const line of ['Copyright (c) 2022 Leon Sorokin', 'Permission is hereby granted, free of charge']) assert.ok(text.includes(line), `${name}: ${line}`);
  }
});

test('pages stay small', () => {
  const path = join(work, 'long.html');
  execFileSync(process.env.JAWARI, ['--quiet', 'render', 'scenes/bridge.toml', '--duration', '10', '--quality', 'draft', '--report', path], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const file of [path, ...Object.keys(pages).map(name => join(work, `${name}.html`))]) assert.ok(statSync(file).size < 6e6, `${file} has ${statSync(file).size} bytes`);
});

test('the player plays and its cursor moves', async () => {
  const { page, problems, context } = await open('marble', 1200, 'light');
  const length = await page.evaluate(() => new Promise((resolve, reject) => {
    const player = document.querySelector('audio');
    const done = () => resolve(player.duration);
    player.readyState > 0 ? done() : (player.addEventListener('loadedmetadata', done), player.addEventListener('error', () => reject(player.error)));
  }));
  assert.ok(Math.abs(length - 2.5) < 0.01, `sound lasts ${length} s`);
  assert.deepEqual(problems, []);
  await context.close();
});

test('dragging zooms, double-click shows everything again', async () => {
  const { page, context } = await open('ball', 1200, 'light');
  const plot = page.locator('.u-over').first(), box = await plot.boundingBox();
  const ticks = () => page.evaluate(() => document.querySelector('.uplot canvas').toDataURL().length);
  const before = await ticks();
  await page.mouse.move(box.x + box.width * 0.55, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.65, box.y + 60, { steps: 5 });
  await page.mouse.up();
  assert.notEqual(await ticks(), before);
  await page.mouse.dblclick(box.x + box.width / 2, box.y + 40);
  await context.close();
});

// What is on a canvas, as one number.
const picture = (page, panel, which = 0) => page.evaluate(([panel, which]) => {
  const c = [...document.querySelectorAll('section')].find(s => s.querySelector('h2')?.textContent === panel).querySelectorAll('canvas')[which];
  let hash = 0;
  for (const v of c.getContext('2d').getImageData(0, 0, c.width, c.height).data) hash = hash * 31 + v | 0;
  return hash;
}, [panel, which]);
// 0 for white or nothing, 1 for black, at a fraction of the width and the height of a plot.
const inkAt = (over, x, y) => over.evaluate((node, [x, y]) => {
  const c = node.closest('.plot').querySelector('canvas'), r = c.width / c.clientWidth, from = c.getBoundingClientRect(), box = node.getBoundingClientRect();
  const [red, green, blue, alpha] = c.getContext('2d').getImageData((box.x - from.x + x * box.width) * r, (box.y - from.y + y * box.height) * r, 1, 1).data;
  return alpha / 255 * (1 - (red + green + blue) / 765);
}, [x, y]);
const row = f => 1 - Math.log(f / 30) / Math.log(22050 / 30);  // of the spectrogram
const shown = page => page.locator('.controls output').getAttribute('data-frame').then(Number);

for (const width of [1280, 390])
  test(`the film of a string is scrubbed and played at ${width} px`, async () => {
    const { page, problems, context } = await open('string', width, 'light');
    const slider = page.locator('.controls input'), start = await picture(page, 'Motion');
    await slider.fill('100');
    assert.equal(await shown(page), 100);
    assert.equal(await page.locator('.controls output').textContent(), '15.15 ms');  // 100 / (110 Hz * 60)
    const later = await picture(page, 'Motion');
    assert.notEqual(later, start, 'the slider moves the picture');
    await page.locator('section canvas[tabindex="0"]').focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await shown(page), 101);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await picture(page, 'Motion'), later, 'one frame on and back');
    await page.keyboard.press('Home');
    assert.equal(await picture(page, 'Motion'), start);
    await page.locator('.play').click();
    await page.waitForFunction(() => +document.querySelector('.controls output').dataset.frame > 3, null, { timeout: 20000 });
    await page.locator('.play').click();
    const stopped = await shown(page);
    await page.waitForTimeout(150);
    assert.equal(await shown(page), stopped, 'it stays where it was stopped');
    assert.deepEqual(problems, []);
    await context.close();
  });

test('dragging over a film zooms, double-click shows everything again', async () => {
  const { page, context } = await open('string', 1280, 'light');
  const canvas = page.locator('section canvas[tabindex="0"]'), box = await canvas.boundingBox(), start = await picture(page, 'Motion');
  await page.mouse.move(box.x + 90, box.y + 80);
  await page.mouse.down();
  await page.mouse.move(box.x + 240, box.y + 90, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await picture(page, 'Motion'), start);
  await page.mouse.dblclick(box.x + 300, box.y + 80);
  assert.equal(await picture(page, 'Motion'), start);
  await context.close();
});

test('a map says what is under the pointer, and lies under the time panels', async () => {
  const { page, context } = await open('string', 1280, 'light');
  const maps = page.locator('section:has(.ramp)'), over = maps.last().locator('.u-over');
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox(), sound = await page.locator('.u-over').first().boundingBox();
  assert.ok(Math.abs(box.x - sound.x) < 1 && Math.abs(box.width - sound.width) < 12, 'same left edge, same width but for the last label');
  // 110 Hz between 30 Hz and 22050 Hz, at half of two seconds: the first partial, exp(-1.2) below its start.
  await page.mouse.move(box.x + box.width / 2, box.y + box.height * row(110));
  const [, t, f, level] = (await maps.last().locator('.said').textContent()).match(/^([\d.]+) m?s, ([\d.]+) Hz: (-?[\d.]+) dB$/).map(Number);
  const ink = await inkAt(over, .003, row(110));
  assert.ok(ink > .7, `the loudest partial is as dark as ${ink}`);
  assert.ok(Math.abs(f / 110 - 1) < .03, `${f} Hz`);
  assert.ok(Math.abs(level + 20 * 1.2 / Math.LN10) < 2, `${level} dB at ${t}`);
  await context.close();
});

test('colours follow the scheme, and paper is white', async () => {
  const { page, context } = await open('string', 1280, 'light');
  const settled = () => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
  for (const panel of ['Motion', 'Contact']) {
    await page.emulateMedia({ colorScheme: 'light' });
    await settled();
    const light = await picture(page, panel);
    await page.emulateMedia({ colorScheme: 'dark' });
    await settled();
    assert.notEqual(await picture(page, panel), light);
    assert.ok(await inkAt(page.locator('.u-over').last(), .003, row(110)) < .3, 'loud is bright in the dark');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.equal(await picture(page, panel), light, 'printed as if it were light');
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  }
  await context.close();
});

for (const [width, colour] of [[1280, 'light'], [390, 'dark']])
  test(`the study of the papers at ${width} px, ${colour}`, async () => {
    const folder = join(work, 'study');
    if (!existsSync(folder)) execFileSync(process.env.JAWARI, ['--quiet', 'reproduce', 'b14-fig6', 'cw17', '-o', folder], { cwd: root, stdio: 'ignore' });
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: colour, offline: true });
    const page = await context.newPage(), problems = [];
    page.on('console', message => { if (message.type() === 'error') problems.push(message.text()); });
    page.on('pageerror', error => problems.push(String(error)));
    await page.goto('file://' + join(folder, 'index.html'));
    const seen = await page.evaluate(async () => ({
      sections: document.querySelectorAll('section[id]').length,
      pictures: [...document.querySelectorAll('figure svg')].map(s => [s.getBoundingClientRect().height, s.querySelectorAll('path').length]),
      sounds: await Promise.all([...document.querySelectorAll('audio')].map(a => new Promise(done => {
        if (a.readyState >= 1) return done(a.duration);
        a.addEventListener('loadedmetadata', () => done(a.duration)), a.addEventListener('error', () => done(NaN)), a.load();
      }))),
      overflow: document.documentElement.scrollWidth - innerWidth,
    }));
    assert.deepEqual(problems, []);
    assert.equal(seen.sections, 5);
    assert.ok(seen.pictures.length >= 5);
    for (const [height, paths] of seen.pictures) assert.ok(height > 100 && paths > 5, `${height} px, ${paths} paths`);
    assert.ok(seen.sounds.length >= 1);
    for (const seconds of seen.sounds) assert.ok(seconds > 0.1, `${seconds} s of sound`);
    assert.ok(seen.overflow <= 0, `${seen.overflow} px too wide`);
    await context.close();
  });
