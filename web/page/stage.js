// SPDX-License-Identifier: MIT
// The picture of a scene: strings from the side, surfaces from above at a slant, masses, and what can be moved.
// Displacements are magnified; the scale says how much, and follows what there is to see.
import { Panel, colour, label, withUnit } from './panels.js';

const marks = { barrier: '↕', fret: '↕', thread: '↕', plectrum: '▲', finger: '▼', hammer: '●', bolt: '■', rubber: '▬', rattle: '◆', pickup: '♪' };
const movable = new Set(Object.keys(marks));

export class Stage extends Panel {
  /** acts: grab(string, x), pull(string, x, height), pluck(part), strike(part), move(part, { x, y, height }, done), hit(x, y) */
  constructor(canvas, handles, acts) {
    super(canvas);
    this.handles = handles;
    this.acts = acts;
    this.scene = null;
    this.values = null;
    this.scale = 0;  // displacement at the edge [m]
    this.pull = null;
    this.dragged = null;
    this.place = 0.35;
    this.reach = 0.5;
    this.onfit = () => this.arrange();
    canvas.addEventListener('pointerdown', (e) => this.begin(e));
    canvas.addEventListener('pointermove', (e) => this.follow(e));
    for (const type of ['pointerup', 'pointercancel']) canvas.addEventListener(type, (e) => this.end(e));
    canvas.addEventListener('keydown', (e) => this.typed(e));
    canvas.addEventListener('focus', () => { this.focused = canvas.matches(':focus-visible'); });
    canvas.addEventListener('blur', () => { this.focused = false; });
  }

  /** A scene; the same one with something moved goes on as it is drawn. */
  show(scene, goesOn = false) {
    const { pull } = this;
    this.scene = scene;
    if (!goesOn) this.values = this.lit = null;  // lit: the forces of the last pictures, which fade
    this.pull = null;
    if (!goesOn) this.scale = 0;
    this.strings = scene.shapes.map((s, i) => ({ ...s, i })).filter((s) => s.y.length === 0);
    this.surface = scene.shapes.find((s) => s.y.length > 0) ?? null;
    const wires = new Set(scene.parts.filter((p) => p.kind === 'snare').map((p) => p.name));
    this.strings = this.strings.filter((s) => ![...wires].some((w) => s.name.startsWith(w)));
    if (this.strings.length) this.surface = null;
    const pulled = goesOn && pull ? this.strings.find((s) => s.name === pull.string.name) : null;
    if (pulled) this.pull = { ...pull, string: pulled };
    let at = 0;
    this.offsets = scene.shapes.map((s) => (at += s.x.length) - s.x.length);
    this.forceOffsets = scene.barriers.map((b) => (at += b.x.length) - b.x.length);
    this.moverOffset = at;
    this.voices = [];  // strings of the keys, in the picture of the instrument
    let voiceAt = at + scene.movers.length;
    for (const s of scene.voiceShapes ?? []) {
      if (s.y.length === 0) this.voices.push({ ...s, from: voiceAt });
      voiceAt += s.x.length;
    }
    this.parts = scene.parts.filter((p) => movable.has(p.kind) && this.stringOf(p) !== undefined);
    this.buttons();
    this.arrange();
  }
  stringOf(part) {
    const name = part.string ?? part.target ?? part.of;
    const string = this.strings?.find((s) => s.name === name);
    if (string && (part.position !== undefined || part.x !== undefined || part.centre !== undefined)) return string;
    if (this.surface && this.surface.name === name && part.x !== undefined) return this.surface;
    return undefined;
  }
  /** Where a part is along its string [m]. */
  along(part) {
    if (part.kind === 'barrier') return this.barrierMiddle(part);
    return part.position || part.x || 0;
  }
  barrierMiddle(part) {
    const drawn = this.scene.barriers.find((b) => b.name === part.name) ?? this.scene.barriers.find((b) => b.name === `${part.string}-barrier`);
    if (part.centre && !drawn?.points) return part.centre;
    if (!drawn || drawn.x.length === 0) return (part.from + part.to) / 2;
    return (drawn.x[0] + drawn.x.at(-1)) / 2;
  }

