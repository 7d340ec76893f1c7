// SPDX-License-Identifier: MIT
// The same scene, four schemes: what is heard, and how far each is from the best of them at four times the rate.
import { Panel, colour } from './panels.js';

const about = {
  'landing-two-point': 'energy-stable, iterative, with the landing of strings corrected', 'two-point': 'energy-stable, iterative', 'three-point': 'energy-stable, iterative, published first',
  'matched-two-point': 'energy-stable, contact time matched', 'guarded-two-point': 'energy-stable, unresolved impacts softened', quadratised: 'published: no iteration, energy-stable, may push from afar',
  'quadratised-sign': 'published remedy: no iteration', 'quadratised-returning': 'published remedy: no iteration', 'quadratised-reset': 'published remedy: no iteration', 'quadratised-bounded': 'no iteration, bounded', 'secant-1': 'one secant step', 'secant-2': 'two secant steps',
  'linearly-implicit': 'published: no iteration', taylor: 'series of the potential',
};
const wanted = ['quadratised', 'quadratised-bounded', 'three-point', 'two-point'];

class Wave extends Panel {
  constructor(canvas, samples, most) {
    super(canvas);
    this.samples = samples;
    this.most = most;
    this.onfit = () => this.draw();
    this.draw();
  }
  draw() {
    const { context: c, width, height, samples, most } = this;
    if (!samples || !width) return;
    c.clearRect(0, 0, width, height);
    c.strokeStyle = colour('accent');
    c.beginPath();
    for (let x = 0; x < width; ++x) {
      let low = 0, high = 0;
      for (let i = Math.floor(x * samples.length / width); i < (x + 1) * samples.length / width; ++i) {
        low = Math.min(low, samples[i]);
        high = Math.max(high, samples[i]);
      }
      c.moveTo(x + 0.5, height / 2 - high / most * height * 0.48);
      c.lineTo(x + 0.5, height / 2 - low / most * height * 0.48 + 0.5);
    }
    c.stroke();
  }
}

/** Chooses four of those that serve the scene: published ones, and those that are recommended. */
export function choose(names, used) {
  const list = [...new Set([...wanted, used])].filter((name) => names.includes(name));
  for (const name of names) if (list.length < 4 && !list.includes(name)) list.push(name);
  return list.slice(-4);
}
const bestFirst = ['landing-two-point', 'matched-two-point', 'two-point'];

/** Renders and shows.  hear(channels, rate) plays a sound; say(share) tells how far it is. */
export async function compare(element, sources, text, { seconds = 1.2, rate = 0, hear, say }) {
  const names = await sources.schemes(text), own = await sources.render(text, { seconds: 0.001 });
  const used = own.description.contacts.find((c) => names.includes(c.scheme))?.scheme ?? 'two-point';
  const best = bestFirst.find((name) => names.includes(name)) ?? used, list = choose(names, used);
  let done = 0;
  const tell = (share) => say((done + share) / (list.length + 1));
  const reference = await sources.render(text, { seconds, options: { scheme: best, oversample: 4, rate } }, tell);
  element.replaceChildren();
  const most = reference.channels[0].reduce((m, x) => Math.max(m, Math.abs(x)), 1e-12), rows = [];
  for (const name of list) {
    ++done;
    let result;
    try {
      result = await sources.render(text, { seconds, options: { scheme: name, rate } }, tell);
    } catch (error) {
      result = { refused: error.message };
    }
    rows.push({ name, ...show(element, name, result, reference, most, hear) });
  }
  const settled = document.createElement('p');
  settled.className = 'hint';
  settled.textContent = `Reference: ${best}, four time steps per sample, ${reference.seconds.toFixed(1)} s.`;
  element.append(settled);
  say(1);
  return rows;
}

function show(element, name, result, reference, most, hear) {
  const block = document.createElement('article'), head = document.createElement('header'), title = document.createElement('h3'), list = document.createElement('dl');
  block.className = 'scheme';
  title.textContent = name;
  head.append(title);
  block.append(head);
  const says = document.createElement('p');
  says.className = 'hint';
  says.textContent = about[name] ?? '';
  block.append(says);
  element.append(block);
  if (result.refused) {
    says.textContent = result.refused;
    return { refused: result.refused };
  }
  const play = document.createElement('button');
  play.type = 'button';
  play.textContent = 'Hear it';
  play.setAttribute('aria-label', `Hear ${name}`);
  play.addEventListener('click', () => hear(result.channels, result.rate));
  head.append(play);
  const canvas = document.createElement('canvas');
  block.append(canvas);
  new Wave(canvas, result.channels[0], Math.max(most, 1e-12));
  const early = errorOf(result.channels[0], reference.channels[0], Math.round(0.1 * result.rate)), all = errorOf(result.channels[0], reference.channels[0]);
  const { ledger } = result, off = ledger.residual / Math.max(ledger.largest, 1e-300);
  const add = (term, text, bad = false) => {
    const pair = document.createElement('div'), dt = document.createElement('dt'), dd = document.createElement('dd');
    dt.textContent = term;
    dd.textContent = text;
    dd.className = bad ? 'bad' : '';
    pair.append(dt, dd);
    list.append(pair);
  };
  add('error, first 0.1 s', percent(early), early > 0.2);
  add(`error, ${result.seconds.toFixed(1)} s`, percent(all), all > 0.5);
  add('account closes to', Number.isFinite(off) ? Math.abs(off).toExponential(1) : '–', Math.abs(off) > 1e-6);
  add('computed in', `${(result.milliseconds / 1000 / result.seconds).toFixed(2)} s per s`);
  block.append(list);
  const worst = result.failure || result.verdicts[0]?.sentence || '';
  if (worst) {
    const verdict = document.createElement('p');
    verdict.className = `verdict ${result.failure ? 'failure' : result.verdicts[0].severity}`;
    verdict.textContent = worst;
    block.append(verdict);
  }
  return { early, all, off };
}
const percent = (x) => !Number.isFinite(x) ? 'not finite' : x > 9.99 ? 'over 999 %' : `${Number((100 * x).toPrecision(2))} %`;
/** Root mean square of the difference, over that of the reference. */
function errorOf(a, b, count = Math.min(a.length, b.length)) {
  let wrong = 0, all = 0;
  for (let i = 0; i < Math.min(count, a.length, b.length); ++i) {
    wrong += (a[i] - b[i]) ** 2;
    all += b[i] ** 2;
  }
  return Math.sqrt(wrong / Math.max(all, 1e-300));
}
