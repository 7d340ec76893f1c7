// SPDX-License-Identifier: MIT
/** What was refused: a sentence, and the line of the scene (0: none). */
export class JawariError extends Error {
  readonly status: number;
  readonly line: number;
  readonly file: string;
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
export interface InstrumentOptions extends OpenOptions {
  voices?: number;
  lowestKey?: number;
  highestKey?: number;
}
export class Library {
  constructor(module: WebAssembly.Module, image?: ArrayBuffer | null);
  readonly version: string;
  open(scene: string, options?: OpenOptions): Engine;
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
}

export type EventName = 'strike' | 'pluck' | 'press' | 'release' | 'damp' | 'move' | 'retune';
export interface Parameter { name: string; unit: string; text: string; least: number; most: number; value: number }
export interface Control extends Parameter { usual: number }
/** [J]; stored + dissipated - injected stays what it was at the start. */
export interface Ledger {
  failed: boolean; time: number; kinetic: number; elastic: number; bending: number; modulation: number; load: number; contact: number;
  stored: number; dissipated: number; injected: number; start: number; largest: number; residual: number; worstResidual: number;
}
export interface Verdict { severity: 'note' | 'warning' | 'failure'; sentence: string }
export interface Account { name: string; contact: boolean; stored: number; residual: number }
export interface Description {
  title: string; rate: number; duration: number; steps: number; voices: number; events: number;
  parts: { kind: string; index: number; name: string; [key: string]: unknown }[];
  lines: Record<string, number>;
  shapes: { name: string; x: number[]; y: number[]; period: number }[];
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
  readonly bodies: string[];
  readonly parameterNames: string[];
  readonly failed: boolean;
  readonly failure: string;
  /** Seconds played. */
  readonly time: number;
  /** Numbers of a picture. */
  readonly pictureSize: number;
  /** So many frames, an array per channel. */
  process(frames: number): Float32Array[];
  process(frames: number, kind: Float64ArrayConstructor): Float64Array[];
  /** Fills arrays, one per channel, and makes no garbage.  False: the motion has failed. */
  processInto(out: Float32Array[] | Float64Array[], frames?: number): boolean;
  /** An event for a body; value in SI units, duration in seconds, offset in frames. */
  send(event: EventName, body: string | number, value?: number, duration?: number, offset?: number): void;
  /** A parameter that may change, reached after `glide` seconds. */
  set(parameter: string | number, value: number, glide?: number, offset?: number): void;
  parameters(): Parameter[];
  ledger(): Ledger;
  accounts(): Account[];
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
