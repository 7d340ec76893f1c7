// SPDX-License-Identifier: MIT
// Opens and renders scenes in a Worker, so that neither the page nor the sound waits.  Answers { id, ... } or { id, error }.
import { Engine, Library } from './core.js';
import { wavBytes } from './wav.js';

const mostOpen = 3;
let module = null, files = {};
const opened = [];  // { number, players }: those that were opened last, to judge their states
let count = 0;

function library() {
  const made = new Library(module);
  for (const [name, content] of Object.entries(files)) made.addFile(name, content);
  return made;
}
const report = (id, error) => ({ id, error: { line: 0, file: '', ...error, message: String(error.message ?? error) } });

/** How the strings of a run move, from the state of its engine; empty where that is open no more. */
function motionOf({ opened: number, buffer, bytes }) {
  const engine = opened.find((one) => one.number === number)?.players[0];
  if (!(engine instanceof Engine)) return [];
  engine.load(new Uint8Array(buffer, 0, bytes[0]));
  return engine.motion();
}
/** Strings that something presses from the start come to rest before they are played, as if a hand lay on them.  False: they were at rest. */
function rest(keys) {
  const out = Array.from({ length: keys.channels }, () => new Float32Array(512)), play = (seconds) => {
    for (let at = 0; at < seconds * keys.rate; at += 512) keys.processInto(out);
  };
  play(0.02);
  if (keys.silent) {
    keys.reset();
    return false;
  }
  const hands = keys.parameters().filter((p) => p.kind === 'damping');
  for (const p of hands) keys.set(p.name, Math.min(p.most, 100), 0);
  play(0.25);
  for (const p of hands) keys.set(p.name, p.value, 0);
  play(0.01);
  return true;
}
/** A scene in the memory of an instance: an engine of the scene as it stands, an instrument where it has a [voice], or both.
    Its strings go on as they move in the state `after`, but those of options.starts.  Not kept: its states are not asked about. */
function open({ id, scene, options = {}, engine = true, instrument = true, voices = 0, after = null, keep = true }) {
  const own = library(), start = performance.now(), starts = [...(after ? motionOf(after) : []), ...(options.starts ?? [])];
  const played = engine ? own.open(scene, { channels: 2, ...options, starts }) : null;
  const answer = { id, description: played?.scene ?? null };
  let keys = null;
  if (instrument && (!played || played.scene.voices > 0)) {
    keys = own.openInstrument(scene, { channels: 2, rate: options.rate ?? 0, voices });
    answer.instrument = keys.handle;
    answer.rested = rest(keys);
    answer.controls = keys.controls();
    answer.voices = keys.voices;
    answer.voiceDescription = keys.description;
    answer.voiceParameters = keys.parameters();
  }
  if (played) {
    answer.engine = played.handle;
    answer.bodies = played.bodies;
    answer.parameters = played.parameters();
    answer.accounts = played.accounts().map(({ name, contact }) => ({ name, contact }));
  }
  answer.milliseconds = performance.now() - start;
  // What core.js has allocated is made anew where the image is played; it stays in this memory, a few kilobytes.
  answer.image = own.memory.buffer.slice(0);
  answer.opened = ++count;
  if (!keep) return [answer, [answer.image]];
  opened.push({ number: count, players: [played, keys].filter(Boolean) });
  if (opened.length > mostOpen) opened.shift();
  return [answer, [answer.image]];
}

/** What there is to say against a run, worst first, from the states of the players that were opened together. */
function judge({ id, opened: number, buffer, bytes }) {
  const players = opened.find((one) => one.number === number)?.players, order = ['failure', 'warning', 'note'];
  if (!players) return [{ id, verdicts: null, buffer }, [buffer]];
  let at = 0;
  const verdicts = players.flatMap((player, i) => {
    player.load(new Uint8Array(buffer, at, bytes[i]));
    at += bytes[i];
    return player.judge();
  });
  const said = new Set(), worst = verdicts.sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  return [{ id, verdicts: worst.filter((v) => !said.has(v.sentence) && said.add(v.sentence)), buffer }, [buffer]];
}

/** All of a scene, as `jawari render` plays it: sound in full precision, account, verdict, largest forces. */
function render({ id, scene, options = {}, seconds = Infinity, wav = false }) {
  const own = library();
  let played = own.open(scene, { quality: 'draft', ...options, channels: 1 });
  const panned = played.scene.pickups.some((p) => p.pan !== 0);
  if (panned && options.channels !== 1) {
    played.close();
    played = own.open(scene, { quality: 'draft', ...options, channels: 2 });
  }
  const { latency, rate } = played, frames = Math.round(Math.min(played.scene.duration, seconds) * rate);
  const channels = Array.from({ length: played.channels }, () => new Float64Array(frames)), begun = performance.now();
  const piece = 4096;
  if (latency > 0) played.process(latency, Float64Array);
  const trail = [];
  for (let at = 0; at < frames; at += piece) {
    played.processInto(channels.map((c) => c.subarray(at, Math.min(at + piece, frames))));
    const l = played.ledger();
    trail.push([l.time, l.stored, l.dissipated, l.injected, l.residual]);
    postMessage({ id, progress: Math.min(1, (at + piece) / frames) });
  }
  const milliseconds = performance.now() - begun;
  const answer = { id, rate, seconds: frames / rate, ledger: played.ledger(), verdicts: played.judge(), failure: played.failure, trail, milliseconds, description: played.scene };
  if (wav) {
    answer.wav = wavBytes(channels, rate);
    return [answer, [answer.wav.buffer]];
  }
  answer.channels = channels;
  return [answer, channels.map((c) => c.buffer)];
}

onmessage = async ({ data: m }) => {
  try {
    if (m.type === 'module') {
      module = m.module ?? await WebAssembly.compile(await (await fetch(m.url)).arrayBuffer());
      files = m.files ?? {};
      postMessage({ id: m.id, module });
    } else if (m.files) {
      files = m.files;
    }
    if (m.type === 'open') {
      postMessage(...open(m));
    } else if (m.type === 'judge') {
      postMessage(...judge(m));
    } else if (m.type === 'render') {
      postMessage(...render(m));
    } else if (m.type === 'schemes') {
      postMessage({ id: m.id, schemes: library().schemes(m.scene) });
    }
  } catch (error) {
    postMessage(report(m.id, error));
  }
};
