// SPDX-License-Identifier: MIT
// Pictures of the documentation, from real runs (script/pictures).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const here = new URL('.', import.meta.url).pathname, root = join(here, '../..'), work = mkdtempSync(join(tmpdir(), 'jawari-pictures-'));
const pictures = [
  { name: 'bridge', words: ['render', 'scenes/bridge.toml', '--report'], cards: ['Spectrogram', 'Shapes of string', 'Contact map of string-barrier, close up'], width: 900 },
  { name: 'marble', words: ['render', 'scenes/marble.toml', '--report'], cards: ['Displacement', 'Force', 'Energy'], width: 900 },
  { name: 'compare', words: ['compare', 'scenes/ball.toml', '--schemes', 'two-point,three-point,taylor,quadratised,bounded,secant-2,matched-two-point', '--rates', '1,2,4,8', '--plot'], cards: ['Error over sample rate'], width: 900 },
];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
for (const { name, words, cards, width } of pictures) {
  const html = join(work, `${name}.html`);
  execFileSync(process.env.JAWARI, ['--quiet', ...words, html], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const page = await browser.newPage({ viewport: { width, height: 800 }, deviceScaleFactor: 1.5 });
  await page.goto('file://' + html);
  await page.waitForSelector('html[data-drawn]');
  await page.evaluate(keep => {  // only what the picture is about
    for (const node of [...document.querySelector('main').children])
      if (!keep.includes(node.querySelector('h2')?.textContent)) node.remove();
    document.querySelector('main').style.padding = '14px 14px 2px';
  }, cards);
  await page.locator('main').screenshot({ path: join(here, `${name}.png`) });
}
await browser.close();
rmSync(work, { recursive: true });
