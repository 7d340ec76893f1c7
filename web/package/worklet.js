// SPDX-License-Identifier: MIT
// Plays engines and instruments in an AudioWorklet.  Scenes are opened elsewhere (opener.js): what arrives is the memory
// of an instance in which a scene is open, so that a new scene costs the audio thread no more than a copy of that memory.  The old one fades out
// meanwhile.  Once a scene plays, nothing is allocated in the engine, and pictures travel in buffers that come back.
/* global AudioWorkletProcessor, registerProcessor, sampleRate, currentTime */
import { Engine, Instrument, Library, ledgerNumbers } from './core.js';

const fadeFrames = 1024, headNumbers = 16;  // of a picture: frame, frames that took too long, then the ledger

class Slot {
  constructor(module, m) {
    this.id = m.id;
    this.library = new Library(module, m.image);
    this.engine = m.engine ? new Engine(this.library, m.engine) : null;
    this.instrument = m.instrument ? new Instrument(this.library, m.instrument) : null;
    this.player = this.engine ?? this.instrument;
    this.gain = m.gain ?? 1;
    const make = (player) => player ? Array.from({ length: player.channels }, () => new Float32Array(128)) : [];
    this.sounds = [[this.engine, make(this.engine)], [this.instrument, make(this.instrument)]].filter(([player]) => player);
    this.ledger = new Float64Array(ledgerNumbers.length);
    this.bytes = this.library.memory.buffer.byteLength;
  }
  /** Adds its sound to out, which is stereo. */
  play(out, frames, from, to) {
    for (const [player, channels] of this.sounds) {
      player.processInto(channels);
      for (let c = 0; c < out.length; ++c) {
        const source = channels[c < channels.length ? c : 0], target = out[c];
        for (let i = 0; i < frames; ++i) target[i] += this.gain * (from + (to - from) * i / frames) * source[i];
      }
    }
  }
  get drawn() { return this.pictured ?? this.player; }
}

