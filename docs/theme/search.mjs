// SPDX-License-Identifier: MIT
// A page from disk may neither fetch the index of the search nor start its worker: this puts both into assets/search.js, which
// every page loads as a script (main.html).   node docs/theme/search.mjs SITE
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';

const site = process.argv[2], workers = `${site}/assets/javascripts/workers`;
const worker = readFileSync(`${workers}/${readdirSync(workers).find(name => /^search.*\.js$/.test(name))}`, 'utf8').replace(/\n\/\/# sourceMappingURL=.*/, '');
const index = JSON.parse(readFileSync(`${site}/search/search_index.json`, 'utf8'));
writeFileSync(`${site}/assets/search.js`, `var __search = {
  worker: URL.createObjectURL(new Blob([${JSON.stringify(worker)}], { type: 'text/javascript' })),
  index: Promise.resolve(${JSON.stringify(index)})
};
`);
