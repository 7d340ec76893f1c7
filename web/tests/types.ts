// SPDX-License-Identifier: MIT
// Compiled by node.test.mjs against the types of the package: what is used must be described, what is wrong must be refused.
import { Engine, Instrument, Library, Motion, Parameter, compiled, load, wavBytes } from 'jawari';
import { Opener, Player, missing } from 'jawari/player.js';

const module: WebAssembly.Module = await compiled();
const jawari: Library = await load(module);
const engine: Engine = jawari.open('', { channels: 2, quality: 'draft', events: false, starts: [{ string: 's', position: 0.1, height: 1e-3 }] });
const motion: Motion[] = engine.motion();
const again = jawari.open('', { starts: [...motion, { string: 't', position: 0.2, height: 0 }] });
const wide: Float64Array[] = engine.process(10, Float64Array, [new Float64Array(10)]);
const narrow: Float32Array[] = again.render();
const height: Parameter | undefined = engine.parameters().find((p) => p.kind === 'height' && p.start < p.most);
if (height) engine.set(height.name, height.value + 1e-5);
engine.send('pluck', engine.bodies[0] ?? 0, 3e-3, 0.03);
const instrument: Instrument = jawari.openInstrument('', { voices: 4, lowestKey: 40 });
instrument.setTuning(jawari.tuningFromScala('', null));
instrument.note('control', { index: 0, value: 1 });
instrument.processInto([new Float32Array(128)], 128, [new Float32Array(128)]);
wavBytes(wide, engine.rate);
const forces: number[] = engine.contacts().map((c) => c.largestForce);
const names: string[] = [...jawari.laws(), ...jawari.allSchemes()].flatMap((k) => k.keys.map((key) => key.name));

const player: Player = await Player.create({ sources: new Opener() });
player.onpicture = ({ voices, ledger, values }) => { if (voices + ledger.residual + values.length < 0) player.judge(); };
await player.open('', { goOn: true, events: false });
const state = await player.state();
await player.sources.open('', { after: state, keep: false });
player.context.createMediaStreamSource(await navigator.mediaDevices.getUserMedia({ audio: true })).connect(player.node);
export { forces, missing, names, narrow };

// @ts-expect-error: no such event
engine.send('plock', 0);
// @ts-expect-error: no such quality
jawari.open('', { quality: 'best' });
// @ts-expect-error: arrays of one kind
engine.processInto([new Float32Array(1)], 1, [new Float64Array(1)]);
// @ts-expect-error: a place without a height
jawari.open('', { starts: [{ string: 's', position: 0.1 }] });
// @ts-expect-error: the rate of an engine stays
engine.rate = 44100;
