// SPDX-License-Identifier: MIT
// The engine without anything that only pages or only Node.js have: this file also runs in an AudioWorklet, which knows
// no TextDecoder, no fetch and no URL.  Structs are laid out as include/jawari/c_api.h says, in 32 bits.

const events = ['strike', 'pluck', 'press', 'release', 'damp', 'move', 'retune'];
const noteTypes = ['on', 'off', 'cut', 'tuning', 'pressure', 'timbre', 'volume', 'pan', 'expression', 'vibrato', 'bend',
  'bendRange', 'pedal', 'sostenuto', 'legato', 'mpeZone', 'resetControllers', 'notesOff', 'soundOff', 'panic',
  'control', 'modulation'];
const qualities = ['draft', 'standard', 'high'];
const kinds = ['frequency', 'tuning', 'damping', 'stiffness', 'height', 'coefficient', 'normal', 'gain', 'amplitude', 'position', 'listening', 'force'];
const statusBad = -1, statusNotFound = -3, statusFailed = -7;
const errorBytes = 4096, pieceFrames = 512, mostNotes = 128, noteBytes = 32;

/** What was refused, and where: `line` of the scene (0: none), the file it is in; path of the field, its value, what is allowed. */
export class JawariError extends Error {
  constructor(message, status = statusBad, { path = '', value = '', allowed = '', sentence = message } = {}) {
    super(message);
    this.name = 'JawariError';
    Object.assign(this, { status, path, value, allowed, sentence });
    const place = /^([^\s:]+):(\d+): /.exec(message);
    this.line = place ? Number(place[2]) : 0;
    this.file = place ? place[1] : '';
  }
}

