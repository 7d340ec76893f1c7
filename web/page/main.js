// SPDX-License-Identifier: MIT
// The playground: one scene as text, which is what is drawn, played, moved and shared.
import { Opener, Player, missing } from './jawari/player.js';
import { compare } from './schemes.js';
import { EnergyPanel, ForcePanel, Panel, SpectrumPanel, colour, pitchText, withUnit } from './panels.js';
import { Keys } from './keys.js';
import { follow, movedText, moversOf, rounded, valuesOf } from './moving.js';
import { Stage } from './stage.js';
import { addressOf, asCommand, asPython, textOf, withNumber, linesOf, withSetting } from './text.js';

const presets = [
  ['tanpura', 'Tanpura', 'The string wraps around a curved bridge and touches a thread: contact feeds high partials until they sing.'],
  ['sitar', 'Sitar', 'A wide bridge, and a string that is longer and tenser when it swings widely: hard plucks glide down.'],
  ['prepared-piano', 'Prepared piano', 'A bolt and a loose nut on a piano string: one becomes a gong, the other rattles until it comes to rest.'],
  ['slap-bass', 'Slap bass', 'A thumb drives the string onto twenty frets: every contact is solved, none is a sample.'],
  ['snare-drum', 'Snare drum', 'Soft strokes leave the wires on the head; louder ones throw them off, and they come back.'],
  ['marble-plate', 'Marble on a plate', 'Every bounce takes some energy from the marble, and the steel answers like thunder.'],
  ['marble-glass', 'Marble on a glass', 'A thousand impacts on a rim, closer and closer together, each with the right rebound.'],
];
const $ = (id) => document.getElementById(id);
const scenesUrl = new URL('./scenes/', import.meta.url);

// text: what is shown and shared; described: the text that scene.description is of; values: of the parameters of what plays, opened: how often
// a scene has begun to play
const state = { text: '', described: '', scene: null, sounding: false, next: null, ledger: null, verdictAt: 0, preset: '', values: new Map(), opened: 0, voices: 0 };
let player = null, starting = null, film = null;
const sources = new Opener({ urls: { wasm: new URL('./jawari/jawari.wasm', import.meta.url) } });
const energy = new EnergyPanel($('energy')), force = new ForcePanel($('force')), spectrum = new SpectrumPanel($('spectrum'));

const say = (text) => { $('said').textContent = text; };
function fail(error) {
  $('missing').textContent = typeof error === 'string' ? error : error.message;
  $('missing').hidden = false;
}

// ------------------------------------------------------------------------------------------------ opening and playing

/** The player, made at the first gesture: browsers give no sound without one. */
function ensure() {
  starting = starting ?? (async () => {
    const made = await Player.create({ sources });
    made.onpicture = pictured;
    made.onfilm = filmed;
    made.onerror = fail;
    made.onverdict = verdict;
    made.onsound = () => { state.firstSound = state.firstSound ?? performance.now() - state.asked; };
    const analyser = made.context.createAnalyser();
    made.output.connect(analyser);
    made.output.gain.value = volume();
    spectrum.listen(analyser);
    player = made;
    window.jawariPlayer = made;  // for tests, and for people with a console
    return made;
  })();
  starting.catch((error) => {
    starting = null;
    fail(error);
  });
  return starting;
}
const volume = () => Number($('volume').value) ** 2;

/** The files that a text names, from the shipped scenes. */
async function fetchNamed(text) {
  const include = /^\s*include\s*=\s*(\[[^\]]*\]|"[^"]*")/m.exec(text)?.[1] ?? '';
  for (const [, name] of `${include} ${[...text.matchAll(/^\s*file\s*=\s*("[^"]*")/gm)].map((m) => m[1]).join(' ')}`.matchAll(/"([\w.-]+)"/g)) {
    if (name in sources.files) continue;
    const response = await fetch(new URL(`all/${name}`, scenesUrl));
    if (response.ok) sources.files[name] = new Uint8Array(await response.arrayBuffer());
  }
}
const rateNow = () => player?.context.sampleRate ?? 0;
/** Plays what has been opened. */
async function play(answer) {
  await player.play(answer);
  state.sounding = true;
  state.values = valuesOf(answer.description, answer.parameters);
  ++state.opened;
}
/** Opens a text: draws it, and plays it if there is sound.  The last one asked for wins; a refused one changes nothing.  Without events nothing
    happens by itself; strings begin as `starts` says, and where it goes on the others as they move. */
