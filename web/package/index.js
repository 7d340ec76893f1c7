// SPDX-License-Identifier: MIT
// jawari in Node.js and browsers.  import { load } from 'jawari'; const jawari = await load();
import { Library } from './core.js';

export { Engine, Instrument, JawariError, Library, ledgerNumbers } from './core.js';
export { wavBytes } from './wav.js';

/** The compiled module of jawari.wasm: from beside this file, or from a Response, URL, bytes or module that is given. */
export async function compiled(source = new URL('./jawari.wasm', import.meta.url)) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  if (typeof process === 'object' && process.versions?.node && String(source).startsWith('file:')) {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(source));
  }
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`${response.url} cannot be fetched: ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** The library, ready to open scenes. */
export async function load(source) { return new Library(await compiled(source)); }
