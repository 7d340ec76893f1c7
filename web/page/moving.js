// SPDX-License-Identifier: MIT
// What dragging a part changes: what sounds, and what the text says of it.
import { withNumber, withPlace, withSetting, withShifted } from './text.js';

/** Rounded as it is written into the text, so that the text says what sounds. */
export const rounded = (by) => ({ x: Math.round((by.x || 0) * 1e5) / 1e5, y: Math.round((by.y || 0) * 1e5) / 1e5, height: Math.round((by.height || 0) * 1e7) / 1e7 });

/** Parameters by which a part moves while it sounds, null where it has none. */
export function moversOf(part, parameters) {
  const find = (...keys) => parameters.find((p) => keys.some((key) => p.name === `${part.name}.${key}`)) ?? null;
  return { height: find('height_m'), along: find('position_m', 'shift_m') };
}
/** Values of all parameters at the start: as built, or as set there. */
export function valuesOf(description, parameters) {
  const values = new Map(parameters.map((p) => [p.name, p.start ?? p.value]));
  for (const e of description.parts) if (isSetting(e)) values.set(`${e.target}.${e.parameter}`, e.value);
  return values;
}
const isSetting = (e) => e.kind === 'event' && e.do === 'set' && e.time === 0 && !e.beat;
const settingOf = (parts, owner, key) => parts.filter((e) => isSetting(e) && e.target === owner && e.parameter === key).at(-1);

/** The text in which a part is elsewhere by { x, y, height } [m].  values: of the parameters, before.  Unchanged: it does not hold the part. */
export function movedText(text, { parts, lines, parameters, values }, part, by) {
  const live = moversOf(part, parameters);
  let moved = text;
  if (by.height) moved = moveBy(moved, parts, live.height, values, by.height, (from) => raised(from, lines, part, by.height));
  if (by.x || by.y) {
    const here = moved === text ? lines : shiftedLines(text, moved, lines);
    moved = moveBy(moved, parts, live.along, values, by.x, (from) => shifted(from, here, part, by, live.along));
  }
  return moved;
}
/** By the keys of the part; by what is set at the start where the text does so already, or has no such key. */
function moveBy(text, parts, parameter, values, by, change) {
  const dot = parameter?.name.lastIndexOf('.'), owner = parameter?.name.slice(0, dot), key = parameter?.name.slice(dot + 1);
  const changed = parameter && settingOf(parts, owner, key) ? text : change(text);
  return changed === text && parameter ? withSetting(text, owner, key, values.get(parameter.name) + by) : changed;
}
/** Lines after a row has come in. */
function shiftedLines(before, after, lines) {
  const a = before.split('\n'), b = after.split('\n'), more = b.length - a.length;
  if (more === 0) return lines;
  const at = a.findIndex((row, i) => row !== b[i]) + 1;  // the first row that is another one now
  return Object.fromEntries(Object.entries(lines).map(([path, line]) => [path, line >= at ? line + more : line]));
}
const pathOf = (part) => `${part.kind}[${part.index}]`;
function raised(text, lines, part, height) {
  if (part.heights?.length) return withShifted(text, lines, pathOf(part), 'heights_m', height);
  if (part.kind === 'barrier' && !['flat', 'parabola', 'points'].includes(part.shape)) return text;  // its heights are no key
  return withNumber(text, lines, pathOf(part), 'height_m', (part.height || 0) + height);
}
function shifted(text, lines, part, by, along) {
  const path = pathOf(part);
  if (part.kind === 'barrier') {
    if (part.positions) return lines[`${path}.position_m`] ? withNumber(text, lines, path, 'position_m', part.positions[0] + by.x) : withShifted(text, lines, path, 'positions_m', by.x);
    let moved = part.shape === 'parabola' ? withNumber(text, lines, path, 'centre_m', (part.centre || 0) + by.x) : text;
    if (along) return moved;  // its surface moves, and its extent stays
    if (part.from) moved = withNumber(moved, lines, path, 'from_m', part.from + by.x);
    if (part.to) moved = withNumber(moved, lines, path, 'to_m', part.to + by.x);
    return moved;
  }
  if (lines[`${path}.at`]) return withPlace(text, lines, path, part.x + by.x, part.y + by.y);
  return withNumber(text, lines, path, 'position_m', (part.position || part.x || 0) + by.x);
}
/** The part as the text says it now. */
export function follow(part, by) {
  for (const key of ['x', 'position', 'centre']) if (part[key] !== undefined) part[key] += by.x;
  if (part.y !== undefined) part.y += by.y;
  if (part.height !== undefined) part.height += by.height;
  if (part.heights) part.heights = part.heights.map((h) => h + by.height);
  if (part.positions) part.positions = part.positions.map((x) => x + by.x);
}