async function open(text, { events = true, starts = [], goesOn = false, sound = state.sounding, quiet = false } = {}) {
  const ticket = state.next = {};
  state.asked = performance.now();
  try {
    if (sound) await ensure();
    if (sound) await player.resume();
    await fetchNamed(text);
    const after = goesOn && state.sounding ? await player.state() : null;
    if (ticket !== state.next) return false;
    const answer = await sources.open(text, { options: { quality: 'draft', rate: rateNow(), events, starts }, after, keep: sound });
    if (ticket !== state.next) return false;
    if (sound) await play(answer);
    else state.values = valuesOf(answer.description, answer.parameters);
    accept(text, answer, quiet);
    return true;
  } catch (error) {
    if (ticket === state.next) refuse(error);
    return false;
  }
}
function accept(text, answer, quiet) {
  const { scene } = state;
  hold(text);
  state.described = text;
  state.scene = answer;
  showError(null);
  const same = scene && JSON.stringify(scene.description.parts) === JSON.stringify(answer.description.parts) && layoutOf(scene) === layoutOf(answer);
  if (!same || !quiet) {
    const { scale } = stage;
    stage.show(drawnOf(answer));
    if (quiet) stage.scale = scale;
  } else {
    stage.scene = drawnOf(answer);
  }
  if (!quiet) {
    energy.clear();
    force.clear();
    controls();
    $('verdict').textContent = '';
  }
  const parts_ = answer.description.parts;
  const points = answer.description.barriers.flatMap((b) => b.x), low = Math.min(...points), high = Math.max(...points);
  state.span = high > low ? [low, high] : [low - 0.01, high + 0.01];
  document.title = `${answer.description.title || 'Scene'} – jawari playground`;
  $('keys-card').hidden = !answer.instrument;
  $('microphone').hidden = !(answer.description.inputs > 0);
  $('force-card').hidden = points.length === 0;
  $('stage-help-text').textContent = stage.strings.length ? 'Pull the string anywhere and let go. Drag a bridge up and down while it sounds, anything else along the string. Click a hammer or a plectrum to use it.' : stage.surface && parts_.some((p) => p.kind === 'hammer') ? 'Click anywhere on the drum to strike it there.' : 'Click to let the marble fall again.';
  const parts = parts_, hammer = parts.some((p) => p.kind === 'hammer'), plectrum = parts.some((p) => p.kind === 'plectrum'), mass = parts.some((p) => p.kind === 'mass');
  $('strike').hidden = !hammer && !plectrum && !mass;
  $('strike').textContent = plectrum && !hammer ? 'Pluck' : hammer ? 'Strike' : 'Drop';
  $('play').textContent = state.sounding ? 'Play again' : 'Play';
  remember();
  reading();
}
/** What is shown and shared from now on. */
function hold(text) {
  state.text = text;
  if ($('text').value !== text) $('text').value = text;
  number();
}
/** What a picture holds: numbers of points.  Another rate has others. */
const layoutOf = ({ description: d }) => JSON.stringify([...d.shapes.map((s) => s.x.length), '', ...d.barriers.map((b) => b.x.length), '', d.movers.length]);
const drawnOf = (answer) => ({ ...answer.description, voiceShapes: answer.voiceDescription?.shapes });
function refuse(error) {
  showError(error);
  if (!state.scene) fail(error);
}

let remembering = 0;
/** The scene is in the address, once it has been still for a moment. */
function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(async () => {
    const { text } = state, named = [...sceneTexts].find(([, served]) => served === text)?.[0];
    const address = state.preset && presetTexts.get(state.preset) === text ? `#${state.preset}` : named ? `#scene=${named}` : await addressOf(text);
    if (location.hash !== address) history.replaceState(null, '', address);
  }, 250);
}

/** Plays on with a changed text; strings go on as they move. */
function goOn(text) {
  hold(text);
  return open(text, { events: !state.sounding, goesOn: true, quiet: true });
}

// ----------------------------------------------------------------------------------------------------------- gestures