  buttons() {
    const { kind, name } = this.handles.contains(document.activeElement) ? document.activeElement.dataset : {};
    this.handles.replaceChildren();
    for (const part of this.parts) {
      const button = document.createElement('button'), says = document.createElement('span');
      button.type = 'button';
      button.dataset.kind = part.kind;
      button.dataset.name = part.name;
      button.dataset.mark = marks[part.kind];
      says.textContent = part.kind === 'pickup' ? 'what is heard' : part.name || part.kind;
      button.setAttribute('aria-label', `${part.kind} ${part.name}: ${this.helpOf(part)}`);
      button.append(says);
      button.addEventListener('pointerdown', (e) => this.take(e, part, button));
      button.addEventListener('pointermove', (e) => this.drag(e));
      for (const type of ['pointerup', 'pointercancel']) button.addEventListener(type, (e) => this.drop(e));
      button.addEventListener('keydown', (e) => this.nudge(e, part));
      this.handles.append(button);
      if (part.kind === kind && part.name === name) button.focus({ preventScroll: true });
    }
  }
  helpOf(part) {
    const acts = part.kind === 'hammer' ? 'Enter strikes, ' : part.kind === 'plectrum' ? 'Enter plucks, ' : '';
    return `${acts}arrow keys move it`;
  }
  arrange() {
    if (!this.scene) return;
    this.parts.forEach((part, i) => {
      const button = this.handles.children[i], { x, y } = this.screen(part);
      button.style.left = `${x}px`;
      button.style.top = `${y}px`;
    });
    this.draw();
  }

  // From metres to the screen.  Strings lie one below the other.
  lane(string) {
    const count = this.strings.length, k = this.strings.indexOf(string), height = this.height / count;
    return { middle: height * (k + (count === 1 ? 0.52 : 0.5)), half: height * (count === 1 ? 0.4 : 0.42), left: 26, width: Math.max(1, this.width - 52), length: string.x.at(-1) || 1 };
  }
  xOf(lane, x) { return lane.left + lane.width * x / lane.length; }
  yOf(lane, u) { return lane.middle - lane.half * u / (this.scale || 1e-3); }
  slanted(x, y, u = 0) {
    const s = this.surface;
    if (!this.bounds || this.bounds.surface !== s) {
      const range = (list) => [Math.min(...list), Math.max(...list)];
      this.bounds = { surface: s, x: range(s.x), y: range(s.y) };
    }
    const { x: [x0, x1], y: [y0, y1] } = this.bounds, w = Math.min(this.width * 0.66, this.height * 1.5), h = w * 0.42 * Math.min(1.2, (y1 - y0) / (x1 - x0));
    const a = (x - x0) / (x1 - x0) - 0.5, b = (y - y0) / (y1 - y0) - 0.5;
    return { x: this.width / 2 + w * (a + 0.16 * b), y: this.height * 0.62 - h * b - 40 * u / (this.scale || 1e-3) };
  }
  screen(part) {
    const body = this.stringOf(part);
    if (body === this.surface && body) {
      const at = this.slanted(part.x, part.y);
      return { x: at.x, y: at.y + (part.kind === 'hammer' ? -34 : part.kind === 'pickup' ? 0 : -10) };
    }
    const lane = this.lane(body), x = this.xOf(lane, this.along(part));
    if (part.kind === 'barrier' || part.kind === 'fret' || part.kind === 'thread') {
      const sign = part.above ? -1 : 1, y = this.yOf(lane, part.height || 0) + sign * (part.kind === 'barrier' ? 74 : 34);
      return { x, y: Math.min(this.height - 18, Math.max(18, y)) };
    }
    const above = part.kind === 'hammer' ? part.above : part.kind === 'finger' || part.kind === 'pickup' || part.kind === 'rattle';
    const far = part.kind === 'pickup' || part.kind === 'bolt' || part.kind === 'rattle' || part.kind === 'rubber' ? 0.86 : 0.96;
    return { x, y: above ? lane.middle - lane.half * far : lane.middle + lane.half * far };
  }

