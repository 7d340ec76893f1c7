// SPDX-License-Identifier: MIT
// What is read while it sounds: energy, contact force, spectrum and pitch, on canvases that follow their size and colours.

export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** A canvas with the pixels of its screen; draw(context, width, height) in units of the page. */
export class Panel {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    this.width = this.height = 0;
    new ResizeObserver(() => this.fit()).observe(canvas);
    this.fit();
  }
  fit() {
    const { clientWidth, clientHeight } = this.canvas, dense = Math.min(devicePixelRatio || 1, 2);
    if (clientWidth === this.width && clientHeight === this.height && this.dense === dense) return;
    [this.width, this.height, this.dense] = [clientWidth, clientHeight, dense];
    this.canvas.width = Math.max(1, Math.round(clientWidth * dense));
    this.canvas.height = Math.max(1, Math.round(clientHeight * dense));
    this.context.setTransform(dense, 0, 0, dense, 0, 0);
    this.onfit?.();
  }
}

/** "2.4 mm": a number with a prefix before its unit. */
export function withUnit(x, unit, digits = 3) {
  if (!Number.isFinite(x)) return '–';
  if (x === 0) return `0 ${unit}`;
  const steps = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'], [1e-12, 'p']];
  const [size, prefix] = steps.find(([s]) => Math.abs(x) >= s * 0.9995) ?? [1e-15, 'f'];
  const shown = Number((x / size).toPrecision(digits));
  return Math.abs(shown) < 0.001 ? `0 ${unit}` : `${shown} ${prefix}${unit}`;
}

/** Energies of the last seconds, stacked. */
export class EnergyPanel extends Panel {
  constructor(canvas) {
    super(canvas);
    this.rows = [];
    this.seconds = 6;
  }
  clear() { this.rows = []; }
  add(ledger) {
    this.rows.push([ledger.kinetic, ledger.elastic + ledger.modulation, ledger.bending, ledger.contact]);
    if (this.rows.length > this.seconds * 60) this.rows.shift();
  }
  draw() {
    const { context: c, width, height, rows } = this, count = this.seconds * 60;
    c.clearRect(0, 0, width, height);
    let top = 0;
    for (const r of rows) top = Math.max(top, r[0] + r[1] + r[2] + r[3]);
    c.strokeStyle = colour('grid');
    c.lineWidth = 1;
    for (let s = 0; s <= this.seconds; ++s) line(c, width * s / this.seconds, 0, width * s / this.seconds, height);
    if (!(top > 0)) return;
    const scale = (height - 16) / top, names = ['kinetic', 'elastic', 'bending', 'contact'], x = (i) => width * (count - rows.length + i) / count;
    const base = new Float64Array(rows.length);
    names.forEach((name, k) => {
      c.beginPath();
      for (let i = 0; i < rows.length; ++i) c.lineTo(x(i), height - (base[i] + rows[i][k]) * scale);
      for (let i = rows.length - 1; i >= 0; --i) c.lineTo(x(i), height - base[i] * scale);
      c.fillStyle = colour(name);
      c.globalAlpha = 0.85;
      c.fill();
      c.globalAlpha = 1;
      for (let i = 0; i < rows.length; ++i) base[i] += rows[i][k];
    });
    label(c, withUnit(top, 'J'), 4, 12);
    label(c, `${this.seconds} s`, width - 4, 12, 'right');
  }
}
function line(c, x0, y0, x1, y1) {
  c.beginPath();
  c.moveTo(x0, y0);
  c.lineTo(x1, y1);
  c.stroke();
}
export function label(c, text, x, y, align = 'left') {
  c.font = '11px system-ui, sans-serif';
  c.textAlign = align;
  c.fillStyle = colour('soft');
  c.fillText(text, x, y);
}

/** Largest force at every place, a column per picture, newest at the right; or all pictures of a film. */
export class ForcePanel extends Panel {
  constructor(canvas) {
    super(canvas);
    this.onfit = () => this.clear();
    this.most = 0;
    this.map = null;
  }
  /** count pictures: forceAt(picture, point) in N at places from 0 to 1.  Null: back to what sounds. */
  film(places, count, forceAt) {
    this.clear();
    this.map = null;
    if (!places || !places.length || this.width < 2) return;
    let most = 0;
    for (let k = 0; k < count; ++k) for (let n = 0; n < places.length; ++n) most = Math.max(most, Math.abs(forceAt(k, n)));
    const map = document.createElement('canvas'), c = map.getContext('2d'), ramp = colour('ramp').split(' ');
    map.width = Math.round(this.width);
    map.height = Math.round(this.height);
    const cell = Math.max(3, map.height / Math.max(24, places.length));
    for (let px = 0; px < map.width; ++px) {
      const first = Math.floor(px * count / map.width), last = Math.max(first + 1, Math.floor((px + 1) * count / map.width));
      for (let n = 0; n < places.length; ++n) {
        let force = 0;
        for (let k = first; k < last; ++k) force = Math.max(force, Math.abs(forceAt(k, n)));
        const share = most > 0 ? Math.sqrt(force / most) : 0;
        if (share < 0.02) continue;
        c.fillStyle = ramp[Math.min(ramp.length - 1, 1 + Math.floor(share * (ramp.length - 1)))];
        c.fillRect(px, map.height - places[n] * (map.height - cell) - cell, 1, cell);
      }
    }
    this.map = map;
    this.most = most;
  }
  /** The map of the film, and where in it (0 to 1) the picture is. */
  showFilm(at) {
    const { context: c, width, height, map } = this;
    if (!map) return;
    c.clearRect(0, 0, width, height);
    c.drawImage(map, 0, 0, width, height);
    c.fillStyle = colour('touch');
    c.fillRect(at * width - 1, 0, 2, height);
  }
  clear() {
    this.most = 0;
    this.context.clearRect(0, 0, this.width, this.height);
  }
  /** places: [[x from 0 to 1, force in N], ...] */
  add(places) {
    const { context: c, canvas, width, height } = this;
    if (width < 2 || this.map) return;
    c.save();
    c.setTransform(1, 0, 0, 1, 0, 0);
    const step = Math.max(1, Math.round(this.dense));
    c.globalCompositeOperation = 'copy';
    c.drawImage(canvas, -step, 0);
    c.restore();
    const ramp = colour('ramp').split(' ');
    let most = 0;
    for (const [, force] of places) most = Math.max(most, Math.abs(force));
    this.most = Math.max(most, this.most * 0.997);
    c.clearRect(width - 1, 0, 1, height);
    if (!(this.most > 0)) return;
    const cell = Math.max(3, height / Math.max(24, places.length));
    for (const [x, force] of places) {
      const share = Math.sqrt(Math.min(1, Math.abs(force) / this.most));
      if (share < 0.02) continue;
      c.fillStyle = ramp[Math.min(ramp.length - 1, 1 + Math.floor(share * (ramp.length - 1)))];
      c.fillRect(width - 1, height - x * (height - cell) - cell, 1, cell);
    }
  }
}