const linesNow = () => state.described === state.text ? state.scene.description.lines : linesOf(state.text);
/** What movedText needs of the scene. */
const placesNow = () => ({ parts: state.scene.description.parts, lines: linesNow(), parameters: state.scene.parameters, values: state.values });
function set(name, value, glide) {
  state.values.set(name, value);
  if (state.sounding && player) player.set(name, value, glide);
}
let damped = false;
const acts = {
  /** A hand takes the string: what it swung dies away. */
  grab(string) {
    ensure().then((p) => p.resume()).catch(() => {});
    if (!state.sounding || !player) return;
    player.send('damp', string.name, 60, 0.01);
    damped = true;
  },
  /** ... and lets it go. */
  async pull(string, x, height) {
    damped = false;
    say(`let go at ${withUnit(x, 'm')}, pulled by ${withUnit(Math.abs(height), 'm', 2)}`);
    await open(state.text, { events: false, quiet: true, sound: true, goesOn: true, starts: [{ string: string.name, position: Number(x.toPrecision(5)), height: Number(height.toPrecision(4)) }] });
  },
  async hit(at) {
    const { parts } = state.scene.description, on = at?.surface?.name ?? at?.string?.name, meets = (p) => !on || p.target === on;
    if (damped) {
      damped = false;
      player?.send('damp', at.string.name, 0, 0.01);
    }
    const tools = ['hammer', 'plectrum'].flatMap((kind) => parts.filter((p) => p.kind === kind)), tool = tools.find(meets) ?? (at?.surface ? null : tools[0]);
    if (!tool) return begin();
    if (at?.surface) {
      const moved = movedText(state.text, placesNow(), tool, rounded({ x: at.x - tool.x, y: at.y - tool.y }));
      if (moved !== state.text) await open(moved, { events: false, quiet: true, sound: true });
    } else if (at?.string && meets(tool) && moversOf(tool, state.scene.parameters).along && await sounding()) {
      acts.move(tool, { x: at.x - stage.along(tool), y: 0, height: 0 }, true, 0);  // it meets the string where the string is clicked
    }
    return tool.kind === 'hammer' ? acts.strike(tool) : acts.pluck(tool);
  },
  async strike(part) {
    if (await sounding()) player.send('strike', part.name, lastValue('strike', part.name, 3));
    say(`${part.name} strikes`);
  },
  async pluck(part) {
    if (await sounding()) player.send(part.kind === 'finger' ? 'press' : 'pluck', part.name, lastValue('pluck', part.name, 3e-3), 0.03);
    say(`${part.name} plucks`);
  },
  /** A part is dragged by { x, y, height } since it was taken: at once where a parameter moves it; otherwise the scene is opened anew, a few times
      on the way and when it is let go.  Returns how far it has moved. */
  move(part, by, done, glide = 0.03) {
    const live = moversOf(part, state.scene.parameters), held = acts.held ?? (acts.held = { text: state.text, places: placesNow(), values: new Map(state.values) });
    if (live.along && by.x) {
      const from = held.values.get(live.along.name);
      by = { ...by, x: Math.min(live.along.most - from, Math.max(live.along.least - from, by.x)) };
    }
    if (live.height && by.height) {
      const from = held.values.get(live.height.name);
      by = { ...by, height: Math.min(live.height.most - from, Math.max(live.height.least - from, by.height)) };
    }
    by = rounded(by);
    const text = movedText(held.text, { ...held.places, values: held.values }, part, by), moved = text !== held.text, anew = (by.x || by.y) && !live.along;
    if (moved && live.height && by.height) set(live.height.name, held.values.get(live.height.name) + by.height, glide);
    if (moved && live.along && by.x) set(live.along.name, held.values.get(live.along.name) + by.x, glide);
    if (by.x || by.y) stage.note = `${part.name || part.kind}: ${withUnit(stage.along(part) + by.x, 'm')} from the end`;
    if (by.height) stage.note = `${part.name || part.kind}: height ${withUnit((part.heights?.[0] ?? (part.height || 0)) + by.height, 'm')}`;
    if (!moved && (by.x || by.y || by.height)) stage.note = `The place of ${part.name || part.kind} is not in this text.`;
    if (anew && moved && !done && state.sounding && performance.now() - (acts.moved ?? 0) > 120) {
      acts.moved = performance.now();
      trial(text);
    }
    if (!done) return by;
    acts.held = null;
    say(stage.note);
    setTimeout(() => { stage.note = ''; }, 1500);
    if (moved) {
      follow(part, by);
      if (anew) goOn(text);
      else describe(text);
    }
    return by;
  },
};
/** Plays a text while something is still being dragged; what is drawn stays. */
async function trial(text) {
  if (state.trying) return;
  state.trying = true;
  try {
    const after = await player.state(), answer = await sources.open(text, { options: { quality: 'draft', rate: rateNow(), events: false }, after });
    if (stage.dragged) await play(answer);
  } catch (error) {
    showError(error);
  }
  state.trying = false;
}
/** A text whose sound is what sounds already, or what will: only description and address follow. */
async function describe(text, rebuild = true) {
  hold(text);
  try {
    const answer = await sources.open(text, { options: { quality: 'draft', rate: rateNow(), events: false }, instrument: false, keep: false });
    if (state.text !== text) return;
    // Pictures go on to be those of what sounds.
    const { shapes, barriers, movers } = state.scene.description, kept = layoutOf(state.scene) === layoutOf(answer) ? {} : { shapes, barriers, movers };
    state.scene = { ...state.scene, description: { ...answer.description, ...kept } };
    state.described = text;
    stage.show(drawnOf(state.scene), true);
    if (rebuild) controls();
    showError(null);
    remember();
  } catch (error) {
    if (state.text === text) showError(error);
  }
}
const lastValue = (what, name, otherwise) => state.scene.description.parts.filter((p) => p.kind === 'event' && p.do === what).map((p) => p.value).at(-1) ?? otherwise;
/** Sound is on, and the scene of the text plays; without its events if it has to begin. */
let waking = null;
async function sounding() {
  if (state.sounding && player) {
    if (!player.playing) await player.resume();
    return true;
  }
  waking = waking ?? open(state.text, { events: false, quiet: true, sound: true }).finally(() => { waking = null; });
  return waking;
}
const begin = () => open(state.text, { sound: true });