  /** sounding: how many voices of the keys. */
  picture(values, sounding = 0) {
    if (values.length < this.moverOffset) return;
    if (this.own?.length !== values.length) this.own = new Float32Array(values.length);
    this.own.set(values);  // the buffer goes back to the worklet
    this.values = this.own;
    this.sounding = sounding;
    const forces = this.moverOffset - (this.forceOffsets[0] ?? this.moverOffset);
    if (this.lit?.length !== forces) this.lit = new Float32Array(forces);
    for (let k = 0; k < forces; ++k) this.lit[k] = Math.max(Math.abs(values[this.forceOffsets[0] + k]), 0.8 * this.lit[k] - 1e-6);
    let most = 0;
    const shapes = this.surface ? [this.surface] : this.strings;
    for (const s of shapes) {
      const i = this.scene.shapes.findIndex((one) => one.name === s.name), from = this.offsets[i];
      for (let k = 0; k < s.x.length; ++k) most = Math.max(most, Math.abs(values[from + k]));
    }
    if (sounding > 0) for (const s of this.voices) for (let k = s.from; k < s.from + s.x.length; ++k) most = Math.max(most, Math.abs(values[k] ?? 0));
    for (const b of this.scene.barriers) if (!b.points) for (const h of b.height) if (h > 0) most = Math.max(most, h * 2);
    const wanted = Math.max(most * 1.25, this.surface ? 1e-6 : 4e-5);
    if (this.pull || this.dragged) return;
    if (!this.scale) this.scale = Math.max(wanted, this.surface ? 1e-6 : 5e-4);
    this.scale = wanted > this.scale ? wanted : this.scale + (wanted - this.scale) * 0.012;
    this.arrangeHeights();
  }
  arrangeHeights() {
    this.parts.forEach((part, i) => {
      if (!['barrier', 'fret', 'thread'].includes(part.kind)) return;
      this.handles.children[i].style.top = `${this.screen(part).y}px`;
    });
  }

