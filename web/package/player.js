// SPDX-License-Identifier: MIT
// Plays scenes in a page: an AudioWorklet that sounds, a Worker that opens.
//   const player = await Player.create();            after a click: browsers start no sound without one
//   await player.open(sceneText);                     again and again; the old scene fades
//   player.send('pluck', 'finger', 0.003);            an event for a body
//   player.set('bridge.height_m', 1e-4);              a parameter that may change
//   player.on(60, 0.8); player.off(60);               keys, where the scene has a [voice]
//   microphone.connect(player.node);                  sound that comes in, where the scene has an input
//   player.onpicture = ({ ledger, values }) => ...;   60 times a second
import { compiled } from './index.js';
import { ledgerNumbers } from './core.js';

const headNumbers = 16;

/** A Worker that answers messages by their number. */
class Asked {
  constructor(url) {
    this.worker = new Worker(url, { type: 'module' });
    this.waiting = new Map();
    this.next = 1;
    this.worker.onmessage = ({ data }) => {
      const task = this.waiting.get(data.id);
      if (!task) return;
      if (data.progress !== undefined) return task.progress?.(data.progress);
      this.waiting.delete(data.id);
      if (!data.error) return task.resolve(data);
      task.reject(Object.assign(new Error(data.error.message), data.error));
    };
    this.worker.onerror = (e) => {
      for (const task of this.waiting.values()) task.reject(new Error(e.message || 'a Worker could not be started'));
      this.waiting.clear();
    };
  }
  ask(message, progress, moved = []) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, progress });
      this.worker.postMessage({ ...message, id }, moved);
    });
  }
  close() { this.worker.terminate(); }
}

/** Why this browser cannot play, as one sentence; empty if it can. */
export function missing() {
  if (typeof WebAssembly !== 'object') return 'This browser has no WebAssembly, which the engine needs.';
  const pairs = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
  if (!WebAssembly.validate(pairs)) return 'This browser has no SIMD in WebAssembly, which the engine needs: Chrome 91, Firefox 89, Safari 16.4 or newer have it.';
  if (typeof AudioContext !== 'function' || typeof AudioWorkletNode !== 'function')
    return window.isSecureContext === false ? 'Browsers play AudioWorklets over https or from localhost alone, and this page came another way.'
      : 'This browser has no AudioWorklet, which plays the engine.';
  return '';
}

export class Player {
  /** urls: { wasm, worklet, opener }, by default beside this file; files: { name: text } that scenes may include. */
  static async create({ context = null, urls = {}, files = {}, sources = new Opener({ urls, files }), latencyHint = 'interactive' } = {}) {
    const why = missing();
    if (why) throw new Error(why);
    const player = new Player();
    player.context = context ?? new AudioContext({ latencyHint });
    player.sources = sources;
    const [module] = await Promise.all([sources.module, player.context.audioWorklet.addModule(urls.worklet ?? new URL('./worklet.js', import.meta.url))]);
    player.node = new AudioWorkletNode(player.context, 'jawari', { numberOfInputs: 1, outputChannelCount: [2], processorOptions: { module, shared: self.crossOriginIsolated === true } });
    player.node.port.onmessage = ({ data }) => player.heard(data);
    player.node.onprocessorerror = () => player.onerror?.('the sound has stopped: the AudioWorklet failed');
    player.output = player.context.createGain();
    player.node.connect(player.output);
    player.output.connect(player.context.destination);
    return player;
  }
  constructor() {
    this.id = 0;
    this.started = new Map();
    this.onpicture = this.onfilm = this.onverdict = this.onsound = this.onerror = null;
    this.asked = new Map();
    this.questions = 0;
    this.parcel = this.shared = null;  // memory for a state on its way to be judged; pictures that both threads see
    this.look = () => this.seeShared();
  }

  /** Opens a scene in the Worker and plays it from then on.  Throws with the sentence that refuses it, and its line. */
  async open(scene, { quality = 'draft', scheme = '', gain = 1, voices = 0, engine = true, instrument = true, events = true, starts = [], goOn = false } = {}) {
    const after = goOn ? await this.state() : null;
    const answer = await this.sources.open(scene, { options: { quality, scheme, rate: this.context.sampleRate, events, starts }, engine, instrument, voices, after });
    return this.play(answer, gain);
  }
  /** Plays what an opener has opened. */
  play(answer, gain = 1) {
    const id = ++this.id;
    this.scene = answer;
    const playing = new Promise((resolve) => this.started.set(id, resolve));
    this.node.port.postMessage({ type: 'image', id, image: answer.image, engine: answer.engine, instrument: answer.instrument, rested: answer.rested, gain }, [answer.image]);
    this.index = new Map((answer.parameters ?? []).map((p, i) => [p.name, i]));
    return playing.then(() => answer);
  }
  get playing() { return this.context.state === 'running'; }
  resume() { return this.context.resume(); }

