// SPDX-License-Identifier: MIT
// The documentation site as script/docs builds it: pages open from disk without a request to the network, and the search finds words.
// Skipped where mkdocs is not installed.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './look.mjs';

const root = new URL('../..', import.meta.url).pathname, site = join(root, 'build/docs/site');
const skip = ['mkdocs', 'dpkg'].some(tool => spawnSync(tool, ['--version']).error) || spawnSync('dpkg', ['-L', 'mkdocs-material', 'libjs-katex']).status !== 0
  ? 'mkdocs, mkdocs-material or libjs-katex is not installed' : false;
let browser, page;
const problems = [];

before(async () => {
  if (skip) return;
  execFileSync(join(root, 'script/docs'), { stdio: ['ignore', 'ignore', 'inherit'] });
  browser = await launch();
  page = await (await browser.newContext({ offline: true })).newPage();
  page.on('console', message => { if (message.type() === 'error') problems.push(message.text()); });
  page.on('pageerror', error => problems.push(String(error)));
  page.on('request', request => { if (!/^(file|data|blob):/.test(request.url())) problems.push('network: ' + request.url()); });
});
after(async () => { await browser?.close(); });

test('every page opens from disk', { skip }, async () => {
  const pages = readdirSync(site, { recursive: true }).filter(name => name.endsWith('.html') && name !== '404.html');
  assert.ok(pages.length >= 50, `only ${pages.length} pages`);
  for (const name of pages) {
    await page.goto('file://' + join(site, name));
    assert.deepEqual(problems, [], name);
    assert.deepEqual(await page.evaluate(() => [...document.images].filter(image => image.complete && !image.naturalWidth).map(image => image.src)), [], name);
    const links = await page.evaluate(() => [...document.querySelectorAll('a[href]')].map(a => a.href).filter(href => href.startsWith('file:')).map(href => decodeURI(new URL(href).pathname)));
    for (const link of links) assert.ok(existsSync(link), `${name} links to ${link}`);
  }
});

test('formulas are drawn', { skip }, async () => {
  await page.goto('file://' + join(site, 'theory/ports.html'));
  assert.ok(await page.locator('.katex').count() > 20);
  assert.deepEqual(problems, []);
});

test('the search finds a page', { skip }, async () => {
  for (const [word, address] of [['receptance', /glossary|ports|theory/], ['tennis', /physics-for-musicians/]]) {
    await page.goto('file://' + join(site, 'guide/tutorial.html'));
    await page.locator('.md-search__input').click();
    await page.locator('.md-search__input').fill(word);
    const first = page.locator('.md-search-result__link').first();
    await first.waitFor({ state: 'attached', timeout: 10000 });
    assert.match(await first.getAttribute('href'), address);
    assert.deepEqual(problems, []);
  }
});