  draw() {
    const { context: c, width, height, scene } = this;
    c.clearRect(0, 0, width, height);
    if (!scene) return;
    if (this.surface) this.drawSurface(c);
    else if (this.strings.length) for (const s of this.strings) this.drawString(c, s);
    else this.drawMasses(c);
    if (this.note) label(c, this.note, 8, 14);
    if (this.surface || this.strings.length) label(c, `height magnified: ${withUnit(this.scale || 1e-3, 'm', 2)} to the edge`, width - 8, 14, 'right');
  }
  drawString(c, s) {
    const lane = this.lane(s), i = this.scene.shapes.findIndex((one) => one.name === s.name), from = this.offsets[i], { values } = this;
    c.lineWidth = 1;
    c.strokeStyle = colour('grid');
    c.beginPath();
    c.moveTo(lane.left, lane.middle);
    c.lineTo(lane.left + lane.width, lane.middle);
    c.stroke();
    this.scene.barriers.forEach((b, k) => {
      if (b.shape !== i) return;
      const sign = b.above ? -1 : 1;
      c.fillStyle = colour('barrier');
      c.strokeStyle = colour('edge');
      c.lineWidth = 1.5;
      const shift = this.dragged?.part.name === b.name ? this.dragged.by : { x: 0, height: 0 };
      if (b.points || b.x.length < 2) {
        b.x.forEach((x, n) => {
          const px = this.xOf(lane, x + shift.x), py = this.yOf(lane, b.height[n] + shift.height);
          c.beginPath();
          c.moveTo(px - 4, py + sign * 18);
          c.quadraticCurveTo(px, py - sign * 2, px + 4, py + sign * 18);
          c.fill();
          c.stroke();
        });
      } else {
        c.beginPath();
        const foot = lane.middle + sign * lane.half;
        c.save();
        c.beginPath();
        c.rect(0, Math.min(lane.middle - lane.half, foot), this.width, 2 * lane.half);
        c.clip();
        c.beginPath();
        c.moveTo(this.xOf(lane, b.x[0] + shift.x), foot + sign * 9);
        b.x.forEach((x, n) => c.lineTo(this.xOf(lane, x + shift.x), clamp(this.yOf(lane, b.height[n] + shift.height), -9999, 9999)));
        c.lineTo(this.xOf(lane, b.x.at(-1) + shift.x), foot + sign * 9);
        c.closePath();
        c.fill();
        c.stroke();
        c.restore();
      }
      if (!values) return;
      for (let n = 0; n < b.x.length; ++n) {
        const at = this.forceOffsets[k] + n, force = Math.max(Math.abs(values[at]), this.lit?.[at - this.forceOffsets[0]] ?? 0);
        if (!(force > 0)) continue;
        const glow = Math.min(1, 0.35 + Math.log10(1 + force * 1e3) / 4);
        c.beginPath();
        c.arc(this.xOf(lane, b.x[n] + shift.x), this.yOf(lane, b.height[n] + shift.height), 2 + 4 * glow, 0, 7);
        c.globalAlpha = glow;
        c.fillStyle = colour('touch');
        c.fill();
        c.globalAlpha = 1;
      }
    });
    if (values && this.strings.length === 1 && this.sounding > 0)
      for (const v of this.voices) {
        let most = 0;
        for (let k = v.from; k < v.from + v.x.length; ++k) most = Math.max(most, Math.abs(values[k] ?? 0));
        if (most < 0.01 * this.scale) continue;
        c.beginPath();
        v.x.forEach((x, k) => c.lineTo(lane.left + lane.width * x / v.x.at(-1), this.yOf(lane, values[v.from + k])));
        c.strokeStyle = colour('tool');
        c.lineWidth = 1.4;
        c.stroke();
      }
    c.beginPath();
    if (this.pull?.string === s) {
      c.moveTo(lane.left, lane.middle);
      c.lineTo(this.xOf(lane, this.pull.x), this.yOf(lane, this.pull.height));
      c.lineTo(lane.left + lane.width, lane.middle);
    } else {
      for (let k = 0; k < s.x.length; ++k) c.lineTo(this.xOf(lane, s.x[k]), this.yOf(lane, values ? values[from + k] : 0));
    }
    c.strokeStyle = colour('string');
    c.lineWidth = 2;
    c.lineJoin = 'round';
    c.stroke();
    c.fillStyle = colour('string');
    for (const x of [lane.left, lane.left + lane.width]) {
      c.beginPath();
      c.arc(x, lane.middle, 4, 0, 7);
      c.fill();
    }
    if (this.pull?.string === s) this.dot(c, this.xOf(lane, this.pull.x), this.yOf(lane, this.pull.height), 'hand', 7);
    else if (this.focused) this.dot(c, this.xOf(lane, this.place * lane.length), lane.middle - lane.half * this.reach, 'hand', 6);
    this.drawMovers(c, lane, s);
    if (this.strings.length > 1) label(c, s.name, lane.left, lane.middle - 8);
  }
  dot(c, x, y, name, size) {
    c.beginPath();
    c.arc(x, y, size, 0, 7);
    c.fillStyle = colour(name);
    c.fill();
  }
  /** Masses, hammers and fingers that are near their string. */
  drawMovers(c, lane, s) {
    if (!this.values) return;
    this.scene.movers.forEach((channel, k) => {
      const name = channel.replace(/\.displacement_m$/, ''), part = this.scene.parts.find((p) => p.name === name && this.stringOf(p) === s);
      const u = this.values[this.moverOffset + k];
      if (!part || !Number.isFinite(u) || Math.abs(u) > 1.15 * this.scale) return;
      const x = this.xOf(lane, this.along(part)), y = this.yOf(lane, u), way = part.above || part.kind === 'finger' ? -1 : 1;
      c.beginPath();
      c.moveTo(x, y);
      c.lineTo(x - 6, y + way * 15);
      c.lineTo(x + 6, y + way * 15);
      c.closePath();
      c.fillStyle = colour(part.kind === 'hammer' ? 'tool' : 'hand');
      c.globalAlpha = 0.85;
      c.fill();
      c.globalAlpha = 1;
    });
  }
  drawSurface(c) {
    const s = this.surface, i = this.scene.shapes.findIndex((one) => one.name === s.name), from = this.offsets[i], { values } = this;
    if (this.meshed !== s) {
      this.meshed = s;
      this.edges = edgesOf(s);
    }
    const bins = 9, paths = Array.from({ length: bins }, () => new Path2D()), scale = this.scale || 1e-3;
    const points = s.x.map((x, k) => ({ ...this.slanted(x, s.y[k], values ? values[from + k] : 0), u: values ? values[from + k] : 0 }));
    for (const [a, b] of this.edges) {
      const share = clamp((points[a].u + points[b].u) / 2 / scale, -1, 1), path = paths[Math.round((share + 1) / 2 * (bins - 1))];
      path.moveTo(points[a].x, points[a].y);
      path.lineTo(points[b].x, points[b].y);
    }
    c.lineWidth = 1.2;
    c.lineCap = 'round';
    const [still, up, down] = [colour('edge'), colour('accent'), colour('tool')];
    paths.forEach((path, k) => {
      const share = 2 * k / (bins - 1) - 1;
      c.strokeStyle = `color-mix(in srgb, ${share > 0 ? up : down} ${Math.round(Math.min(1, Math.abs(share) * 1.4) * 100)}%, ${still})`;
      c.globalAlpha = 0.55 + 0.45 * Math.abs(share);
      c.stroke(path);
    });
    c.globalAlpha = 1;
    this.balls().forEach(({ height, x, y }) => {
      const foot = this.slanted(x ?? (this.bounds.x[0] + this.bounds.x[1]) / 2, y ?? (this.bounds.y[0] + this.bounds.y[1]) / 2);
      const up_ = Math.min(this.height * 0.55, height / Math.max(0.02, this.highest(height)) * this.height * 0.5);
      this.ball(c, foot.x, foot.y - 9 - Math.max(0, up_), foot.y);
    });
    this.scene.parts.filter((p) => p.kind === 'hammer').forEach((p) => {
      const k = this.scene.movers.indexOf(`${p.name}.displacement_m`), at = this.slanted(p.x, p.y), u = k >= 0 && values ? values[this.moverOffset + k] : 0;
      this.dot(c, at.x, at.y - 8 - clamp(u * 400, 0, 60), 'tool', 6);
    });
  }
  highest(height) { return this.top = Math.max(this.top ?? 0, height); }
  /** Free masses: where they are over what they fall on. */
  balls() {
    if (!this.scene) return [];
    return this.scene.parts.filter((p) => p.kind === 'mass').map((p) => {
      const k = this.scene.movers.indexOf(`${p.name}.displacement_m`), contact = this.scene.parts.find((one) => one.kind === 'contact' && one.bodies?.includes(p.name));
      return { name: p.name, height: this.values && k >= 0 ? this.values[this.moverOffset + k] : p.position, x: contact?.lowerX, y: contact?.lowerY };
    });
  }
  ball(c, x, y, floor) {
    const shade = Math.min(1, 26 / Math.max(6, floor - y));
    c.beginPath();
    c.ellipse(x, floor + 2, 9 + 5 * shade, 3 + 2 * shade, 0, 0, 7);
    c.fillStyle = colour('edge');
    c.globalAlpha = 0.25 + 0.4 * shade;
    c.fill();
    c.globalAlpha = 1;
    const light = c.createRadialGradient(x - 3, y - 4, 1, x, y, 10);
    light.addColorStop(0, '#ffffff');
    light.addColorStop(0.35, colour('tool'));
    light.addColorStop(1, colour('tool'));
    c.beginPath();
    c.arc(x, y, 10, 0, 7);
    c.fillStyle = light;
    c.fill();
  }
  drawMasses(c) {
    const { width, height } = this, floor = height * 0.72, middle = width / 2, w = Math.min(90, width * 0.18), deep = height * 0.24;
    c.strokeStyle = colour('edge');
    c.lineWidth = 2;
    c.beginPath();  // a glass, seen from the side
    c.ellipse(middle, floor, w, w * 0.2, 0, 0, 7);
    c.stroke();
    c.beginPath();
    c.moveTo(middle - w, floor);
    c.bezierCurveTo(middle - w, floor + deep * 0.8, middle - 8, floor + deep * 0.7, middle - 5, height - 4);
    c.moveTo(middle + w, floor);
    c.bezierCurveTo(middle + w, floor + deep * 0.8, middle + 8, floor + deep * 0.7, middle + 5, height - 4);
    c.stroke();
    this.balls().forEach(({ height: h }, k, all) => {
      const top = this.highest(h), x = middle + w * 0.86 + (k - (all.length - 1) / 2) * 26, foot = floor + w * 0.06;
      this.ball(c, x, foot - 11 - Math.max(0, h) / Math.max(1e-3, top) * (floor - 40), foot);
    });
  }

