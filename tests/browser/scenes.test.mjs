// SPDX-License-Identifier: MIT
// The report of every scene that comes with jawari, at desktop and phone width.  Shortened: what is drawn is the same.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fine, launch, opened } from './look.mjs';

const root = new URL('../..', import.meta.url).pathname, work = mkdtempSync(join(tmpdir(), 'jawari-scenes-'));
const scenes = readdirSync(join(root, 'scenes')).filter(name => name.endsWith('.toml'));
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); rmSync(work, { recursive: true }); });

for (const scene of scenes)
  test(`report of ${scene}`, async () => {
    const path = join(work, scene.replace('.toml', '.html'));
    execFileSync(process.env.JAWARI, ['--quiet', 'render', join('scenes', scene), '--duration', '0.4', '--quality', 'draft', '--report', path], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    for (const [width, colour] of [[1280, 'light'], [390, 'dark']]) {
      const { page, problems, context } = await opened(browser, path, width, colour);
      await fine(page, problems);
      assert.ok(await page.locator('.controls').count() === 1, 'something moves');
      await page.locator('.controls input').fill('7');
      await fine(page, problems);
      await context.close();
    }
  });