class JawariProcessor extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    this.module = processorOptions.module;
    this.slot = null;
    this.old = null;
    this.fade = 0;
    this.frame = 0;
    this.every = Math.max(1, Math.round(sampleRate / 128 / (processorOptions.pictures ?? 60)));
    this.blocks = 0;
    this.buffers = [];
    this.film = null;
    this.heard = false;
    this.port.onmessage = ({ data }) => {
      try {
        this.told(data);
      } catch (error) {
        this.port.postMessage({ type: 'error', text: String(error.message ?? error) });
      }
    };
  }

  told(m) {
    const { slot } = this;
    if (m.type === 'image') {
      this.old = this.slot;
      this.fade = this.old ? fadeFrames : 0;
      this.slot = new Slot(this.module, m);
      this.slot.fresh = fadeFrames;
      this.film = null;
      this.buffers = [];
      for (let i = 0; i < 3; ++i) this.buffers.push(new Float32Array(headNumbers + this.slot.player.pictureSize + (this.slot.instrument && this.slot.engine ? this.slot.instrument.pictureSize : 0)));
      this.port.postMessage({ type: 'playing', id: m.id, bytes: this.slot.bytes, pictureSize: this.slot.player.pictureSize });
      return;
    }
    if (m.type === 'buffer') {
      if (slot && m.buffer.length === this.size()) this.buffers.push(m.buffer);
      return;
    }
    if (!slot) return;
    if (m.type === 'send') slot.player.send(m.event, m.body, m.value, m.duration);
    else if (m.type === 'set') {
      if (m.parameter >= 0) slot.player.set(m.parameter, m.value, m.glide);
      if (m.others && slot.instrument) for (const i of m.others) slot.instrument.set(i, m.value, m.glide);
    } else if (m.type === 'sendVoice') slot.instrument?.send(m.event, m.body, m.value, m.duration);
    else if (m.type === 'note') slot.instrument?.write(m.note, 0, m.channel, m.index, m.id, m.key, m.value);
    else if (m.type === 'midi') slot.instrument?.midi(m.bytes[0], m.bytes[1] ?? 0, m.bytes[2] ?? 0);
    else if (m.type === 'gain') slot.gain = m.gain;
    else if (m.type === 'reset') { slot.engine?.reset(); slot.instrument?.reset(); }
    else if (m.type === 'film') {
      const player = m.voice && slot.instrument ? slot.instrument : slot.player, count = Math.ceil(m.frames / m.every);
      this.film = { player, every: m.every, at: 0, count, pictures: new Float32Array(count * player.pictureSize), sound: new Float32Array(count * m.every) };
    } else if (m.type === 'judge') {
      this.port.postMessage({ type: 'verdict', id: slot.id, verdicts: slot.player.judge(), bytes: slot.library.memory.buffer.byteLength, grown: slot.library.memory.buffer.byteLength - slot.bytes });
    }
  }
  size() {
    const { slot } = this;
    return headNumbers + slot.player.pictureSize + (slot.instrument && slot.engine ? slot.instrument.pictureSize : 0);
  }

  process(_, [out]) {
    const { slot } = this, frames = out[0].length;
    if (!slot) return true;
    if (this.film) {
      this.playFilm(out, frames);
    } else {
      const from = 1 - slot.fresh / fadeFrames;
      slot.fresh = this.fade > 0 ? Math.max(0, slot.fresh - frames) : 0;
      slot.play(out, frames, this.fade > 0 ? from : 1, 1 - slot.fresh / fadeFrames);
    }
    if (this.fade > 0 && this.old) {
      const next = Math.max(0, this.fade - frames);
      this.old.play(out, frames, this.fade / fadeFrames, next / fadeFrames);
      this.fade = next;
      if (next === 0) this.old = null;
    }
    this.frame += frames;
    if (!this.heard)
      for (let i = 0; i < frames; ++i)
        if (out[0][i] !== 0) {
          this.heard = true;
          this.port.postMessage({ type: 'sound', time: currentTime + i / sampleRate });
          break;
        }
    if (++this.blocks % this.every === 0) this.show();
    return true;
  }
  playFilm(out, frames) {
    const { film, slot } = this, piece = film.every;
    const parts = out.map(() => new Float32Array(piece));
    for (let at = 0; at < frames; at += piece) {
      const n = Math.min(piece, frames - at);
      for (const part of parts) part.fill(0);
      for (const [player, channels] of slot.sounds) {
        const shorter = channels.map((c) => c.subarray(0, n));
        player.processInto(shorter);
        for (let c = 0; c < parts.length; ++c)
          for (let i = 0; i < n; ++i) parts[c][i] += slot.gain * shorter[c < shorter.length ? c : 0][i];
      }
      for (let c = 0; c < out.length; ++c) out[c].set(parts[c].subarray(0, n), at);
      if (film.at < film.count) {
        const size = film.player.pictureSize;
        film.player.readPicture(film.pictures.subarray(film.at * size, (film.at + 1) * size));
        film.sound.set(parts[0].subarray(0, n), film.at * piece);
        ++film.at;
      }
    }
    if (film.at >= film.count) {
      this.film = null;
      this.port.postMessage({ type: 'film', id: slot.id, every: film.every, count: film.count, size: film.player.pictureSize, pictures: film.pictures, sound: film.sound, rate: sampleRate }, [film.pictures.buffer, film.sound.buffer]);
    }
  }
  /** Sends a picture, if a buffer is at hand. */
  show() {
    const buffer = this.buffers.pop();
    if (!buffer) return;
    const { slot } = this;
    slot.player.readLedger(slot.ledger);
    buffer[0] = this.frame;
    for (let i = 0; i < slot.ledger.length; ++i) buffer[2 + i] = slot.ledger[i];
    slot.player.readPicture(buffer.subarray(headNumbers, headNumbers + slot.player.pictureSize));
    if (slot.engine && slot.instrument) slot.instrument.readPicture(buffer.subarray(headNumbers + slot.player.pictureSize));
    this.port.postMessage({ type: 'picture', id: slot.id, buffer }, [buffer.buffer]);
  }
}
registerProcessor('jawari', JawariProcessor);