  // The pointer on the string.
  pointAt(e) {
    const box = this.canvas.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  }
  nearest(at) {
    return this.strings.reduce((best, s) => Math.abs(this.lane(s).middle - at.y) < Math.abs(this.lane(best).middle - at.y) ? s : best, this.strings[0]);
  }
  begin(e) {
    if (!this.scene || e.button > 0) return;
    const at = this.pointAt(e);
    this.canvas.setPointerCapture(e.pointerId);
    this.pointer = { id: e.pointerId, from: at, moved: false };
    if (this.strings.length) {  // strings and bars
      const string = this.nearest(at), lane = this.lane(string), x = clamp((at.x - lane.left) / lane.width, 0.01, 0.99) * lane.length;
      this.pointer.place = { string, x };
      if (!string.string) return;
      this.pull = { string, x, height: 0, y0: at.y };
      this.scale = Math.max(this.scale, 3e-3);
      this.acts.grab(string, x);
    }
  }
  follow(e) {
    if (!this.pointer || e.pointerId !== this.pointer.id) return;
    const at = this.pointAt(e);
    if (Math.hypot(at.x - this.pointer.from.x, at.y - this.pointer.from.y) > 5) this.pointer.moved = true;
    if (!this.pull) return;
    const lane = this.lane(this.pull.string);
    this.pull.x = clamp((at.x - lane.left) / lane.width, 0.01, 0.99) * lane.length;
    this.pull.height = clamp((this.pull.y0 - at.y) / lane.half, -0.95, 0.95) * this.scale;
    this.draw();
  }
  end(e) {
    if (!this.pointer || e.pointerId !== this.pointer.id) return;
    const { moved, from, place = null } = this.pointer, { pull } = this;
    this.pointer = this.pull = null;
    if (e.type === 'pointercancel') return;
    if (pull && moved && Math.abs(pull.height) > 2e-5) this.acts.pull(pull.string, pull.x, pull.height);
    else this.acts.hit(place ?? (this.surface ? this.unslanted(from) : null));
  }
  unslanted(at) {
    const { x: [x0, x1], y: [y0, y1] } = this.bounds, w = Math.min(this.width * 0.66, this.height * 1.5), h = w * 0.42 * Math.min(1.2, (y1 - y0) / (x1 - x0));
    const b = (this.height * 0.62 - at.y) / h, a = (at.x - this.width / 2) / w - 0.16 * b;
    return { surface: this.surface, x: x0 + (clamp(a, -0.47, 0.47) + 0.5) * (x1 - x0), y: y0 + (clamp(b, -0.47, 0.47) + 0.5) * (y1 - y0) };
  }
  typed(e) {
    const step = e.shiftKey ? 0.1 : 0.02, keys = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[e.key];
    if (keys) {
      this.place = clamp(this.place + keys[0], 0.01, 0.99);
      this.reach = clamp(this.reach + keys[1], -0.95, 0.95);
      this.focused = true;
      this.draw();
    } else if (e.key === 'Enter' && this.strings[0]?.string && !e.repeat) {
      const s = this.strings[0], x = this.place * s.x.at(-1);
      this.acts.grab(s, x);
      this.acts.pull(s, x, this.reach * Math.max(this.scale, 3e-3));
    } else if (e.key === 'Enter' && !e.repeat) {
      this.acts.hit(null);
    } else {
      return;
    }
    e.preventDefault();
  }