/** Spectrum of an AnalyserNode, and the pitch that is heard. */
export class SpectrumPanel extends Panel {
  constructor(canvas) {
    super(canvas);
    this.analyser = null;
  }
  listen(analyser) {
    analyser.fftSize = 8192;
    analyser.smoothingTimeConstant = 0.6;
    this.analyser = analyser;
    this.levels = new Float32Array(analyser.frequencyBinCount);
    this.signal = new Float32Array(4096);
  }
  draw() {
    const { context: c, width, height, analyser } = this, least = 40, most = 16000, low = -110, high = -10;
    c.clearRect(0, 0, width, height);
    const x = (hz) => width * Math.log(hz / least) / Math.log(most / least);
    c.strokeStyle = colour('grid');
    c.lineWidth = 1;
    for (const hz of [100, 1000, 10000]) {
      line(c, x(hz), 0, x(hz), height - 14);
      label(c, hz < 1000 ? `${hz} Hz` : `${hz / 1000} kHz`, x(hz), height - 3, 'center');
    }
    if (!analyser) return;
    analyser.getFloatFrequencyData(this.levels);
    const bin = analyser.context.sampleRate / analyser.fftSize, bottom = height - 15;
    c.beginPath();
    c.moveTo(0, bottom);
    let k = Math.floor(least / bin);
    for (let px = 0; px <= width; ++px) {
      const until = Math.min(this.levels.length - 1, Math.max(k + 1, Math.ceil(least * Math.pow(most / least, px / width) / bin)));
      let level = -200;
      for (; k < until; ++k) level = Math.max(level, this.levels[k]);
      k = Math.max(0, until - 1);
      c.lineTo(px, bottom - bottom * Math.min(1, Math.max(0, (level - low) / (high - low))));
    }
    c.lineTo(width, bottom);
    c.fillStyle = colour('mark');
    c.fill();
    c.strokeStyle = colour('accent');
    c.lineWidth = 1.3;
    c.stroke();
  }
  /** In Hz; 0: none.  The first high peak of the normalised autocorrelation. */
  pitch() {
    if (!this.analyser) return 0;
    this.analyser.getFloatTimeDomainData(this.signal);
    return pitchOf(this.signal, this.analyser.context.sampleRate);
  }
}
export function pitchOf(signal, rate) {
  const n = signal.length, window = n >> 1, longest = Math.min(window, Math.floor(rate / 35)), shortest = Math.floor(rate / 1500);
  let power = 0;
  for (let i = 0; i < window; ++i) power += signal[i] * signal[i];
  if (power < 1e-7 * window) return 0;
  const values = new Float32Array(longest + 2);
  for (let lag = 1; lag < longest + 2; ++lag) {
    let sum = 0, own = 0;
    for (let i = 0; i < window; i += 2) {
      sum += signal[i] * signal[i + lag];
      own += signal[i + lag] * signal[i + lag];
    }
    values[lag] = sum / Math.sqrt(Math.max(1e-20, own * power / 2));
  }
  let lag = 1;
  while (lag < longest && values[lag] > 0.3) ++lag;  // leaves the peak at zero
  let best = 0;
  for (let k = Math.max(lag, shortest); k <= longest; ++k) best = Math.max(best, values[k]);
  if (best < 0.75) return 0;
  for (let k = Math.max(lag, shortest); k <= longest; ++k)
    if (values[k] > 0.93 * best && values[k] >= values[k - 1] && values[k] >= values[k + 1]) {
      const [a, b, d] = [values[k - 1], values[k], values[k + 1]], bend = a - 2 * b + d;
      return rate / (k + (bend < 0 ? 0.5 * (a - d) / bend : 0));
    }
  return 0;
}
const names = ['C', 'C♯', 'D', 'E♭', 'E', 'F', 'F♯', 'G', 'A♭', 'A', 'B♭', 'B'];
export const keyName = (key) => `${names[((key % 12) + 12) % 12]}${Math.floor(key / 12) - 1}`;
export function pitchText(hz) {
  if (!(hz > 0)) return '';
  const key = 69 + 12 * Math.log2(hz / 440), near = Math.round(key), cents = Math.round(100 * (key - near));
  return `${hz.toFixed(1)} Hz, ${keyName(near)} ${cents >= 0 ? '+' : '−'}${Math.abs(cents)} cents`;
}
