// SPDX-License-Identifier: MIT
// How the tests open a report, and what they see at once.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'] });

// Whatever the console or the network says is a problem.
export async function opened(browser, path, width, colorScheme) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, offline: true });
  const page = await context.newPage(), problems = [];
  page.on('console', message => { if (message.type() === 'error') problems.push(message.text()); });
  page.on('pageerror', error => problems.push(String(error)));
  page.on('request', request => { if (!/^(file|data|blob):/.test(request.url())) problems.push('network: ' + request.url()); });
  await page.goto('file://' + path);
  await page.waitForSelector('html[data-drawn]', { timeout: 30000 });
  return { page, problems, context };
}

// No error, nothing too wide, nothing cut off, every picture drawn.
export async function fine(page, problems) {
  const seen = await page.evaluate(() => ({
    overflow: document.documentElement.scrollWidth - innerWidth,
    clipped: [...document.querySelectorAll('.card')].filter(c => c.scrollWidth > c.clientWidth).map(c => c.querySelector('h2')?.textContent),
    title: document.querySelector('h1').textContent,
    empty: [...document.querySelectorAll('canvas')].filter(c => {
      const pixels = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, colours = new Set();
      for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3]) colours.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
      return colours.size < 3;  // grid, text and at least one curve
    }).map(c => c.closest('.card').querySelector('h2').textContent),
    canvases: document.querySelectorAll('canvas').length,
  }));
  assert.deepEqual(problems, []);
  assert.ok(seen.overflow <= 0, `page is ${seen.overflow} px too wide`);
  assert.deepEqual(seen.clipped, [], 'cards that cut something off');
  assert.ok(seen.title.length > 0);
  assert.ok(seen.canvases >= 2);
  assert.deepEqual(seen.empty, [], 'empty plots');
}
