// SPDX-License-Identifier: MIT
// Writes choosing-a-scheme.md: the words of choosing-a-scheme.head.md, and tables measured by `jawari compare` (script/pictures).
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const here = new URL('.', import.meta.url).pathname, root = join(here, '../..');
const cases = [
  { title: 'A hard elastic impact', text: 'One kilogram at 20 m/s, exponent 1.3: 5.8 samples at 44.1 kHz.', scene: 'scenes/ball.toml', rates: [1, 2, 4, 8],
    schemes: ['two-point', 'matched-two-point', 'three-point', 'taylor', 'secant-2', 'matched-secant-2', 'bounded', 'quadratised'] },
  { title: 'A lossy impact', text: 'The marble of the demo, first bounces, exponent 1.5.', scene: 'scenes/marble.toml', rates: [1, 2, 4], duration: 0.35,
    schemes: ['guarded-two-point', 'two-point', 'secant-2', 'bounded', 'quadratised'] },
  { title: 'A string on a curved bridge, on the grid', text: 'The first 50 ms of the demo. The dispersion of the grid dominates; schemes differ less than methods.', scene: 'scenes/bridge.toml', rates: [1, 2, 4], duration: 0.05,
    schemes: ['two-point', 'three-point', 'secant-2', 'bounded', 'quadratised'] },
  { title: 'The same in exact modes', text: '`method = "modes"`.', scene: 'scenes/bridge-modes.toml', rates: [1, 2, 4], duration: 0.05,
    schemes: ['two-point', 'three-point', 'secant-2', 'bounded', 'quadratised'] },
];
const percent = x => x == null ? 'failed' : x >= 1e-2 ? `${(100 * x).toPrecision(2)} %` : `${x.toExponential(1)}`;
let text = readFileSync(join(here, 'choosing-a-scheme.head.md'), 'utf8').trimEnd() + '\n';
text += '\n## Measured\n\nError: rms distance to a converged reference over the rms motion. ns: thread CPU time per step, on the machine that wrote this page.\n';
for (const { title, text: words, scene, rates, duration, schemes } of cases) {
  const out = JSON.parse(execFileSync(process.env.JAWARI, ['--quiet', 'compare', scene, '--json', '--schemes', schemes.join(','), '--rates', rates.join(','),
    ...(duration ? ['--duration', String(duration)] : [])], { cwd: root, maxBuffer: 1 << 26 }));
  const base = Math.min(...out.entries.map(e => e.rate_hz));
  text += `\n### ${title}\n\n${words} Reference: ${out.reference}, good to ${out.reference_change.toExponential(0)}.\n\n`;
  text += `| scheme | ${rates.map(r => `error at ${(r * base / 1000).toPrecision(4)} kHz`).join(' | ')} | ns per step | solves |\n| --- |${rates.map(() => ' ---: |').join('')} ---: | ---: |\n`;
  for (const name of schemes) {
    const row = out.entries.filter(e => e.scheme === name);
    text += `| \`${name}\` | ${row.map(e => percent(e.error)).join(' | ')} | ${row[0].ns_per_step.toFixed(0)} | ${row[0].iterations.toFixed(1)} |\n`;
  }
}
text += '\n![Error over sample rate for the hard impact](../images/compare.png)\n';
writeFileSync(join(here, 'choosing-a-scheme.md'), text);