  // Handles.
  take(e, part, button) {
    if (e.button > 0) return;
    e.preventDefault();
    button.focus({ preventScroll: true });
    button.setPointerCapture(e.pointerId);
    this.dragged = { part, button, id: e.pointerId, from: this.pointAt(e), at: this.screen(part), by: { x: 0, y: 0, height: 0 }, moved: false };
  }
  drag(e) {
    const d = this.dragged;
    if (!d || e.pointerId !== d.id) return;
    const at = this.pointAt(e), dx = at.x - d.from.x, dy = at.y - d.from.y;
    if (!d.moved && Math.hypot(dx, dy) < 4) return;
    d.moved = true;
    const body = this.stringOf(d.part);
    if (body === this.surface && body) {
      const place = this.unslanted({ x: d.at.x + dx, y: this.slanted(d.part.x, d.part.y).y + dy });
      d.by = { x: place.x - d.part.x, y: place.y - d.part.y, height: 0 };
    } else {
      const lane = this.lane(body), high = ['barrier', 'fret', 'thread'].includes(d.part.kind);
      d.by = { x: Math.abs(dx) < 6 && high ? 0 : dx / lane.width * lane.length, y: 0, height: high ? -dy / lane.half * this.scale : 0 };
    }
    d.button.style.left = `${d.at.x + (d.by.x || d.by.y ? dx : 0)}px`;
    d.button.style.top = `${d.at.y + (d.by.height || d.by.y ? dy : 0)}px`;
    Object.assign(d.by, this.acts.move(d.part, d.by, false));
  }
  drop(e) {
    const d = this.dragged;
    if (!d || e.pointerId !== d.id) return;
    this.dragged = null;
    if (d.moved) this.acts.move(d.part, d.by, true);
    else if (e.type !== 'pointercancel') this.act(d.part);
    this.arrange();
  }
  act(part) {
    if (part.kind === 'hammer') this.acts.strike(part);
    if (part.kind === 'plectrum' || part.kind === 'finger') this.acts.pluck(part);
  }
  nudge(e, part) {
    const body = this.stringOf(part), size = body === this.surface ? 0.02 : (body.x.at(-1) || 1) * 0.01, high = (this.scale || 1e-3) / 25;
    const by = { ArrowLeft: { x: -size, y: 0, height: 0 }, ArrowRight: { x: size, y: 0, height: 0 }, ArrowUp: { x: 0, y: size, height: high }, ArrowDown: { x: 0, y: -size, height: -high } }[e.key];
    if (by) {
      if (body !== this.surface) by.y = 0;
      if (!['barrier', 'fret', 'thread'].includes(part.kind)) by.height = 0;
      if (by.x || by.y || by.height) this.acts.move(part, by, true);
    } else if (e.key === 'Enter' || e.key === ' ') {
      if (!e.repeat) this.act(part);
    } else {
      return;
    }
    e.preventDefault();
  }
}
/** Pairs of neighbours among the points at which a surface is read. */
function edgesOf(s) {
  const list = [], n = s.x.length;
  const near = (i) => {
    let least = Infinity;
    for (let j = 0; j < n; ++j) if (j !== i) least = Math.min(least, Math.hypot(s.x[i] - s.x[j], s.y[i] - s.y[j]));
    return least;
  };
  const reach = Array.from({ length: n }, (_, i) => near(i));
  for (let i = 0; i < n; ++i)
    for (let j = i + 1; j < n; ++j)
      if (Math.hypot(s.x[i] - s.x[j], s.y[i] - s.y[j]) < 1.36 * Math.max(reach[i], reach[j])) list.push([i, j]);
  return list;
}
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
