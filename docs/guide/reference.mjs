// SPDX-License-Identifier: MIT
// Writes reference.md: every key of a scene with unit, range and default, from the tables of the program
// (`jawari list scene --json`), and for every kind an example that the tests run (reference/*.toml).
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const here = new URL('.', import.meta.url).pathname;
const list = what => JSON.parse(execFileSync(process.env.JAWARI, ['list', what, '--json'], { maxBuffer: 1 << 26 }));
const cell = x => String(x ?? '').replaceAll('|', '\\|').replaceAll('"', '&quot;');
const table = keys => '| key | unit | range | default | |\n| --- | --- | --- | --- | --- |\n' +
  keys.map(k => `| \`${k.name}\` | ${cell(k.unit)} | ${cell(k.range)} | ${k.required ? 'required' : cell(k.default)} | ${cell(k.text)} |\n`).join('');
let text = `# All keys

Written by \`docs/guide/reference.mjs\` from the tables that the program itself uses (\`jawari list scene\`, \`list laws\`).
Every example is run by the tests. How it all fits together: [scenes](scenes.md), [tutorial](tutorial.md).
A default equal to 0 often means "not given".
`;
for (const [title, { text: words, keys }] of Object.entries(list('scene'))) {
  const name = title.replaceAll(/[[\]]/g, '');
  text += `\n## ${title === 'scene' ? 'The scene itself' : `\`${title}\``}\n\n${words}\n\n${table(keys)}`;
  const example = join(here, 'reference', `${name}.toml`);
  if (existsSync(example)) text += `\n\`\`\`toml\n${readFileSync(example, 'utf8').trimEnd()}\n\`\`\`\n`;
  const picture = join(here, '../images/reference', `${name}.png`);
  if (existsSync(picture)) text += `\n![The example: waveform and spectrogram](../images/reference/${name}.png)\n`;
}
text += '\n## Laws\n';
for (const law of list('laws')) text += `\n### \`${law.name}\`\n\n${law.text} (${law.source}).\n\n${table(law.params.map(p => ({ ...p, required: p.default == null })))}`;
text += '\n## Events\n\n| `do` | target | value |\n| --- | --- | --- |\n' +
  [['strike', 'a mass or hammer', '`velocity_m_s`: thrown at its target, in touch with it'], ['pluck', 'a plectrum', '`depth_m`: pulls so far in `duration_s` (0.02), then lets go'],
    ['press', 'a finger or plectrum', '`depth_m`, in `duration_s` (0.01)'], ['release', 'a finger or plectrum', 'back to where it waits'],
    ['move', 'a hand, finger or plectrum', '`height_m`, in `duration_s`'], ['damp', 'a string or body', '`damping_1_s`: decay added to every mode'],
    ['retune', 'a string or body', '`frequency_hz` of a string (up to its `highest_hz`), factor of all frequencies of a body'],
    ['set', 'anything', '`parameter` and `value`: stiffness, height_m, gain, coefficient, normal_N, damping_1_s, tuning, amplitude, position_m, shift_m, force_N']]
    .map(r => `| \`${r[0]}\` | ${r[1]} | ${r[2]} |\n`).join('');
writeFileSync(join(here, 'reference.md'), text);
