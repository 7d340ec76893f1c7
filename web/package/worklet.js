// SPDX-License-Identifier: MIT
// Plays engines and instruments in an AudioWorklet.  Scenes are opened elsewhere (opener.js): what arrives is the memory
// of an instance in which a scene is open, so that a new scene costs the audio thread an instance and a copy of that memory.  The old one
// fades out meanwhile.  Once a scene plays, nothing is allocated: neither in the engine nor here, where every object, array and
// message has been made beforehand.  Pictures travel in buffers that come back, or, where the page may share memory with
// this thread, in two halves of a memory that both see; films and states in buffers that the page brings.
/* global AudioWorkletProcessor, registerProcessor, sampleRate, currentTime */
import { Engine, Instrument, Library, ledgerNumbers } from './core.js';

const fadeFrames = 1024, headNumbers = 16;  // of a picture: frame, voices that sound, then the ledger
const failedAt = ledgerNumbers.indexOf('failed'), timeAt = ledgerNumbers.indexOf('time');

class Slot {
  constructor(module, m) {
    this.id = m.id;
    this.library = new Library(module, m.image);
    this.engine = m.engine ? new Engine(this.library, m.engine) : null;
    this.instrument = m.instrument ? new Instrument(this.library, m.instrument) : null;
    this.players = [this.engine, this.instrument].filter(Boolean);
    this.player = this.players[0];
    // Beside an engine an instrument is played from the first message for it on, and heard from the first note on.
    this.stirred = this.heard = !(this.engine && this.instrument);
    this.rest = m.rested ? new Uint8Array(this.instrument.keepState()) : null;  // what its strings have come to
    this.restBytes = this.rest ? this.instrument.readState(this.rest) : 0;
    this.gain = m.gain ?? 1;
    this.fresh = fadeFrames;
    this.sounds = this.players.map((player) => Array.from({ length: player.channels }, () => new Float32Array(128)));
    this.ledger = new Float64Array(ledgerNumbers.length);
    this.sum = new Float64Array(ledgerNumbers.length);
    this.size = headNumbers + this.players.reduce((size, player) => size + player.pictureSize, 0);
    this.stateBytes = this.players.map((player) => player.keepState());
    this.written = this.stateBytes.map(() => 0);
    this.bytes = this.library.memory.buffer.byteLength;
    this.allocations = this.library.allocations;
  }
  /** Adds its sound to out, from frame `at` on, while its gain goes from one number to another. */
  play(out, at, frames, from, to, input) {
    for (let p = 0; p < this.players.length; ++p) {
      const channels = this.sounds[p];
      if (p > 0 && !this.stirred) continue;
      this.players[p].processInto(channels, frames, input, at);
      if (p > 0 && !this.heard) continue;
      for (let c = 0; c < out.length; ++c) {
        const source = channels[c < channels.length ? c : 0], target = out[c];
        for (let i = 0; i < frames; ++i) target[at + i] += this.gain * (from + (to - from) * i / frames) * source[i];
      }
    }
  }
  /** Back to the beginning. */
  reset() {
    for (let p = 0; p < this.players.length; ++p) this.players[p].reset();
    if (this.rest) this.instrument.writeState(this.rest, this.restBytes);
    this.stirred = this.heard = this.players.length < 2;
  }
  /** Frame, energies of all that sounds, displacements, forces, movers. */
  draw(to, frame) {
    const { sum, ledger } = this;
    for (let p = 0; p < (this.stirred ? this.players.length : 1); ++p) {
      this.players[p].readLedger(ledger);
      for (let i = 0; i < sum.length; ++i) sum[i] = p === 0 ? ledger[i] : i === timeAt ? sum[i] : i === failedAt ? Math.max(sum[i], ledger[i]) : sum[i] + ledger[i];
    }
    to[0] = frame;
    to[1] = this.instrument ? this.instrument.sounding : 0;
    for (let i = 0; i < sum.length; ++i) to[2 + i] = sum[i];
    let at = headNumbers;
    for (let p = 0; p < this.players.length; ++p) {
      this.players[p].readPicture(to, at);
      at += this.players[p].pictureSize;
    }
  }
}