  send(event, body, value = 0, duration = 0) {
    const number = this.scene.bodies.indexOf(body);
    if (number < 0) throw new Error(`there is no body "${body}", but there are ${this.scene.bodies.join(', ')}`);
    this.node.port.postMessage({ type: 'send', event, body: number, value, duration });
  }
  /** A parameter of the scene, and of every voice that has a copy of it. */
  set(name, value, glide = 0.02) {
    const parameter = this.index.get(name) ?? -1;
    this.others = this.others ?? new WeakMap();
    let map = this.others.get(this.scene);
    if (!map) this.others.set(this.scene, map = new Map());
    if (!map.has(name)) {
      const dot = name.lastIndexOf('.'), part = name.slice(0, dot), key = name.slice(dot), own = this.scene.parameters?.[parameter];
      const found = (this.scene.voiceParameters ?? []).flatMap((p, i) => p.name.startsWith(part) && p.name.endsWith(key) && /^(-\d+)?$/.test(p.name.slice(part.length, p.name.length - key.length)) ? [{ i, p }] : []);
      // Places are stretched with the strings of voices.
      map.set(name, { numbers: found.map(({ i }) => i), factors: found.map(({ p }) => p.kind === 'position' && own ? p.most / own.most : 1) });
    }
    const others = map.get(name);
    if (parameter < 0 && others.numbers.length === 0) throw new Error(`there is no parameter "${name}"`);
    this.node.port.postMessage({ type: 'set', parameter, value, glide, others: others.numbers, factors: others.factors });
  }
  on(key, velocity = 0.8, { channel = 0, id = -1 } = {}) { this.node.port.postMessage({ type: 'note', note: 0, channel, index: 0, id, key, value: velocity }); }
  off(key, { channel = 0, id = -1 } = {}) { this.node.port.postMessage({ type: 'note', note: 1, channel, index: 0, id, key, value: 0.5 }); }
  control(index, value) { this.node.port.postMessage({ type: 'note', note: 20, channel: 0, index, id: -1, key: 0, value }); }
  midi(bytes) { this.node.port.postMessage({ type: 'midi', bytes }); }
  /** Back to the beginning of the scene: what happens by itself happens again. */
  silence() { this.node.port.postMessage({ type: 'reset' }); }
  /** The scene fades away and is played no more; another one may be opened. */
  stop() {
    ++this.id;  // what is still under way from it comes too late
    this.stateBytes = this.parcel = null;
    this.node.port.postMessage({ type: 'stop' });
  }
  gain(value) { this.node.port.postMessage({ type: 'gain', gain: value }); }
  /** Pictures of every few frames for a while from now on, and the sound of the same samples: onfilm. */
  film(seconds = 0.25, every = 8) {
    const count = Math.ceil(Math.round(seconds * this.context.sampleRate) / every), pictures = new Float32Array(count * this.pictureSize), sound = new Float32Array(count * every);
    this.node.port.postMessage({ type: 'film', every, count, pictures, sound }, [pictures.buffer, sound.buffer]);
  }
  /** The state of all that sounds, { opened, buffer, bytes }, from which a scene may go on; null where nothing plays. */
  state() {
    if (!this.stateBytes || !this.playing) return Promise.resolve(null);
    const buffer = new ArrayBuffer(this.stateBytes.reduce((sum, n) => sum + n, 0)), question = ++this.questions;
    return new Promise((resolve) => {
      this.asked.set(question, resolve);
      setTimeout(() => this.answered(question, null), 2000);  // the sound may be stopped; a loaded machine answers late
      this.node.port.postMessage({ type: 'judge', buffer, question }, [buffer]);
    });
  }
  answered(question, state) {
    this.asked.get(question)?.(state);
    this.asked.delete(question);
  }
  /** Asks what should not be trusted about the run so far, beside the audio thread: onverdict.  One question at a time. */
  judge() {
    const buffer = this.parcel;
    this.parcel = null;
    if (buffer) this.node.port.postMessage({ type: 'judge', buffer }, [buffer]);
  }
  async judged({ id, buffer, bytes, grown, allocations }) {
    const scene = this.scene;
    if (id === this.id) {
      const answer = await this.sources.judge(scene.opened, buffer, bytes);
      if (id === this.id && answer.verdicts) this.onverdict?.({ verdicts: answer.verdicts, grown, allocations });
      buffer = answer.buffer;
    }
    if (!this.stateBytes) return;
    const most = this.stateBytes.reduce((sum, n) => sum + n, 0);
    this.parcel = buffer?.byteLength === most ? buffer : new ArrayBuffer(most);
  }

