// SPDX-License-Identifier: MIT
/** What was refused: a sentence, and the line of the scene (0: none). */
export class JawariError extends Error {
  readonly status: number;
  readonly line: number;
  readonly file: string;
  /** Of the field that was refused, "contact[0].law.exponent"; its value; what it must do; the sentence without file and line. */
  readonly path: string;
  readonly value: string;
  readonly allowed: string;
  readonly sentence: string;
}
export type Source = WebAssembly.Module | Response | URL | string | ArrayBuffer | Uint8Array;
/** The library, ready to open scenes; its WebAssembly file is found beside it. */
export function load(source?: Source): Promise<Library>;
export function compiled(source?: Source): Promise<WebAssembly.Module>;
/** A WAV file of 24 bits, byte for byte as `jawari render --gain 1` writes it. */
export function wavBytes(channels: ArrayLike<number>[], rate: number): Uint8Array;
export const ledgerNumbers: string[];

export interface OpenOptions {
  /** 1: sum of the pickups (default), 2: panned, 0: one per pickup. */
  channels?: number;
  /** Of the frames [Hz]; by default that of the scene. */
  rate?: number;
  /** Time steps per frame: 1, 2, 4 or 8. */
  oversample?: number;
  quality?: 'draft' | 'standard' | 'high';
  /** For every contact, instead of those of the scene. */
  scheme?: string;
  memoryMB?: number;
  setupS?: number;
  /** 1: fused loops that round as the readable ones (default), 0: none. */
  kernels?: 0 | 1;
}
/** How a string begins: pulled up in one place, or as another engine left it (Engine.motion). */
export type Start = { string: string; position: number; height: number } | Motion;
/** Displacements [m] and velocities [m/s] at places that divide the string evenly. */
export interface Motion { string: string; u: Float64Array; v: Float64Array }
export interface EngineOptions extends OpenOptions {
  /** false: nothing happens by itself: no events but what is set at the beginning, no patterns, strings and hammers begin at rest. */
  events?: boolean;
  starts?: Start[];
}
export interface InstrumentOptions extends OpenOptions {
  voices?: number;
  lowestKey?: number;
  highestKey?: number;
}
export class Library {
  constructor(module: WebAssembly.Module, image?: ArrayBuffer | null);
  readonly version: string;
  readonly versionNumber: number;
  open(scene: string, options?: EngineOptions): Engine;
  openInstrument(scene: string, options?: InstrumentOptions): Instrument;
  /** A file that scenes may name from now on. */
  addFile(name: string, content: string | Uint8Array): void;
  forgetFiles(): void;
  /** How often memory has been allocated since the instance was made. */
  readonly allocations: number;
  /** Names of the schemes that serve every contact of a scene. */
  schemes(scene: string): string[];
  /** Frequencies of 128 keys [Hz]. */
  tuning(name: '12-tet' | 'just' | 'tanpura' | 'sitar' | 'pythagorean' | 'meantone', tonicKey?: number, a4Hz?: number): Float64Array;
  /** The same from the texts of Scala files; without a mapping middle C is the first degree. */
  tuningFromScala(scl: string, kbm?: string | null): Float64Array;
  /** Contact laws and schemes that scenes can name. */
  laws(): Kind[];
  allSchemes(): Kind[];
}
export interface Key { name: string; symbol: string; unit: string; text: string; required: boolean; least: number; most: number; usual: number }
export interface Kind { name: string; text: string; source: string; keys: Key[] }

export type EventName = 'strike' | 'pluck' | 'press' | 'release' | 'damp' | 'move' | 'retune';
export type ParameterKind = 'frequency' | 'tuning' | 'damping' | 'stiffness' | 'height' | 'coefficient' | 'normal' | 'gain' | 'amplitude' | 'position' | 'listening' | 'force';
/** start: its value after opening. */
export interface Parameter { name: string; unit: string; text: string; least: number; most: number; value: number; start: number; kind: ParameterKind }
export interface Control { name: string; unit: string; text: string; least: number; most: number; value: number; usual: number }
/** What a contact has done so far; fewestSamples: time steps of the shortest impact, 0: none has ended. */
export interface Contact { name: string; impacts: number; touchingSteps: number; largestForce: number; fewestSamples: number }
/** [J]; stored + dissipated - injected stays what it was at the start. */
export interface Ledger {
  failed: boolean; time: number; kinetic: number; elastic: number; bending: number; modulation: number; load: number; contact: number;
  stored: number; dissipated: number; injected: number; start: number; largest: number; residual: number; worstResidual: number;
}
export interface Verdict { severity: 'note' | 'warning' | 'failure'; sentence: string }
export interface Account { name: string; contact: boolean; stored: number; residual: number }
export interface Description {
  title: string; rate: number; duration: number; steps: number; gravity: number; inputs: number; voices: number; events: number;
  parts: { kind: string; index: number; name: string; [key: string]: unknown }[];
  lines: Record<string, number>;
  /** string: it is a string, not a bar or a surface. */
  shapes: { name: string; string: boolean; x: number[]; y: number[]; period: number }[];
  barriers: { name: string; shape: number; x: number[]; height: number[]; above: boolean; points: boolean }[];
  contacts: { name: string; law: string; scheme: string }[];
  pickups: { name: string; pan: number }[];
  movers: string[];
  doubts: string[];
}

