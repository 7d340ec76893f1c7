// SPDX-License-Identifier: MIT
// Reports as a person sees them: loaded in headless Chromium at desktop and phone width, in light and dark.
// node --test tests/browser, with JAWARI=path of the command line.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const root = new URL('../..', import.meta.url).pathname, work = mkdtempSync(join(tmpdir(), 'jawari-browser-'));
const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';
const pages = { marble: ['render', 'scenes/marble.toml', '--report'], ball: ['render', 'scenes/ball.toml', '--report'],
                compare: ['compare', 'scenes/ball.toml', '--rates', '1,2', '--plot'] };
let browser;

before(async () => {
  for (const [name, words] of Object.entries(pages))
    execFileSync(process.env.JAWARI, ['--quiet', ...words, join(work, `${name}.html`)], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
});
after(async () => { await browser?.close(); rmSync(work, { recursive: true }); });

async function open(name, width, colorScheme) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, offline: true });
  const page = await context.newPage(), problems = [];
  page.on('console', message => { if (message.type() === 'error') problems.push(message.text()); });
  page.on('pageerror', error => problems.push(String(error)));
  page.on('request', request => { if (!/^(file|data|blob):/.test(request.url())) problems.push('network: ' + request.url()); });
  await page.goto('file://' + join(work, `${name}.html`));
  await page.waitForSelector('html[data-drawn]', { timeout: 20000 });
  return { page, problems, context };
}

for (const name of Object.keys(pages))
  for (const [width, colour] of [[1200, 'light'], [390, 'dark']])
    test(`${name} at ${width} px, ${colour}`, async () => {
      const { page, problems, context } = await open(name, width, colour);
      const seen = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - innerWidth,
        title: document.querySelector('h1').textContent,
        empty: [...document.querySelectorAll('canvas')].filter(c => {
          const pixels = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, colours = new Set();
          for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3]) colours.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
          return colours.size < 3;  // grid, text and at least one curve
        }).length,
        canvases: document.querySelectorAll('canvas').length,
      }));
      assert.deepEqual(problems, []);
      assert.ok(seen.overflow <= 0, `page is ${seen.overflow} px too wide`);
      assert.ok(seen.title.length > 3);
      assert.ok(seen.canvases >= 2);
      assert.equal(seen.empty, 0, 'a plot is empty');
      await context.close();
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