  heard(m) {
    if (m.type === 'playing') {
      this.started.get(m.id)?.(m);
      this.started.delete(m.id);
      this.stateBytes = m.stateBytes;
      this.pictureSize = m.pictureSize;
      this.parcel = new ArrayBuffer(m.stateBytes.reduce((sum, n) => sum + n, 0));
      const looking = this.shared !== null;
      this.shared = m.shared && { count: new Int32Array(m.shared, 0, 1), halves: [0, 1].map((half) => new Float32Array(m.shared, 4 * (1 + half * m.size), m.size)), own: new Float32Array(m.size), seen: 0, id: m.id };
      if (this.shared && !looking) requestAnimationFrame(this.look);
    } else if (m.type === 'state') {
      if (m.question) this.answered(m.question, m.id === this.id ? { opened: this.scene.opened, buffer: m.buffer, bytes: m.bytes } : null);
      else this.judged(m).catch((error) => this.onerror?.(error.message));
    } else if (m.type === 'picture') {
      if (m.id === this.id && this.onpicture) this.onpicture(this.picture(m.buffer));
      this.node.port.postMessage({ type: 'buffer', buffer: m.buffer }, [m.buffer.buffer]);
    } else if (m.type === 'film') this.onfilm?.(m);
    else if (m.type === 'verdict') this.onverdict?.(m);
    else if (m.type === 'sound') this.onsound?.(m.time);
    else if (m.type === 'error') this.onerror?.(m.text);
  }
  /** The newest picture in memory that the audio thread writes while this one reads. */
  seeShared() {
    const { shared } = this;
    if (!shared || this.context.state === 'closed') return;
    requestAnimationFrame(this.look);
    const count = Atomics.load(shared.count, 0);
    if (count === shared.seen) return;
    shared.own.set(shared.halves[count & 1]);
    if (Atomics.load(shared.count, 0) !== count) return;  // it was written meanwhile: the next one will do
    shared.seen = count;
    if (shared.id === this.id) this.onpicture?.(this.picture(shared.own));
  }
  /** { frame, voices, ledger, values }: valid until the handler returns. */
  picture(buffer) {
    const ledger = {};
    ledgerNumbers.forEach((name, i) => { ledger[name] = buffer[2 + i]; });
    return { frame: buffer[0], voices: buffer[1], ledger, values: buffer.subarray(headNumbers) };
  }
  close() {
    this.node.disconnect();
    return this.context.close();
  }
}

/** Opens and renders scenes, without sound. */
export class Opener {
  constructor({ urls = {}, files = {} } = {}) {
    this.url = urls.opener ?? new URL('./opener.js', import.meta.url);
    this.files = files;
    this.opener = new Asked(this.url);
    this.module = compiled(urls.wasm).then(async (module) => {
      await this.opener.ask({ type: 'module', module, files });
      return module;
    });
    this.module.catch(() => {});
  }
  async open(scene, options) {
    await this.module;
    return this.opener.ask({ type: 'open', scene, files: this.files, ...options });
  }
  async schemes(scene) {
    await this.module;
    return (await this.opener.ask({ type: 'schemes', scene, files: this.files })).schemes;
  }
  /** All of a scene, as `jawari render --gain 1 --quality draft` plays it; a Worker of its own, so that it delays nothing. */
  async render(scene, options = {}, progress = null) {
    if (!this.renderer) {
      this.renderer = new Asked(this.url);
      this.rendering = this.module.then((module) => this.renderer.ask({ type: 'module', module, files: this.files }));
    }
    await this.rendering;
    return this.renderer.ask({ type: 'render', scene, files: this.files, ...options }, progress);
  }
  /** What should not be trusted about a run, from the state of what was opened; verdicts is null where that is open no more. */
  judge(opened, buffer, bytes) { return this.opener.ask({ type: 'judge', opened, buffer, bytes }, null, [buffer]); }
  /** Drops renderings that have not begun or ended. */
  stop() {
    this.renderer?.close();
    this.renderer = null;
  }
}