const stage = new Stage($('stage'), $('handles'), acts);

// ------------------------------------------------------------------------------------------------------------ readings

let pending = false;
function pictured(picture) {
  state.ledger = picture.ledger;
  state.voices = picture.voices;
  if (!film) stage.picture(picture.values, picture.voices);
  energy.add(picture.ledger);
  const places = [];
  stage.scene?.barriers.forEach((b, k) => {
    const [low, high] = state.span;
    for (let n = 0; n < b.x.length; ++n) places.push([(b.x[n] - low) / (high - low), picture.values[stage.forceOffsets[k] + n] || 0]);
  });
  force.add(places);
  state.pictures = (state.pictures ?? 0) + 1;
  if (!pending) {
    pending = true;
    requestAnimationFrame(frame);
  }
}
let frames = 0;
function frame() {
  pending = false;
  if (!film) stage.draw();
  energy.draw();
  spectrum.draw();
  if (++frames % 12 === 0) reading();
  const now = performance.now();
  if (now - state.verdictAt > 2500 && player) {
    state.verdictAt = now;
    player.judge();
  }
}
function reading() {
  const l = state.ledger, rows = l ? [['kinetic', 'kinetic', l.kinetic], ['elastic', 'elastic', l.elastic + l.modulation], ['bending', 'bending', l.bending], ['contact', 'in contacts', l.contact], ['lost', 'dissipated', l.dissipated], ['', 'injected', l.injected]] : [];
  const list = $('ledger');
  while (list.children.length < rows.length) {
    const pair = document.createElement('div'), dt = document.createElement('dt'), dd = document.createElement('dd');
    pair.append(dt, dd);
    list.append(pair);
  }
  rows.forEach(([key, name, value], i) => {
    const [dt, dd] = list.children[i].children;
    if (dt.textContent !== name) {
      dt.textContent = name;
      if (key) {
        const mark = document.createElement('i');
        mark.style.background = `var(--${key})`;
        dt.prepend(mark);
      }
    }
    dd.textContent = withUnit(value, 'J');
  });
  if (l) {
    const off = l.largest > 0 ? Math.abs(l.residual) / l.largest : 0;
    $('energy-now').textContent = `account closes to ${off > 0 ? off.toExponential(1) : '0'}`;
  }
  $('force-now').textContent = force.most > 0 ? `${withUnit(force.most, 'N', 2)}, ${withUnit(state.span[0], 'm', 2)} to ${withUnit(state.span[1], 'm', 2)}` : '';
  $('pitch').textContent = state.sounding ? pitchText(spectrum.pitch()) : '';
}
function verdict(m) {
  const worst = m.verdicts.find((v) => v.severity !== 'note') ?? m.verdicts[0], p = $('verdict'), text = worst ? worst.sentence : 'Nothing to say against this run: the account closes, and every contact is resolved.';
  p.className = `verdict ${worst?.severity ?? ''}`;
  if (p.textContent !== text) p.textContent = text;
  state.grown = m.grown;
  state.allocations = m.allocations;
}

// --------------------------------------------------------------------------------------------------------- slow motion