class JawariProcessor extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    this.module = processorOptions.module;
    this.sharing = Boolean(processorOptions.shared);
    this.slot = null;
    this.old = null;
    this.fade = 0;
    this.frame = 0;
    this.every = Math.max(1, Math.round(sampleRate / 128 / (processorOptions.pictures ?? 60)));
    this.blocks = 0;
    this.buffers = [];
    this.film = null;
    this.heard = false;
    this.message = { type: 'picture', id: 0, buffer: null };
    this.moved = [null];
    this.port.onmessage = (event) => {
      try {
        this.told(event.data);
      } catch (error) {
        this.port.postMessage({ type: 'error', text: String(error.message ?? error) });
      }
    };
  }

  /** What plays fades away. */
  stop() {
    if (!this.slot) return;
    this.old = this.slot;
    this.fade = fadeFrames;
    this.slot = this.film = null;
  }
  begin(m) {
    this.stop();
    const slot = this.slot = new Slot(this.module, m);
    this.buffers = [];
    this.message.id = m.id;
    this.shared = null;
    if (this.sharing) {
      const memory = new SharedArrayBuffer(4 * (1 + 2 * slot.size));
      this.shared = { count: new Int32Array(memory, 0, 1), halves: [0, 1].map((half) => new Float32Array(memory, 4 * (1 + half * slot.size), slot.size)), memory };
    } else {
      for (let i = 0; i < 3; ++i) this.buffers.push(new Float32Array(slot.size));
    }
    this.port.postMessage({ type: 'playing', id: m.id, bytes: slot.bytes, pictureSize: slot.player.pictureSize, size: slot.size, stateBytes: slot.stateBytes, shared: this.shared?.memory ?? null });
  }
  told(m) {
    const { slot } = this, { type } = m;
    if (type === 'image') return this.begin(m);
    if (!slot) return;
    if (type === 'buffer') {
      if (m.buffer.length === slot.size && this.buffers.length < 3) this.buffers.push(m.buffer);
    } else if (type === 'send') {
      slot.player.send(m.event, m.body, m.value, m.duration);
    } else if (type === 'stop') {
      this.stop();
    } else if (type === 'set') {
      if (m.parameter >= 0) slot.player.set(m.parameter, m.value, m.glide);
      if (m.others && m.others.length > 0) slot.stirred = true;
      if (m.others && slot.instrument) for (let i = 0; i < m.others.length; ++i) slot.instrument.set(m.others[i], m.value * (m.factors?.[i] ?? 1), m.glide);
    } else if (type === 'note') {
      slot.stirred = true;
      slot.heard = slot.heard || m.note === 0;
      slot.instrument?.write(m.note, 0, m.channel, m.index, m.id, m.key, m.value);
    } else if (type === 'midi') {
      slot.stirred = true;
      slot.heard = slot.heard || (m.bytes[0] & 0xf0) === 0x90;
      slot.instrument?.midi(m.bytes[0], m.bytes[1] ?? 0, m.bytes[2] ?? 0);
    } else if (type === 'gain') {
      slot.gain = m.gain;
    } else if (type === 'reset') {
      slot.reset();
    } else if (type === 'film') {
      if (m.pictures.length === m.count * slot.player.pictureSize) this.film = { player: slot.player, every: m.every, at: 0, count: m.count, pictures: m.pictures, sound: m.sound };
    } else if (type === 'judge') {
      this.sendState(m.buffer, m.question);
    }
  }
  /** The state of all that sounds goes to where it is judged or gone on from, which takes time and memory. */
  sendState(buffer, question) {
    const { slot } = this, to = new Uint8Array(buffer);
    let at = 0;
    for (let p = 0; p < slot.players.length; ++p) {
      slot.written[p] = at + slot.stateBytes[p] <= to.length ? slot.players[p].readState(to, at) : 0;
      at += slot.written[p];
    }
    this.port.postMessage({ type: 'state', id: slot.id, question, buffer, bytes: slot.written, grown: slot.library.memory.buffer.byteLength - slot.bytes, allocations: slot.library.allocations - slot.allocations }, [buffer]);
  }

  process(inputs, outputs) {
    const { slot } = this, out = outputs[0], frames = out[0].length, input = inputs.length > 0 && inputs[0].length > 0 ? inputs[0] : null;
    if (this.film) {
      this.playFilm(out, frames, input);
    } else if (!slot) {
      if (this.fade === 0) return true;
    } else if (this.fade > 0) {
      const from = 1 - slot.fresh / fadeFrames;
      slot.fresh = Math.max(0, slot.fresh - frames);
      slot.play(out, 0, frames, from, 1 - slot.fresh / fadeFrames, input);
    } else {
      slot.play(out, 0, frames, 1, 1, input);
    }
    if (this.fade > 0 && this.old) {
      const next = Math.max(0, this.fade - frames);
      this.old.play(out, 0, frames, this.fade / fadeFrames, next / fadeFrames, input);
      this.fade = next;
      if (next === 0) this.old = null;
    }
    if (!slot) return true;
    this.frame += frames;
    if (!this.heard) this.listen(out, frames);
    if (++this.blocks % this.every === 0) this.show();
    return true;
  }
  listen(out, frames) {
    for (let i = 0; i < frames && !this.heard; ++i) {
      if (out[0][i] === 0) continue;
      this.heard = true;
      this.port.postMessage({ type: 'sound', time: currentTime + i / sampleRate });
    }
  }
  playFilm(out, frames, input) {
    const { film, slot } = this, piece = film.every, size = film.player.pictureSize;
    for (let at = 0; at < frames; at += piece) {
      const n = Math.min(piece, frames - at);
      slot.play(out, at, n, 1, 1, input);
      if (film.at >= film.count) continue;
      film.player.readPicture(film.pictures, film.at * size);
      for (let i = 0; i < n; ++i) film.sound[film.at * piece + i] = out[0][at + i];
      ++film.at;
    }
    if (film.at < film.count) return;
    this.film = null;
    this.port.postMessage({ type: 'film', id: slot.id, every: film.every, count: film.count, size, pictures: film.pictures, sound: film.sound, rate: sampleRate }, [film.pictures.buffer, film.sound.buffer]);
  }
  /** A picture, into the half that is not read, or sent if a buffer is at hand. */
  show() {
    const { slot, shared } = this;
    if (shared) {
      const next = Atomics.load(shared.count, 0) + 1;
      slot.draw(shared.halves[next & 1], this.frame);
      Atomics.store(shared.count, 0, next);
      return;
    }
    if (this.buffers.length === 0) return;
    const buffer = this.buffers.pop();
    slot.draw(buffer, this.frame);
    this.message.buffer = buffer;
    this.moved[0] = buffer.buffer;
    this.port.postMessage(this.message, this.moved);
    this.message.buffer = this.moved[0] = null;
  }
}
registerProcessor('jawari', JawariProcessor);
