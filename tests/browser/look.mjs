// SPDX-License-Identifier: MIT
// How the tests open a report, and what they check of every page.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'] });

// Every message of the console, request to the network and violation of the page's Content-Security-Policy is a problem.
export async function opened(browser, path, width, colorScheme) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, offline: true });
  const page = await context.newPage(), problems = [];
  page.on('console', message => { if (message.type() === 'error') problems.push(message.text()); });
  page.on('pageerror', error => problems.push(String(error)));
  page.on('request', request => { if (!/^(file|data|blob):/.test(request.url())) problems.push('network: ' + request.url()); });
  await page.exposeFunction('refusedByPolicy', what => problems.push('policy: ' + what));
  await page.addInitScript(() => addEventListener('securitypolicyviolation', e => window.refusedByPolicy(`${e.violatedDirective} ${e.blockedURI}`)));
  await page.goto('file://' + path);
  await page.waitForSelector('html[data-drawn]', { timeout: 30000 });
  return { page, problems, context };
}

// Numbers of the page without a unit: in its data, in cells of tables, in the bars of colours.
function withoutUnit() {
  const { panels, numbers } = report.data, out = numbers.filter(n => !n.unit).map(n => n.label);
  for (const p of panels) {
    for (const s of p.series ?? []) if (!s.unit) out.push(`${p.title}: ${s.label}`);
    if (p.kind === 'map' && p.cells && p.label && !(p.unit && p.y_unit) || p.kind === 'plane' && !p.x_unit) out.push(p.title);
  }
  // A number alone: only where the heading names what is counted, or the caption of what it is a share.
  const counted = /^(impacts|time steps|iterations|left over|error|imbalance|off by, of the largest energy)$/;
  for (const table of document.querySelectorAll('.scroll table')) {
    const heads = [...table.querySelectorAll('th')].map(h => h.textContent);
    for (const row of table.querySelectorAll('tbody tr')) [...row.children].forEach((cell, i) => { if (/^[-−]?[\d.][\d.e+-]*$/.test(cell.textContent) && !counted.test(heads[i])) out.push(`${heads[i]}: ${cell.textContent}`); });
  }
  for (const span of document.querySelectorAll('.legend.bar span:not(.name)')) if (/[\d.]$/.test(span.textContent)) out.push(span.textContent);
  return out;
}

// No error, nothing too wide, nothing cut off, every picture drawn, every number with its unit.
export async function fine(page, problems) {
  await page.evaluate(`window.withoutUnit = ${withoutUnit}`);
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
    bare: withoutUnit(),
  }));
  assert.deepEqual(problems, []);
  assert.ok(seen.overflow <= 0, `page is ${seen.overflow} px too wide`);
  assert.deepEqual(seen.clipped, [], 'cards that cut something off');
  assert.ok(seen.title.length > 0);
  assert.ok(seen.canvases >= 2);
  assert.deepEqual(seen.empty, [], 'empty plots');
  assert.deepEqual(seen.bare, [], 'numbers without a unit');
}