$('slow').addEventListener('click', async () => {
  if (film) return closeFilm();
  if (!await sounding()) return;
  $('slow').setAttribute('aria-pressed', 'true');
  player.film(0.35, 8);
  const { parts } = state.scene.description, tool = parts.find((p) => p.kind === 'plectrum') ?? parts.find((p) => p.kind === 'hammer');
  if (tool) acts[tool.kind === 'hammer' ? 'strike' : 'pluck'](tool);
});
function filmed(m) {
  film = { ...m, at: 0, playing: true, last: performance.now() };
  const { size } = m;
  const shapes = stage.scene.shapes.reduce((sum, s) => sum + s.x.length, 0) || size, most = Array.from({ length: m.count }, (_, i) => m.pictures.subarray(i * size, i * size + shapes).reduce((u, x) => Math.max(u, Math.abs(x)), 0));
  const least = 0.05 * Math.max(...most);
  let first = 0;  // begins where something moves
  while (first < m.count - 1 && most[first] < least) ++first;
  film.at = film.from = Math.min(first, m.count - 1);
  $('film').hidden = false;
  $('moment').max = m.count - 1;
  $('moment').min = film.from;
  stage.scale = 0;
  for (let i = film.from; i < m.count; i += 4) stage.picture(m.pictures.subarray(i * size, (i + 1) * size));
  const [low, high] = state.span, { barriers } = state.scene.description;
  force.film(barriers.flatMap((b) => b.x.map((x) => (x - low) / (high - low))), m.count - film.from, (k, n) => m.pictures[(film.from + k) * size + stage.forceOffsets[0] + n]);
  reading();
  drawWave();
  requestAnimationFrame(roll);
}
function roll(now) {
  if (!film) return;
  if (film.playing) {
    film.at += Math.min(0.1, (now - film.last) / 1000) / Number($('speed').value) * film.rate / film.every;
    if (film.at >= film.count) film.at = film.from;
  }
  film.last = now;
  const i = Math.floor(film.at);
  $('moment').value = i;
  $('moment-text').textContent = `${(i * film.every / film.rate * 1000).toFixed(2)} ms`;
  stage.values = film.pictures.subarray(i * film.size, (i + 1) * film.size);
  stage.lit = null;
  force.showFilm((film.at - film.from) / Math.max(1, film.count - film.from));
  stage.draw();
  drawWave();
  requestAnimationFrame(roll);
}
const wave = new Panel($('wave'));
function drawWave() {
  if (!film || !wave.width) return;
  const { context: c, width, height } = wave, count = film.count * film.every, from = film.from * film.every;
  let most = 1e-9;
  for (let i = from; i < count; ++i) most = Math.max(most, Math.abs(film.sound[i]));
  c.clearRect(0, 0, width, height);
  c.strokeStyle = colour('accent');
  c.beginPath();
  for (let x = 0; x < width; ++x) {
    let low = 1e9, high = -1e9;
    for (let i = Math.floor(from + x * (count - from) / width); i <= from + (x + 1) * (count - from) / width; ++i) {
      low = Math.min(low, film.sound[i] ?? 0);
      high = Math.max(high, film.sound[i] ?? 0);
    }
    c.moveTo(x + 0.5, height / 2 - high / most * height * 0.46);
    c.lineTo(x + 0.5, height / 2 - low / most * height * 0.46 + 0.6);
  }
  c.stroke();
  const x = (film.at * film.every - from) / (count - from) * width;
  c.fillStyle = colour('touch');
  c.fillRect(x - 1, 0, 2, height);
}
function closeFilm() {
  film = null;
  force.film(null);
  $('film').hidden = true;
  $('slow').setAttribute('aria-pressed', 'false');
  stage.scale = 0;
}
$('moment').addEventListener('input', () => {
  film.at = Number($('moment').value);
  film.playing = false;
  $('film-play').textContent = 'Go on';
});
$('film-play').addEventListener('click', () => {
  film.playing = !film.playing;
  $('film-play').textContent = film.playing ? 'Pause' : 'Go on';
});
$('film-sound').addEventListener('click', () => hear([film.sound], film.rate));
let heardNow = null;
/** Plays samples that have been computed, at -3 dB. */
async function hear(channels, rate) {
  await ensure();
  await player.resume();
  heardNow?.stop();
  let most = 1e-9;
  for (const c of channels) for (const x of c) if (Number.isFinite(x)) most = Math.max(most, Math.abs(x));
  const buffer = player.context.createBuffer(channels.length, channels[0].length, rate);
  channels.forEach((c, i) => buffer.copyToChannel(Float32Array.from(c, (x) => Number.isFinite(x) ? x / most * 0.7 : 0), i));
  heardNow = new AudioBufferSourceNode(player.context, { buffer });
  heardNow.connect(player.output);
  heardNow.start();
}

// ---------------------------------------------------------------------------------------------------------- parameters

