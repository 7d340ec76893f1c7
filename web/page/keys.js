// SPDX-License-Identifier: MIT
// Keys on the screen, of the computer and over MIDI.
import { keyName } from './panels.js';

const letters = 'awsedftgyhujkolp';
const isBlack = (key) => [1, 3, 6, 8, 10].includes(((key % 12) + 12) % 12);

export class Keys {
  /** on(key, velocity), off(key), midi(bytes) are called. */
  constructor(element, { on, off, midi }) {
    this.element = element;
    this.act = { on, off, midi };
    this.down = new Map();
    this.first = 48;
    this.build();
    new ResizeObserver(() => this.build()).observe(element);
    addEventListener('keydown', (e) => this.typed(e, true));
    addEventListener('keyup', (e) => this.typed(e, false));
    addEventListener('blur', () => this.release());
    element.addEventListener('pointerdown', (e) => {
      e.preventDefault();
      element.setPointerCapture(e.pointerId);
      this.point(e);
    });
    element.addEventListener('pointermove', (e) => { if (e.buttons) this.point(e); });
    for (const type of ['pointerup', 'pointercancel']) element.addEventListener(type, (e) => this.let(`p${e.pointerId}`));
  }
  build() {
    const octaves = this.element.clientWidth < 520 ? 1 : this.element.clientWidth < 900 ? 2 : 3, signature = `${octaves} ${this.first}`;
    if (signature === this.built) return;
    this.built = signature;
    this.last = this.first + 12 * octaves;
    this.element.style.setProperty('--black', `${Math.min(30, 0.6 * this.element.clientWidth / (7 * octaves + 1))}px`);
    this.element.replaceChildren();
    for (let key = this.first; key <= this.last; ++key) {
      const button = document.createElement('button');
      button.type = 'button';
      button.dataset.key = key;
      button.className = isBlack(key) ? 'black' : '';
      button.setAttribute('aria-label', keyName(key));
      button.tabIndex = key === this.first ? 0 : -1;
      if (key % 12 === 0) button.textContent = keyName(key);
      button.addEventListener('keydown', (e) => this.step(e, button));
      button.addEventListener('keyup', (e) => { if (e.key === 'Enter' || e.key === ' ') this.let('enter'); });
      this.element.append(button);
    }
  }
  step(e, button) {
    const go = { ArrowRight: button.nextElementSibling, ArrowLeft: button.previousElementSibling }[e.key];
    if (go) go.focus();
    else if ((e.key === 'Enter' || e.key === ' ') && !e.repeat) this.press('enter', Number(button.dataset.key), 0.75);
    else return;
    e.preventDefault();
  }
  point(e) {
    const button = document.elementFromPoint(e.clientX, e.clientY)?.closest?.('#keyboard button'), name = `p${e.pointerId}`;
    const key = button ? Number(button.dataset.key) : null;
    if (this.down.get(name) === key) return;
    this.let(name);
    if (key === null) return;
    const box = button.getBoundingClientRect();
    this.press(name, key, 0.25 + 0.7 * Math.min(1, Math.max(0, (e.clientY - box.top) / box.height)));
  }
  press(name, key, velocity) {
    this.down.set(name, key);
    this.show(key, true);
    this.act.on(key, velocity);
  }
  let(name) {
    const key = this.down.get(name);
    if (key === undefined) return;
    this.down.delete(name);
    this.show(key, false);
    this.act.off(key);
  }
  release() { for (const name of [...this.down.keys()]) this.let(name); }
  show(key, down) { this.element.querySelector(`[data-key="${key}"]`)?.classList.toggle('down', down); }
  typed(e, down) {
    if (e.ctrlKey || e.metaKey || e.altKey || e.repeat || /^(input|textarea|select)$/i.test(e.target.tagName)) return;
    const at = letters.indexOf(e.key.toLowerCase());
    if (at >= 0 && e.key.length === 1) {
      if (down) this.press(`k${at}`, this.first + at, 0.75);
      else this.let(`k${at}`);
    } else if (down && (e.key === 'z' || e.key === 'x')) {
      this.release();
      this.first = Math.min(84, Math.max(24, this.first + (e.key === 'z' ? -12 : 12)));
      this.build();
    }
  }
  /** All inputs that there are and that come; a sentence that says which. */
  async connect(say) {
    if (!navigator.requestMIDIAccess) return say('This browser has no Web MIDI.');
    let access;
    try {
      access = await navigator.requestMIDIAccess();
    } catch (error) {
      return say(`MIDI was refused: ${error.message}`);
    }
    const listen = () => {
      const inputs = [...access.inputs.values()];
      for (const input of inputs) input.onmidimessage = ({ data }) => this.received(data);
      say(inputs.length ? `Listening to ${inputs.map((i) => i.name).join(', ')}` : 'No MIDI input is connected.');
    };
    access.onstatechange = listen;
    listen();
  }
  received(data) {
    const kind = data[0] & 0xf0;
    if (data[0] >= 0xf0) return;
    if (kind === 0x90 || kind === 0x80) this.show(data[1], kind === 0x90 && data[2] > 0);
    this.act.midi(data);
  }
}
