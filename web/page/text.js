// SPDX-License-Identifier: MIT
/* global CompressionStream, DecompressionStream */
// Scenes as text: small edits that leave the rest as it was written, the address, and what is copied.

/** A number as it is written in a scene. */
export const written = (x, digits = 4) => {
  const text = String(Number(x.toPrecision(digits)));
  return /[.e]/.test(text) ? text.replace('e+', 'e') : `${text}.0`;
};
const number = String.raw`[-+]?(?:\d[\d_]*)?\.?\d+(?:[eE][-+]?\d+)?`;

/** A key of a part, by the lines that the reader has noted: { "barrier[0].height_m": 14, "barrier[0]": 10, ... }. */
export function withNumber(text, lines, part, key, value) {
  const rows = text.split('\n'), line = lines[`${part}.${key}`];
  if (line) {
    const pattern = new RegExp(String.raw`(\b${key}\s*=\s*)${number}`), before = rows[line - 1];
    rows[line - 1] = before.replace(pattern, `$1${written(value)}`);
    return rows[line - 1] === before && !pattern.test(before) ? text : rows.join('\n');
  }
  const head = lines[part];
  if (!head || !/^\s*\[\[/.test(rows[head - 1])) return text;
  rows.splice(head, 0, `${key} = ${written(value)}`);
  return rows.join('\n');
}
export function withPlace(text, lines, part, x, y) {
  const rows = text.split('\n'), line = lines[`${part}.at`];
  if (!line) return text;
  rows[line - 1] = rows[line - 1].replace(/(\bat\s*=\s*)\[[^\]]*\]/, `$1[${written(x)}, ${written(y)}]`);
  return rows.join('\n');
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
/** Without what happens by itself: events and notes. */
export function withoutEvents(text) {
  const list = tables(text).filter((t) => !['event', 'note', 'midi'].includes(t.head));
  for (const key of ['event', 'note'])
    for (const t of list) {
      const from = t.head === '' ? t.rows.findIndex((row) => new RegExp(String.raw`^\s*${key}\s*=\s*\[`).test(row)) : -1;
      if (from < 0) continue;
      let depth = 0, to = from;
      for (; to < t.rows.length; ++to) {
        for (const c of t.rows[to].replace(/#.*$/, '').replace(/"[^"]*"/g, '')) depth += c === '[' ? 1 : c === ']' ? -1 : 0;
        if (depth <= 0) break;
      }
      t.rows.splice(from, to - from + 1);
    }
  return joined(list);
}
/** The string of this number begins in this way; as it was where it is not written as [[string]]. */
export function withStart(text, index, start) {
  const list = tables(text), t = list.filter((one) => one.head === 'string')[index];
  if (!t) return text;
  t.rows = t.rows.filter((row) => !/^\s*start\s*=/.test(row));
  if (start) t.rows.splice(1, 0, `start = ${start}`);
  return joined(list);
}
/** A parameter that no key of the text holds: set at the beginning. */
export function withSetting(text, target, parameter, value) {
  const list = tables(text);
  const same = list.find((t) => t.head === 'event' && t.rows.some((r) => /do\s*=\s*"set"/.test(r)) && t.rows.includes(`target = "${target}"`) && t.rows.includes(`parameter = "${parameter}"`) && t.rows.includes('time_s = 0.0'));
  if (same) {
    same.rows = same.rows.map((row) => row.startsWith('value =') ? `value = ${written(value)}` : row);
    return joined(list);
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