/** A range for a slider: the physical limits of a parameter are far apart. */
function range(p) {
  const v = state.values.get(p.name) ?? p.value, kind = p.name.slice(p.name.lastIndexOf('.') + 1);
  if (/position|shift/.test(kind)) return { least: p.least, most: p.most };
  if (/height/.test(kind)) return { least: v - 5e-4, most: v + 5e-4 };
  if (/frequency/.test(kind)) return { least: Math.max(p.least, v / 2), most: Math.min(p.most, v * 2), even: true };
  if (/stiffness/.test(kind)) return { least: Math.max(p.least, v / 100), most: Math.min(p.most, v * 100), even: true };
  if (/damping/.test(kind)) return { least: 0, most: 40 };
  if (v > 0) return { least: Math.max(p.least, 0), most: Math.min(p.most, v * 3) };
  return { least: Math.max(p.least, -1), most: Math.min(p.most, 1) };
}
const plain = { height_m: 'height', position_m: 'place', shift_m: 'shift', force_N: 'force', frequency_hz: 'pitch', stiffness: 'stiffness', damping_1_s: 'damping', gain: 'gain', amplitude_N: 'force', tuning: 'tuning', coefficient: 'friction', normal_N: 'normal force' };
function controls() {
  const box = $('controls'), groups = new Map();
  box.replaceChildren();
  state.scene.controls?.forEach((c, i) => addControl(groups, 'Keys', c.name, { ...c, value: c.usual, range: { least: c.least, most: c.most } }, (value) => player?.control(i, value)));
  for (const p of state.scene.parameters.slice(0, 40)) {
    const dot = p.name.lastIndexOf('.'), owner = p.name.slice(0, dot), key = p.name.slice(dot + 1), r = range(p);
    if (!(r.most > r.least)) continue;
    addControl(groups, owner, plain[key] ?? key, { ...p, value: state.values.get(p.name) ?? p.value, range: r }, (value) => drive(p, value), (value) => keep(p, owner, key, value));
  }
  if (!groups.size) box.textContent = 'Nothing of this scene can be changed while it sounds.';
  for (const [name, list] of groups) {
    const title = document.createElement('p');
    title.className = 'group-title';
    title.textContent = name;
    box.append(title, ...list);
  }
}
function addControl(groups, group, name, p, moved, done = () => {}) {
  const row = document.createElement('div'), text = document.createElement('label'), out = document.createElement('output'), input = document.createElement('input'), id = `c-${group}-${name}`.replace(/[^\w-]/g, '-');
  const { least, most, even } = p.range, to = (t) => even ? least * Math.pow(most / least, t) : least + (most - least) * t, from = (v) => even ? Math.log(v / least) / Math.log(most / least) : (v - least) / (most - least);
  row.className = 'control';
  const unit = (p.unit ?? '').replace('^alpha', 'ᵅ');
  text.textContent = name;
  text.htmlFor = id;
  if (p.text) text.title = p.text;
  Object.assign(input, { id, type: 'range', min: 0, max: 1, step: 0.001 });
  input.value = from(p.value);
  input.dataset.parameter = p.name;
  const show = (v) => {
    out.textContent = /^(mm|cents)$/.test(p.unit) || !p.unit ? `${Number(v.toPrecision(3))} ${unit}` : withUnit(v, unit);
    input.setAttribute('aria-valuetext', out.textContent);
  };
  show(p.value);
  input.addEventListener('input', () => {
    show(to(Number(input.value)));
    moved(to(Number(input.value)));
  });
  input.addEventListener('change', () => done(to(Number(input.value))));
  row.append(text, out, input);
  if (!groups.has(group)) groups.set(group, []);
  groups.get(group).push(row);
}
/** A slider moves: what its parameter was is kept until it is let go. */
function drive(p, value) {
  state.driven = state.driven ?? { name: p.name, from: state.values.get(p.name) };
  set(p.name, value, 0.03);
}
/** A parameter is written into the text: where it has a key of its own, otherwise as what is set at the beginning. */
function keep(p, owner, key, value) {
  const places = placesNow(), part = places.parts.find((one) => one.name === owner && one.kind !== 'event'), from = state.driven?.name === p.name ? state.driven.from : state.values.get(p.name);
  state.driven = null;
  let text = state.text;
  if (part && /^(height|position|shift)_m$/.test(key)) {
    const by = rounded(key === 'height_m' ? { height: value - from } : { x: value - from });
    value = from + (by.height || by.x);
    text = movedText(text, { ...places, values: new Map(places.values).set(p.name, from) }, part, by);
    if (text !== state.text) follow(part, by);
  } else {
    const asSet = places.parts.some((e) => e.kind === 'event' && e.do === 'set' && e.time === 0 && e.target === owner && e.parameter === key);
    if (part && !asSet && ['frequency_hz', 'gain'].includes(key)) text = withNumber(text, places.lines, `${part.kind}[${part.index}]`, key, value = Number(value.toPrecision(5)));
    if (text === state.text) text = withSetting(text, owner, key, value = Number(value.toPrecision(5)));
  }
  set(p.name, value, 0.03);
  describe(text, false);
}

