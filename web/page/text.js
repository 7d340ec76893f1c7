// SPDX-License-Identifier: MIT
/* global CompressionStream, DecompressionStream */
// Scenes as text: small edits that leave the rest as it was written, the address, and what is copied.

/** A number as it is written in a scene. */
export const written = (x, digits = 9) => {
  const text = String(Number(x.toPrecision(digits)));
  return /[.e]/.test(text) ? text.replace('e+', 'e') : `${text}.0`;
};
const number = String.raw`[-+]?(?:\d[\d_]*)?\.?\d+(?:[eE][-+]?\d+)?`;

/** A row of a table that is written in one: with its first brace, if there is one alone at the outermost level. */
function onlyBrace(row) {
  let depth = 0, first = -1, count = 0;
  for (const [i, c] of [...row.replace(/"[^"]*"/g, (s) => '"'.repeat(s.length)).replace(/#.*$/, '')].entries()) {
    if (c === '{' && depth++ === 0 && count++ === 0) first = i;
    if (c === '}') --depth;
  }
  return count === 1 ? first : -1;
}

/** A key of a part, by the lines that the reader has noted: { "barrier[0].height_m": 14, "barrier[0]": 10, ... }.  Unchanged where
    its line holds no such number, or several. */
export function withNumber(text, lines, part, key, value) {
  const rows = text.split('\n'), line = lines[`${part}.${key}`];
  if (line) {
    const pattern = new RegExp(String.raw`(\b${key}\s*=\s*)${number}`, 'g'), before = rows[line - 1] ?? '';
    if ([...before.matchAll(pattern)].length !== 1) return text;
    rows[line - 1] = before.replace(pattern, `$1${written(value)}`);
    return rows.join('\n');
  }
  const head = lines[part], row = rows[head - 1] ?? '', brace = onlyBrace(row);
  if (!head) return text;
  if (/^\s*\[\[/.test(row)) rows.splice(head, 0, `${key} = ${written(value)}`);
  else if (brace >= 0) rows[head - 1] = `${row.slice(0, brace + 1)} ${key} = ${written(value)},${row.slice(brace + 1)}`;
  else return text;
  return rows.join('\n');
}
export function withPlace(text, lines, part, x, y) {
  const rows = text.split('\n'), line = lines[`${part}.at`], pattern = new RegExp(String.raw`(\bat\s*=\s*)(\[[^\]]*\]|${number})`, 'g'), before = rows[line - 1] ?? '';
  if (!line || [...before.matchAll(pattern)].length !== 1) return text;
  rows[line - 1] = before.replace(pattern, (_, head, was) => was.startsWith('[') ? `${head}[${written(x)}, ${written(y)}]` : `${head}${written(x)}`);
  return rows.join('\n');
}
/** Adds to every number of a list, which may go over several rows. */
export function withShifted(text, lines, part, key, by) {
  const rows = text.split('\n'), line = lines[`${part}.${key}`], head = new RegExp(String.raw`^.*\b${key}\s*=\s*\[`).exec(rows[line - 1] ?? '')?.[0];
  if (head === undefined) return text;
  for (let i = line - 1, from = head.length; i < rows.length; ++i, from = 0) {
    const row = rows[i], code = row.replace(/#.*$/, ''), end = code.indexOf(']', from), to = end < 0 ? code.length : end;
    rows[i] = row.slice(0, from) + row.slice(from, to).replace(new RegExp(number, 'g'), (x) => written(Number(x.replaceAll('_', '')) + by)) + row.slice(to);
    if (end >= 0) return rows.join('\n');
  }
  return text;
}

/** [{ head, rows }]: the text in the tables of which it consists. */
function tables(text) {
  const list = [{ head: '', rows: [] }];
  for (const row of text.split('\n')) {
    const head = /^\s*\[{1,2}\s*([\w.-]+)\s*\]{1,2}\s*(#.*)?$/.exec(row);
    if (head) list.push({ head: head[1], rows: [row] });
    else list.at(-1).rows.push(row);
  }
  return list;
}
const joined = (list) => list.flatMap((t) => t.rows).join('\n');

/** Lines of parts and keys, as the reader notes them, of a text that writes its parts as [[kind]]. */
export function linesOf(text) {
  const lines = {}, counts = {};
  let at = 0;
  for (const { head, rows } of tables(text)) {
    const part = head && /^\s*\[\[/.test(rows[0]) ? `${head}[${counts[head] = (counts[head] ?? -1) + 1}]` : head;
    if (head) lines[part] = at + 1;
    rows.forEach((row, i) => {
      const key = /^\s*([\w-]+)\s*=/.exec(row);
      if (key) lines[part ? `${part}.${key[1]}` : key[1]] = at + i + 1;
    });
    at += rows.length;
  }
  return lines;
}
/** A parameter that no key of the text holds: set at the beginning. */
export function withSetting(text, target, parameter, value) {
  const list = tables(text);
  const same = list.find((t) => t.head === 'event' && t.rows.some((r) => /do\s*=\s*"set"/.test(r)) && t.rows.includes(`target = "${target}"`) && t.rows.includes(`parameter = "${parameter}"`) && t.rows.includes('time_s = 0.0'));
  if (same) {
    same.rows = same.rows.map((row) => row.startsWith('value =') ? `value = ${written(value)}` : row);
    return joined(list);
  }
  const rows = text.split('\n'), inline = rows.findIndex((row) => /^\s*event\s*=\s*\[/.test(row)), next = rows.findIndex((row) => /^\s*\[/.test(row));
  if (inline >= 0 && (next < 0 || inline < next)) {  // a list of events, which [[event]] may not follow
    const start = new RegExp(String.raw`(\{ time_s = 0\.0, do = "set", target = "${target}", parameter = "${parameter}", value = )${number}`), at = rows.findIndex((row) => start.test(row));
    if (at >= 0) rows[at] = rows[at].replace(start, `$1${written(value)}`);
    else rows[inline] = rows[inline].replace('[', `[\n  { time_s = 0.0, do = "set", target = "${target}", parameter = "${parameter}", value = ${written(value)} },`);
    return rows.join('\n');
  }
  const end = list.at(-1).rows;
  if (end.at(-1) !== '') end.push('');
  return `${joined(list)}\n[[event]]\ntime_s = 0.0\ndo = "set"\ntarget = "${target}"\nparameter = "${parameter}"\nvalue = ${written(value)}\n`;
}

// The address: the scene, deflated, in letters that addresses may have.
const toLetters = (bytes) => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const fromLetters = (letters) => Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

export async function addressOf(text) {
  const bytes = new TextEncoder().encode(text);
  if (typeof CompressionStream !== 'function') return `#t=${toLetters(bytes)}`;
  return `#z=${toLetters(await through(bytes, new CompressionStream('deflate-raw')))}`;
}
/** The scene of an address; null: it has none.  Throws where it cannot be read. */
export async function textOf(address) {
  const found = /^#([zt])=([\w-]+)$/.exec(address);
  if (!found) return null;
  const bytes = fromLetters(found[2]);
  return new TextDecoder('utf-8', { fatal: true }).decode(found[1] === 't' ? bytes : await through(bytes, new DecompressionStream('deflate-raw')));
}

export const asPython = (text) => `import jawari

scene = jawari.Scene.from_text(r"""
${text.trimEnd()}
""")
scene.render("scene.wav", gain=1, quality="draft")
`;
export const asCommand = (text) => `cat >scene.toml <<'END'
${text.trimEnd()}
END
jawari render scene.toml --gain 1 --quality draft -o scene.wav
`;