declare class Sounding {
  readonly channels: number;
  readonly rate: number;
  readonly latency: number;
  /** Channels of sound that comes in; 0: none does.  Latency: frames by which oversampling delays it before it acts. */
  readonly inputs: number;
  readonly inputLatency: number;
  readonly replacedInput: number;
  readonly channelNames: string[];
  readonly pickups: { name: string; pan: number }[];
  readonly bodies: string[];
  readonly parameterNames: string[];
  readonly failed: boolean;
  readonly failure: string;
  /** Seconds played. */
  readonly time: number;
  /** Numbers of a picture. */
  readonly pictureSize: number;
  /** So many frames, an array per channel. */
  process(frames: number, kind?: Float32ArrayConstructor, input?: Float32Array[] | null): Float32Array[];
  process(frames: number, kind: Float64ArrayConstructor, input?: Float64Array[] | null): Float64Array[];
  /** Fills arrays, one per channel, and makes no garbage.  False: the motion has failed.  Sound that comes in, of the same kind, counts from
      frame inputAt on. */
  processInto(out: Float32Array[], frames?: number, input?: Float32Array[] | null, inputAt?: number): boolean;
  processInto(out: Float64Array[], frames?: number, input?: Float64Array[] | null, inputAt?: number): boolean;
  /** An event for a body; value in SI units, duration in seconds, offset in frames. */
  send(event: EventName, body: string | number, value?: number, duration?: number, offset?: number): void;
  /** A parameter that may change, reached after `glide` seconds. */
  set(parameter: string | number, value: number, glide?: number, offset?: number): void;
  parameters(): Parameter[];
  ledger(): Ledger;
  accounts(): Account[];
  contacts(): Contact[];
  /** What should not be trusted about the run so far, worst first. */
  judge(): Verdict[];
  /** Displacements of all shapes, forces at all barriers, where masses and hands are. */
  readPicture<T extends Float32Array | Float64Array | number[]>(to: T, at?: number): T;
  /** Goes on where the one was that saved the state. */
  load(state: Uint8Array): void;
  /** As after opening, bit for bit. */
  reset(): void;
  close(): void;
}
export class Engine extends Sounding {
  readonly scene: Description;
  /** Frames of the whole scene, by its duration. */
  readonly frames: number;
  /** The scene from its start to its end, without the delay of oversampling. */
  render(kind?: Float32ArrayConstructor): Float32Array[];
  render(kind: Float64ArrayConstructor): Float64Array[];
  /** How its strings move now, for `starts` of an engine that goes on from here.  Plays two frames. */
  motion(): Motion[];
  /** The whole state, also in the middle of a contact. */
  save(): Uint8Array;
}
export type NoteType = 'on' | 'off' | 'cut' | 'tuning' | 'pressure' | 'timbre' | 'volume' | 'pan' | 'expression' | 'vibrato' | 'bend' | 'bendRange' |
  'pedal' | 'sostenuto' | 'legato' | 'mpeZone' | 'resetControllers' | 'notesOff' | 'soundOff' | 'panic' | 'control' | 'modulation';
export interface NoteOptions { key?: number; value?: number; channel?: number; id?: number; index?: number; frame?: number }
export class Instrument extends Sounding {
  readonly voices: number;
  readonly sounding: number;
  readonly silent: boolean;
  readonly tail: number;
  readonly description: Pick<Description, 'shapes' | 'barriers' | 'contacts' | 'pickups' | 'movers'>;
  on(key: number, velocity?: number, options?: NoteOptions): void;
  off(key: number, options?: NoteOptions): void;
  /** For the block that comes next, `frame` from its start. */
  note(type: NoteType, options?: NoteOptions): void;
  /** One message of MIDI, also with MPE.  0: taken. */
  midi(status: number, data1?: number, data2?: number): number;
  controls(): Control[];
  setTuning(hz: ArrayLike<number>): void;
}