// --------------------------------------------------------------------------------------------------------- the text

let typing = 0, wrongLine = 0;
function number() {
  const rows = $('text').value.split('\n').length;
  $('numbers').replaceChildren(...Array.from({ length: rows }, (_, i) => {
    const row = document.createElement(i + 1 === wrongLine ? 'b' : 'span');
    row.textContent = i + 1;
    return row;
  }).flatMap((row) => [row, '\n']));
  $('numbers').scrollTop = $('text').scrollTop;
}
function showError(error) {
  wrongLine = error?.line ?? 0;
  $('text-error').textContent = error ? error.message.replace(/^scene:(\d+): /, 'Line $1: ') : '';
  $('text').setAttribute('aria-invalid', String(Boolean(error)));
  number();
}
$('text').addEventListener('scroll', () => { $('numbers').scrollTop = $('text').scrollTop; });
$('text').addEventListener('input', () => {
  number();
  clearTimeout(typing);
  typing = setTimeout(() => { if ($('text').value !== state.text) open($('text').value, { sound: state.sounding, quiet: false }); }, 350);
});

// ----------------------------------------------------------------------------------------------- schemes, files, links

$('compare').addEventListener('click', async () => {
  const progress = $('compare-progress');
  $('compare').disabled = true;
  progress.hidden = false;
  try {
    state.compared = await compare($('schemes'), sources, state.text, { hear, say: (share) => { progress.value = share; } });
    say('the four schemes are computed');
  } catch (error) {
    $('schemes').textContent = error.message;
  }
  progress.hidden = true;
  $('compare').disabled = false;
});
async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} is copied`);
    $('said').classList.add('seen');
  } catch {
    prompt(`Copy ${what}:`, text);
  }
}
for (const [id, what, make] of [['copy-link', 'the link', async () => `${location.href.replace(/#.*/, '')}${await addressOf(state.text)}`], ['copy-toml', 'the scene', () => state.text], ['copy-python', 'the program', () => asPython(state.text)], ['copy-cli', 'the command', () => asCommand(state.text)]]) {
  const button = $(id), name = button.textContent;
  button.addEventListener('click', async () => {
    await copy(await make(), what);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = name; }, 1200);
  });
}
$('wav').addEventListener('click', async () => {
  const progress = $('wav-progress'), link = $('wav-link');
  $('wav').disabled = true;
  progress.hidden = false;
  link.hidden = true;
  try {
    const made = await sources.render(state.text, { wav: true }, (share) => { progress.value = share; });
    if (link.href) URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(new Blob([made.wav], { type: 'audio/wav' }));
    link.download = `${(made.description.title || 'scene').toLowerCase().replace(/[^a-z0-9]+/g, '-')}.wav`;
    link.textContent = `${link.download}, ${made.seconds.toFixed(1)} s, ${(made.wav.length / 1e6).toFixed(1)} MB`;
    link.hidden = false;
    const verdicts = made.failure ? [{ severity: 'failure', sentence: made.failure }, ...made.verdicts] : made.verdicts;
    $('wav-verdict').replaceChildren(...verdicts.map((v) => {
      const row = document.createElement('li');
      row.className = v.severity;
      row.textContent = v.sentence;
      return row;
    }));
    say('the sound file is ready');
  } catch (error) {
    $('wav-verdict').textContent = error.message;
  }
  progress.hidden = true;
  $('wav').disabled = false;
});

// ------------------------------------------------------------------------------------------------- buttons, tabs, keys