function toUtf8(text) {
  const bytes = [];
  for (const character of text) {
    const c = character.codePointAt(0);
    if (c < 0x80) bytes.push(c);
    else if (c < 0x800) bytes.push(0xc0 | (c >> 6), 0x80 | (c & 63));
    else if (c < 0x10000) bytes.push(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
    else bytes.push(0xf0 | (c >> 18), 0x80 | ((c >> 12) & 63), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
  }
  return bytes;
}
function fromUtf8(bytes, at) {
  let text = '';
  for (;;) {
    const b = bytes[at++];
    if (b === 0 || b === undefined) return text;
    if (b < 0x80) text += String.fromCharCode(b);
    else if (b < 0xe0) text += String.fromCharCode(((b & 31) << 6) | (bytes[at++] & 63));
    else if (b < 0xf0) text += String.fromCharCode(((b & 15) << 12) | ((bytes[at++] & 63) << 6) | (bytes[at++] & 63));
    else text += String.fromCodePoint(((b & 7) << 18) | ((bytes[at++] & 63) << 12) | ((bytes[at++] & 63) << 6) | (bytes[at++] & 63));
  }
}

/** The library in a WebAssembly.Instance of its own.  `image`: the memory of another one, which this one goes on with. */
export class Library {
  constructor(module, image = null) {
    const imports = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
      if (kind !== 'function') throw new JawariError(`the module imports ${name}, which is no function`);
      if (!imports[from]) imports[from] = {};
      imports[from][name] = name === 'emscripten_notify_memory_growth' ? () => {}
        : name === 'proc_exit' ? (code) => { throw new JawariError(`the library ended with ${code}`); }
          : () => 52;  // WASI: not there
    }
    this.instance = new WebAssembly.Instance(module, imports);
    this.x = this.instance.exports;
    this.memory = this.x.memory;
    if (image) {
      const missing = image.byteLength - this.memory.buffer.byteLength;
      if (missing > 0) this.memory.grow(Math.ceil(missing / 65536));
      new Uint8Array(this.memory.buffer).set(new Uint8Array(image));
    } else {
      (this.x._initialize ?? this.x.__wasm_call_ctors)?.();
    }
  }

  /** Views of the memory, which are made anew when it has grown. */
  get u8() { return this.views().bytes; }
  get u32() { return this.views().words; }
  get f32() { return this.views().floats; }
  get f64() { return this.views().doubles; }
  views() {
    const { buffer } = this.memory;
    if (this.seen?.buffer !== buffer)
      this.seen = { buffer, bytes: new Uint8Array(buffer), words: new Uint32Array(buffer), floats: new Float32Array(buffer), doubles: new Float64Array(buffer) };
    return this.seen;
  }
  alloc(bytes) {
    const at = this.x.jawari_web_alloc(bytes);
    if (!at) throw new JawariError('there is not enough memory');
    return at;
  }
  free(at) { this.x.jawari_web_free(at); }
  /** How often memory has been allocated since the instance was made. */
  get allocations() { return this.x.jawari_web_allocations(); }
  text(at) { return at ? fromUtf8(this.u8, at) : ''; }
  /** Calls f(address, bytes) with a text in memory, ended by a zero. */
  withText(text, f) {
    const bytes = toUtf8(text), at = this.alloc(bytes.length + 1);
    try {
      this.u8.set(bytes, at);
      this.u8[at + bytes.length] = 0;
      return f(at, bytes.length);
    } finally {
      this.free(at);
    }
  }
  /** A text of unknown length from f(address, size), which returns how much it needs. */
  longText(f) {
    const size = Number(f(0, 0));
    if (size <= 0) return '';
    const at = this.alloc(size);
    try {
      f(at, size);
      return this.text(at);
    } finally {
      this.free(at);
    }
  }

  get version() { return this.text(this.x.jawari_version()); }
  get versionNumber() { return this.x.jawari_version_number(); }
  statusText(status) { return this.text(this.x.jawari_status_text(status)); }

  /** A file that scenes may name from now on: text, or bytes. */
  addFile(name, content) {
    const bytes = typeof content === 'string' ? toUtf8(content) : content, at = this.alloc(bytes.length || 1);
    this.u8.set(bytes, at);
    this.withText(name, (text) => this.x.jawari_web_add_file(text, at, bytes.length));
    this.free(at);
  }
  forgetFiles() { this.x.jawari_web_forget_files(); }

  /** Names of the schemes that serve every contact of a scene. */
  schemes(scene) {
    return this.withText(scene, (text, length) => this.text(this.x.jawari_web_schemes(text, length))).split(' ').filter(Boolean);
  }

  writeOptions(at, { channels = 1, oversample = 0, rate = 0, memoryMB = 0, setupS = 0, kernels = 1 }) {
    this.x.jawari_options_init(at);
    const words = this.u32, doubles = this.f64;
    words[(at + 4) >> 2] = channels;
    words[(at + 12) >> 2] = oversample;
    doubles[(at + 16) >> 3] = rate;
    doubles[(at + 32) >> 3] = memoryMB;
    doubles[(at + 40) >> 3] = setupS;
    words[(at + 48) >> 2] = kernels;
  }
  /** The error of the call before, with what was refused as data. */
  refused(status, text) {
    const bytes = 28, at = this.alloc(bytes), word = (i) => this.text(this.u32[(at >> 2) + i]);
    try {
      this.u32[at >> 2] = bytes;
      const known = this.x.jawari_last_error(at) === 0;
      return new JawariError(text || this.statusText(status), status, known ? { path: word(2), value: word(3), allowed: word(4), sentence: word(5) } : {});
    } finally {
      this.free(at);
    }
  }
  opened(scene, bytes, options, call) {
    if (typeof scene !== 'string') throw new JawariError(`the scene is a ${typeof scene}, but must be a text`);
    const at = this.alloc(bytes + 8 + errorBytes), handle = at + bytes, error = handle + 8;
    try {
      const status = this.withText(scene, (text, length) => call(text, length, at, handle, error));
      if (status !== 0) throw this.refused(status, this.text(error));
      return this.u32[handle >> 2];
    } finally {
      this.free(at);
    }
  }
  /** Calls f(address, count) with what strings begin with in memory, laid out as jawari_web_start. */
  withStarts(starts, f) {
    if (starts.length === 0) return f(0, 0);
    const names = starts.map((s) => [...toUtf8(s.string), 0]), size = starts.reduce((sum, s, i) => sum + 32 + 16 * (s.u?.length ?? 0) + names[i].length, 0), at = this.alloc(size);
    const { u8, u32, f64 } = this;
    let to = at + 32 * starts.length;
    starts.forEach(({ u = [], v = null, position = 0, height = 0 }, i) => {
      const from = at + 32 * i;
      u32[(from + 4) >> 2] = u.length;
      u32[(from + 8) >> 2] = to;
      f64.set(u, to >> 3);
      to += 8 * u.length;
      u32[(from + 12) >> 2] = v ? to : 0;
      f64.set(v ?? u, to >> 3);
      to += 8 * u.length;
      f64[(from + 16) >> 3] = position;
      f64[(from + 24) >> 3] = height;
    });
    names.forEach((bytes, i) => {
      u32[(at + 32 * i) >> 2] = to;
      u8.set(bytes, to);
      to += bytes.length;
    });
    try {
      return f(at, starts.length);
    } finally {
      this.free(at);
    }
  }
  /** An engine that plays a scene.  Throws JawariError with the sentence that refuses it, and its line. */
  open(scene, options = {}) {
    const quality = options.quality === undefined ? -1 : qualities.indexOf(options.quality);
    if (quality < 0 && options.quality !== undefined)
      throw new JawariError(`quality is "${options.quality}", but must be one of ${qualities.join(', ')}`);
    const handle = this.opened(scene, 56, options, (text, length, at, to, error) => {
      this.writeOptions(at, options);
      return this.withText(options.scheme ?? '', (scheme) => this.withStarts(options.starts ?? [], (starts, count) => this.x.jawari_web_open(text, length, at, quality, scheme, options.events === false ? 0 : 1, starts, count, to, error, errorBytes)));
    });
    const engine = new Engine(this, handle);
    engine.scene = JSON.parse(this.text(this.x.jawari_web_description()));
    return engine;
  }
  /** An instrument: a scene with [voice] that is played by notes. */
  openInstrument(scene, options = {}) {
    const handle = this.opened(scene, 80, options, (text, length, at, to, error) => {
      this.x.jawari_instrument_options_init(at);
      this.writeOptions(at + 8, { channels: 2, ...options });
      this.u32[(at + 4) >> 2] = options.voices ?? 0;
      if (options.lowestKey !== undefined) this.f64[(at + 64) >> 3] = options.lowestKey;
      if (options.highestKey !== undefined) this.f64[(at + 72) >> 3] = options.highestKey;
      return this.x.jawari_instrument_open(text, length, at, to, error, errorBytes);
    });
    return new Instrument(this, handle);
  }
  /** Frequencies of 128 keys: "12-tet", "just", "tanpura", "sitar", "pythagorean", "meantone". */
  tuning(name, tonicKey = 0, a4Hz = 440) {
    return this.tuned((at, error) => this.withText(name, (text) => this.x.jawari_tuning_by_name(text, tonicKey, a4Hz, at, error, errorBytes)));
  }
  /** The same from the texts of Scala files; without a mapping middle C is the first degree. */
  tuningFromScala(scl, kbm = null) {
    return this.tuned((at, error) => this.withText(scl, (text, length) => this.withText(kbm ?? '', (map, mapLength) =>
      this.x.jawari_tuning_from_scala(text, length, kbm === null ? 0 : map, mapLength, at, error, errorBytes))));
  }
  tuned(call) {
    const at = this.alloc(1024 + errorBytes);
    try {
      const status = call(at, at + 1024);
      if (status !== 0) throw this.refused(status, this.text(at + 1024));
      return this.f64.slice(at >> 3, (at >> 3) + 128);
    } finally {
      this.free(at);
    }
  }

  /** Laws and schemes that scenes can name: [{ name, text, source, keys }]. */
  laws() { return this.kindList('law'); }
  allSchemes() { return this.kindList('scheme'); }
  kindList(what) {
    const { x } = this, at = this.alloc(48), [info, key] = [x[`jawari_${what}_info`], x[`jawari_${what}_key`]], list = [];
    for (let i = 0; i < x[`jawari_${what}_count`](); ++i) {
      this.u32[at >> 2] = 20;
      info(i, at);
      const count = this.u32[(at + 4) >> 2], [name, text, source] = [8, 12, 16].map((to) => this.text(this.u32[(at + to) >> 2])), keys = [];
      for (let k = 0; k < count; ++k) {
        this.u32[at >> 2] = 48;
        key(i, k, at);
        const { u32, f64 } = this;
        keys.push({ name: this.text(u32[(at + 8) >> 2]), symbol: this.text(u32[(at + 12) >> 2]), unit: this.text(u32[(at + 16) >> 2]), text: this.text(u32[(at + 20) >> 2]),
          required: u32[(at + 4) >> 2] === 1, least: f64[(at + 24) >> 3], most: f64[(at + 32) >> 3], usual: f64[(at + 40) >> 3] });
      }
      list.push({ name, text, source, keys });
    }
    this.free(at);
    return list;
  }
}

/** What engines and instruments share: blocks of sound in memory, and what is read. */
class Player {
  constructor(library, handle, engine, channels) {
    this.library = library;
    this.handle = handle;
    this.engine = engine;
    this.channels = channels;
    const { x } = library;
    this.rate = x.jawari_rate_hz(engine);
    this.latency = x.jawari_latency(engine);
    this.sound = library.alloc(channels * pieceFrames * 8);
    this.pointers = library.alloc(channels * 4);
    for (let c = 0; c < channels; ++c) library.u32[(this.pointers >> 2) + c] = this.sound + c * pieceFrames * 8;
    this.inputs = x.jawari_inputs(engine);
    this.inputLatency = x.jawari_input_latency(engine);
    this.room = this.inputs > 0 ? Math.max(2, this.inputs) : 0;
    this.heard = this.room > 0 ? library.alloc(this.room * (pieceFrames * 8 + 4)) : 0;
    this.heardPointers = this.heard + this.room * pieceFrames * 8;
    for (let c = 0; c < this.room; ++c) library.u32[(this.heardPointers >> 2) + c] = this.heard + c * pieceFrames * 8;
    this.scratch = library.alloc(128);
    this.pictureSize = x.jawari_web_picture_size(engine);
    this.pictureAt = library.alloc(this.pictureSize * 4 + 8);
    this.view = x.jawari_web_view_open(engine);
  }
  /** Fills arrays, one per channel, all Float32Array or all Float64Array; makes no garbage.  False: the motion has failed.
      `input`: arrays of the same kind with sound that comes in, from frame `inputAt` on, for scenes that have inputs. */
  processInto(out, frames = out[0].length, input = null, inputAt = 0) {
    const wide = out[0] instanceof Float64Array, heard = input ? Math.min(input.length, this.room) : 0;
    let fine = true;
    for (let at = 0; at < frames; at += pieceFrames) {
      const count = Math.min(pieceFrames, frames - at);
      if (heard > 0) this.hear(input, heard, wide, inputAt + at, count);
      fine = this.block(wide, count, heard) === 0 && fine;
      const memory = wide ? this.library.f64 : this.library.f32;
      for (let c = 0; c < out.length; ++c) {
        const from = (this.sound + c * pieceFrames * 8) >> (wide ? 3 : 2), to = out[c];
        for (let i = 0; i < count; ++i) to[at + i] = memory[from + i];
      }
    }
    return fine;
  }
  hear(input, channels, wide, from, count) {
    const memory = wide ? this.library.f64 : this.library.f32;
    for (let c = 0; c < channels; ++c) {
      const at = (this.heard + c * pieceFrames * 8) >> (wide ? 3 : 2), source = input[c];
      for (let i = 0; i < count; ++i) memory[at + i] = source[from + i];
    }
  }
  /** So many frames as new arrays, one per channel. */
  process(frames, Kind = Float32Array, input = null) {
    const out = Array.from({ length: this.channels }, () => new Kind(frames));
    if (frames > 0) this.processInto(out, frames, input);
    return out;
  }
  /** Samples of sound that came in and were no numbers, or beyond 16 times full scale. */
  get replacedInput() { return Number(this.library.x.jawari_replaced_input(this.engine)); }
  /** Displacements of all shapes, forces at all barriers, where masses and hands are: in the order of the description. */
  readPicture(to, at = 0) {
    this.library.x.jawari_web_picture(this.engine, this.view, this.pictureAt);
    const memory = this.library.f32, from = this.pictureAt >> 2;
    for (let i = 0; i < this.pictureSize; ++i) to[at + i] = memory[from + i];
    return to;
  }
  /** Memory for readState; returns how many bytes that needs. */
  keepState() {
    this.stateSize = this.library.x.jawari_state_bytes(this.engine);
    this.stateAt = this.stateAt ?? this.library.alloc(this.stateSize + 8);
    return this.stateSize;
  }
  /** Writes the whole state into bytes from `at` on, without garbage; how many it has written. */
  readState(to, at = 0) {
    const { x } = this.library, from = this.stateAt + 8;
    if (x.jawari_save(this.engine, from, this.stateSize, this.stateAt) !== 0) return 0;
    const memory = this.library.u8, count = this.library.u32[this.stateAt >> 2];
    for (let i = 0; i < count; ++i) to[at + i] = memory[from + i];
    return count;
  }
  /** Goes back to what readState has written, without garbage. */
  writeState(from, count) {
    const { x } = this.library, to = this.stateAt + 8, memory = this.library.u8;
    for (let i = 0; i < count; ++i) memory[to + i] = from[i];
    this.check(x.jawari_load(this.engine, to, count, 0, 0));
  }
  /** Goes on where the engine was that saved the state; it must play the same scene with the same options. */
  load(state) {
    const { library } = this, at = library.alloc(state.length + errorBytes);
    try {
      library.u8.set(state, at);
      const status = library.x.jawari_load(this.engine, at, state.length, at + state.length, errorBytes);
      if (status !== 0) throw new JawariError(library.text(at + state.length) || library.statusText(status), status);
    } finally {
      library.free(at);
    }
  }

  get failed() { return this.library.x.jawari_failed(this.engine) === 1; }
  get failure() { return this.library.longText((at, size) => this.library.x.jawari_failure(this.engine, at, size)); }
  get time() { return this.library.x.jawari_time_s(this.engine); }
  /** What should not be trusted about the run so far: [{ severity, sentence }], worst first. */
  judge() {
    const text = this.library.longText((at, size) => this.library.x.jawari_judge(this.engine, at, size));
    return text.split('\n').filter(Boolean).map((line) => {
      const colon = line.indexOf(': ');
      return { severity: line.slice(0, colon), sentence: line.slice(colon + 2) };
    });
  }

  names(count, name) { return Array.from({ length: count }, (_, i) => this.library.text(name(i))); }
  get bodies() {
    const { x } = this.library;
    this.bodyNames = this.bodyNames ?? this.names(x.jawari_body_count(this.engine), (i) => x.jawari_body_name(this.engine, i));
    return this.bodyNames;
  }
  get channelNames() { return this.names(this.channels, (i) => this.library.x.jawari_channel_name(this.engine, i)); }
  /** [{ name, pan }] */
  get pickups() {
    const { x } = this.library;
    return this.names(x.jawari_pickup_count(this.engine), (i) => x.jawari_pickup_name(this.engine, i)).map((name, i) => ({ name, pan: x.jawari_pickup_pan(this.engine, i) }));
  }
  /** What contacts have done so far: [{ name, impacts, touchingSteps, largestForce, fewestSamples }] */
  contacts() {
    const { library } = this, { x } = library, at = this.scratch;
    return Array.from({ length: x.jawari_contact_count(this.engine) }, (_, i) => {
      library.u32[at >> 2] = 48;
      this.check(x.jawari_contact_info(this.engine, i, at));
      const [impacts, touchingSteps, largestForce, fewestSamples] = library.f64.subarray((at + 16) >> 3, (at + 48) >> 3);
      return { name: library.text(library.u32[(at + 8) >> 2]), impacts, touchingSteps, largestForce, fewestSamples };
    });
  }
  get parameterNames() { return this.parameters().map((p) => p.name); }
  /** [{ name, unit, text, least, most, value, start, kind }] */
  parameters() {
    const { library } = this, { x } = library, at = this.scratch, list = [];
    for (let i = 0; i < x.jawari_parameter_count(this.engine); ++i) {
      library.u32[at >> 2] = 64;
      x.jawari_parameter_info(this.engine, i, at);
      const words = library.u32, doubles = library.f64;
      list.push({ name: library.text(words[(at + 8) >> 2]), unit: library.text(words[(at + 12) >> 2]), text: library.text(words[(at + 16) >> 2]),
        least: doubles[(at + 24) >> 3], most: doubles[(at + 32) >> 3], value: doubles[(at + 40) >> 3],
        start: doubles[(at + 48) >> 3], kind: kinds[words[(at + 56) >> 2]] });
    }
    return list;
  }
  body(name) {
    if (typeof name === 'number') return name;
    const i = this.bodies.indexOf(name);
    if (i < 0) throw new JawariError(`there is no body "${name}", but there are ${this.bodies.join(', ')}`, statusNotFound);
    return i;
  }
  parameter(name) {
    if (typeof name === 'number') return name;
    this.parameterIndex = this.parameterIndex ?? new Map(this.parameters().map((p, i) => [p.name, i]));
    const i = this.parameterIndex.get(name);
    if (i === undefined) throw new JawariError(`there is no parameter "${name}", but there are ${[...this.parameterIndex.keys()].join(', ')}`, statusNotFound);
    return i;
  }
  check(status) { if (status < 0) throw new JawariError(this.library.statusText(status), status); }
  /** An event for a body: 'strike', 'pluck', 'press', 'release', 'damp', 'move' or 'retune'; value in SI units. */
  send(event, body, value = 0, duration = 0, offset = 0) {
    const type = typeof event === 'number' ? event : events.indexOf(event);
    if (type < 0) throw new JawariError(`the event is "${event}", but must be one of ${events.join(', ')}`);
    this.check(this.library.x.jawari_send(this.engine, type, this.body(body), value, duration, offset));
  }
  /** A new value for a parameter, reached after `glide` seconds. */
  set(parameter, value, glide = 0.02, offset = 0) {
    this.check(this.library.x.jawari_set(this.engine, this.parameter(parameter), value, glide, offset));
  }
  /** The energy account [J]: stored + dissipated - injected stays what it was at the start. */
  ledger() {
    const { library } = this, at = this.scratch;
    library.u32[at >> 2] = 112;
    this.check(library.x.jawari_read_ledger(this.engine, at));
    const d = library.f64, from = (at >> 3) + 1;
    const [time, kinetic, elastic, bending, modulation, load, contact, dissipated, injected, start, largest, residual, worstResidual] = d.subarray(from, from + 13);
    return { failed: library.u32[(at + 4) >> 2] === 1, time, kinetic, elastic, bending, modulation, load, contact, dissipated, injected, start, largest, residual, worstResidual,
      stored: kinetic + elastic + bending + modulation + load + contact };
  }
  /** Writes the 14 numbers of the account into an array of 14 doubles, without garbage: see ledgerNumbers. */
  readLedger(to) {
    const { library } = this, at = this.scratch;
    library.u32[at >> 2] = 112;
    library.x.jawari_read_ledger(this.engine, at);
    const d = library.f64;
    for (let i = 1; i < 14; ++i) to[i] = d[(at >> 3) + i];
    to[0] = library.u32[(at + 4) >> 2];
  }
  /** What every body and contact stores, and what its account is off by [J]. */
  accounts() {
    const { library } = this, { x } = library, count = x.jawari_account_count(this.engine), at = library.alloc(count * 16 + 8);
    try {
      this.check(x.jawari_read_accounts(this.engine, at, at + count * 8, count));
      return Array.from({ length: count }, (_, i) => ({ name: library.text(x.jawari_account_name(this.engine, i)),
        contact: x.jawari_account_is_contact(this.engine, i) === 1, stored: library.f64[(at >> 3) + i], residual: library.f64[(at >> 3) + count + i] }));
    } finally {
      library.free(at);
    }
  }
  release() {
    for (const at of [this.sound, this.pointers, this.scratch, this.heard, this.pictureAt, this.stateAt ?? 0]) this.library.free(at);
    this.library.x.jawari_web_view_close(this.view);
    this.handle = 0;
  }
}
export const ledgerNumbers = ['failed', 'time', 'kinetic', 'elastic', 'bending', 'modulation', 'load', 'contact', 'dissipated', 'injected', 'start', 'largest', 'residual', 'worstResidual'];

export class Engine extends Player {
  constructor(library, handle) { super(library, handle, handle, library.x.jawari_channels(handle)); }
  block(wide, frames, heard = 0) {
    const { x } = this.library;
    if (heard > 0) return (wide ? x.jawari_process_input_f64 : x.jawari_process_input_f32)(this.handle, this.pointers, frames, this.heardPointers, heard);
    return wide ? x.jawari_process_f64(this.handle, this.pointers, frames) : x.jawari_process_f32(this.handle, this.pointers, frames);
  }
  /** Frames of the whole scene, by its duration. */
  get frames() { return Number(this.library.x.jawari_frames(this.handle)); }
  /** The scene from its start to its end, an array per channel, without the delay of oversampling; silence where the motion has failed. */
  render(Kind = Float32Array) {
    const { library, channels, frames } = this, wide = Kind === Float64Array, size = wide ? 8 : 4, at = library.alloc(channels * (frames * size + 4)), pointers = at + channels * frames * size;
    try {
      for (let c = 0; c < channels; ++c) library.u32[(pointers >> 2) + c] = at + c * frames * size;
      const status = (wide ? library.x.jawari_render_f64 : library.x.jawari_render_f32)(this.handle, pointers, frames);
      if (status !== statusFailed) this.check(status);
      return Array.from({ length: channels }, (_, c) => new Kind(library.memory.buffer.slice(at + c * frames * size, at + (c + 1) * frames * size)));
    } finally {
      library.free(at);
    }
  }
  /** Displacements [m] and velocities [m/s] of all strings, for `starts` of an engine that goes on from here.  Plays two frames. */
  motion() {
    const { library } = this, { x } = library, strings = this.scene.shapes.map((s, i) => ({ ...s, i })).filter((s) => s.string);
    const longest = strings.reduce((most, s) => Math.max(most, s.x.length), 1), at = library.alloc(8 * longest);
    const read = () => strings.map((s) => {
      x.jawari_web_shape(this.engine, s.i, at);
      return library.f64.slice((at >> 3) + 1, (at >> 3) + s.x.length - 1);
    });
    const before = read();
    this.block(true, 1);
    const now = read();
    this.block(true, 1);
    const after = read();
    library.free(at);
    return strings.map((s, k) => ({ string: s.name, u: now[k], v: now[k].map((_, i) => (after[k][i] - before[k][i]) * this.rate / 2) }));
  }
  /** Back to the state after opening, bit for bit. */
  reset() { this.check(this.library.x.jawari_reset(this.handle)); }
  /** The whole state as bytes, also in the middle of a contact. */
  save() {
    const { library } = this, size = library.x.jawari_state_bytes(this.handle), at = library.alloc(size + 8);
    try {
      this.check(library.x.jawari_save(this.handle, at + 8, size, at));
      return library.u8.slice(at + 8, at + 8 + library.u32[at >> 2]);
    } finally {
      library.free(at);
    }
  }
  close() {
    if (!this.handle) return;
    this.library.x.jawari_close(this.handle);
    this.release();
  }
}

export class Instrument extends Player {
  constructor(library, handle) {
    const engine = library.x.jawari_web_instrument_engine(handle);
    super(library, handle, engine, library.x.jawari_channels(engine));
    this.notes = library.alloc(mostNotes * noteBytes);
    this.bytes = library.alloc(64);
    this.waiting = 0;
  }
  block(wide, frames, heard = 0) {
    const { x } = this.library, count = this.waiting;
    this.waiting = 0;
    if (heard > 0) return (wide ? x.jawari_instrument_process_input_f64 : x.jawari_instrument_process_input_f32)(this.handle, this.pointers, frames, this.heardPointers, heard, this.notes, count);
    return wide ? x.jawari_instrument_process_f64(this.handle, this.pointers, frames, this.notes, count)
      : x.jawari_instrument_process_f32(this.handle, this.pointers, frames, this.notes, count);
  }
  /** Something for the block that comes next: `type` as in noteTypes, `frame` from its start. */
  note(type, { key = 60, value = 0, channel = 0, id = -1, index = 0, frame = 0 } = {}) {
    const number = typeof type === 'number' ? type : noteTypes.indexOf(type);
    if (number < 0) throw new JawariError(`the note is "${type}", but must be one of ${noteTypes.join(', ')}`);
    this.write(number, frame, channel, index, id, key, value);
  }
  /** The same by numbers, without garbage. */
  write(type, frame, channel, index, id, key, value) {
    if (this.waiting >= mostNotes) throw new JawariError(`${mostNotes} notes wait for one block, and there is room for no more`, -5);
    const at = this.notes + noteBytes * this.waiting++, { u8, u32, f64 } = this.library;
    u32[at >> 2] = frame;
    u8[at + 4] = type;
    u8[at + 5] = channel & 255;
    u8[at + 6] = index & 255;
    u8[at + 7] = index >> 8;
    u32[(at + 8) >> 2] = id;
    u32[(at + 12) >> 2] = 0;
    f64[(at + 16) >> 3] = key;
    f64[(at + 24) >> 3] = value;
  }
  on(key, velocity = 0.8, options = {}) { this.note('on', { ...options, key, value: velocity }); }
  off(key, options = {}) { this.note('off', { ...options, key, value: 0.5 }); }
  /** Bytes of MIDI, also with MPE. */
  midi(b0, b1, b2) {
    const { u8 } = this.library;
    u8[this.bytes] = b0;
    u8[this.bytes + 1] = b1;
    u8[this.bytes + 2] = b2;
    return this.library.x.jawari_instrument_send_midi(this.handle, this.bytes, (b0 & 0xe0) === 0xc0 ? 2 : 3);
  }
  get voices() { return this.library.x.jawari_instrument_voices(this.handle); }
  get sounding() { return this.library.x.jawari_instrument_sounding(this.handle); }
  get silent() { return this.library.x.jawari_instrument_silent(this.handle) === 1; }
  get tail() { return this.library.x.jawari_instrument_tail_s(this.handle); }
  get description() { return JSON.parse(this.library.text(this.library.x.jawari_web_describe_instrument(this.handle))); }
  /** Frequencies of the 128 keys [Hz]. */
  setTuning(hz) {
    const at = this.library.alloc(1024);
    this.library.f64.set(hz, at >> 3);
    const status = this.library.x.jawari_instrument_set_tuning(this.handle, at);
    this.library.free(at);
    this.check(status);
  }
  /** [{ name, text, unit, least, most, usual, value }]: what a player turns; set by note('control', { index, value }). */
  controls() {
    const { library } = this, at = this.scratch, list = [];
    for (let i = 0; i < library.x.jawari_instrument_control_count(this.handle); ++i) {
      library.u32[at >> 2] = 56;
      this.check(library.x.jawari_instrument_control_info(this.handle, i, at));
      const { u32, f64 } = library;
      list.push({ name: library.text(u32[(at + 8) >> 2]), text: library.text(u32[(at + 12) >> 2]), unit: library.text(u32[(at + 16) >> 2]),
        least: f64[(at + 24) >> 3], most: f64[(at + 32) >> 3], usual: f64[(at + 40) >> 3], value: f64[(at + 48) >> 3] });
    }
    return list;
  }
  reset() { this.check(this.library.x.jawari_instrument_reset(this.handle)); }
  close() {
    if (!this.handle) return;
    this.library.x.jawari_instrument_close(this.handle);
    this.library.free(this.notes);
    this.library.free(this.bytes);
    this.release();
  }
}