$('play').addEventListener('click', begin);
$('stop').addEventListener('click', () => {
  heardNow?.stop();
  state.next = {};  // nor does what is being opened begin
  if (!state.sounding) return;
  state.sounding = damped = false;
  state.voices = 0;
  player.stop();
  $('play').textContent = 'Play';
  $('pitch').textContent = '';
  if (film) return;
  $('slow').setAttribute('aria-pressed', 'false');
  stage.values = stage.lit = null;
  stage.draw();
});
$('strike').addEventListener('click', () => acts.hit(null));
let microphone = null;
$('microphone').addEventListener('click', async () => {
  const button = $('microphone');
  try {
    if (microphone) {
      for (const track of microphone.mediaStream.getTracks()) track.stop();
      microphone.disconnect();
      microphone = null;
    } else if (await sounding()) {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false } });
      microphone = player.context.createMediaStreamSource(stream);
      microphone.connect(player.node);
    }
  } catch (error) {
    say(`The microphone was refused: ${error.message}`);
  }
  button.setAttribute('aria-pressed', String(Boolean(microphone)));
});
$('volume').addEventListener('input', () => { if (player) player.output.gain.setTargetAtTime(volume(), player.context.currentTime, 0.02); });

const tabs = [...document.querySelectorAll('[role=tab]')];
function select(tab) {
  for (const one of tabs) {
    one.setAttribute('aria-selected', String(one === tab));
    one.tabIndex = one === tab ? 0 : -1;
    $(one.getAttribute('aria-controls')).hidden = one !== tab;
  }
  number();
}
tabs.forEach((tab, i) => {
  tab.addEventListener('click', () => select(tab));
  tab.addEventListener('keydown', (e) => {
    const go = { ArrowRight: tabs[(i + 1) % tabs.length], ArrowLeft: tabs[(i + tabs.length - 1) % tabs.length] }[e.key];
    if (!go) return;
    select(go);
    go.focus();
    e.preventDefault();
  });
});
// Keys wait for the sound, one after the other: none is let go before it is pressed.
let turn = Promise.resolve();
const inTurn = (act, wakes = true) => {
  turn = turn.then(async () => { if (state.scene?.instrument && (wakes ? await sounding() : state.sounding)) act(); }).catch(fail);
};
const keys = new Keys($('keyboard'), {
  on: (key, velocity) => inTurn(() => player.on(key, velocity)),
  off: (key) => inTurn(() => player.off(key), false),
  midi: (bytes) => {
    const kept = [...bytes];
    inTurn(() => player.midi(kept), !((kept[0] & 0xf0) === 0x80 || ((kept[0] & 0xf0) === 0x90 && kept[2] === 0)));
  },
});
$('midi').addEventListener('click', () => keys.connect((text) => { $('midi-state').textContent = text; }));

const presetTexts = new Map(), sceneTexts = new Map();  // as they are served
async function preset(name) {
  if (!presetTexts.has(name)) {
    const response = await fetch(new URL(`${name}.toml`, scenesUrl));
    if (!response.ok) throw new Error(`${name}.toml cannot be fetched: ${response.status}`);
    presetTexts.set(name, await response.text());
  }
  return presetTexts.get(name);
}
function setPreset(name, about) {
  state.preset = name;
  for (const button of $('presets').children) button.setAttribute('aria-current', String(button.dataset.name === name));
  $('about').textContent = about;
}
async function choose(name, sound = state.sounding) {
  closeFilm();
  setPreset(name, presets.find(([id]) => id === name)?.[2] ?? '');
  try {
    await open(await preset(name), { sound });
  } catch (error) {
    fail(error);
  }
}
for (const [name, title] of presets) {
  const button = document.createElement('button');
  button.type = 'button';
  button.dataset.name = name;
  button.textContent = title;
  button.addEventListener('click', () => choose(name, true));
  $('presets').append(button);
}
async function arrive() {
  const { scene, name = scene } = /^#(?:scene=(?<scene>[a-z0-9-]+)|(?<name>[a-z0-9-]+))$/.exec(location.hash)?.groups ?? {};
  try {
    const text = await textOf(location.hash);
    if (text !== null) {
      setPreset('', 'A scene from a link.');
      return await open(text, { sound: state.sounding });
    }
  } catch {
    fail('The link holds no scene that can be read; here is another one.');
  }
  if (!scene && presets.some(([id]) => id === name)) return choose(name);
  if (name) {
    const response = await fetch(new URL(`all/${name}.toml`, scenesUrl));
    if (response.ok) {
      const text = await response.text();
      setPreset('', '');
      sceneTexts.set(name, text);
      return open(text, { sound: state.sounding });
    }
  }
  return choose(presets[0][0]);
}
addEventListener('hashchange', arrive);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  force.clear();
  stage.draw();
  energy.draw();
  spectrum.draw();
});

const why = missing();
if (why) {
  fail(why);
  $('play').disabled = true;
} else {
  arrive().then(() => {
    document.documentElement.dataset.ready = 'true';
    energy.draw();
    spectrum.draw();
  });
}
window.jawariState = state;  // for tests, and for people with a console
