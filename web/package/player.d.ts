// SPDX-License-Identifier: MIT
import { Control, Description, Ledger, Parameter, Source, Start, Verdict } from './index.js';

/** Why this browser cannot play, as one sentence; empty if it can. */
export function missing(): string;

export interface Urls { wasm?: Source; worklet?: string | URL; opener?: string | URL }
export interface Opened {
  opened: number; description: Description; bodies: string[]; parameters: Parameter[]; controls?: Control[]; instrument?: number; milliseconds: number;
}
export interface PlayOptions {
  quality?: 'draft' | 'standard' | 'high'; scheme?: string; gain?: number; voices?: number; engine?: boolean; instrument?: boolean;
  /** false: nothing happens by itself; strings begin as starts says, or, where it goes on, as they move. */
  events?: boolean; starts?: Start[]; goOn?: boolean;
}
/** The state of all that sounds, from which a scene may go on. */
export interface Sounding { opened: number; buffer: ArrayBuffer; bytes: number[] }
/** Opens and renders scenes in Workers. */
export class Opener {
  constructor(options?: { urls?: Urls; files?: Record<string, string | Uint8Array> });
  readonly module: Promise<WebAssembly.Module>;
  open(scene: string, options?: { options?: object; engine?: boolean; instrument?: boolean; voices?: number; after?: Sounding | null; keep?: boolean }): Promise<Opened>;
  schemes(scene: string): Promise<string[]>;
  /** All of a scene, as `jawari render --gain 1 --quality draft` plays it. */
  render(scene: string, options?: { seconds?: number; wav?: boolean; options?: object }, progress?: (share: number) => void): Promise<{
    rate: number; seconds: number; ledger: Ledger; verdicts: Verdict[]; failure: string; channels?: Float64Array[]; wav?: Uint8Array; description: Description;
  }>;
  /** From the states that were saved of a scene that was opened (Opened.opened), how many bytes each; verdicts is null if it is open no more. */
  judge(opened: number, buffer: ArrayBuffer, bytes: number[]): Promise<{ verdicts: Verdict[] | null; buffer: ArrayBuffer }>;
  stop(): void;
}
/** Plays scenes in an AudioWorklet. */
export class Player {
  static create(options?: { context?: AudioContext | null; urls?: Urls; files?: Record<string, string | Uint8Array>; sources?: Opener; latencyHint?: AudioContextLatencyCategory }): Promise<Player>;
  readonly context: AudioContext;
  readonly sources: Opener;
  /** Sound that is connected to it goes into scenes that have an input. */
  readonly node: AudioWorkletNode;
  readonly output: GainNode;
  readonly playing: boolean;
  onpicture: ((picture: { frame: number; voices: number; ledger: Ledger; values: Float32Array }) => void) | null;
  onfilm: ((film: { every: number; count: number; size: number; rate: number; pictures: Float32Array; sound: Float32Array }) => void) | null;
  onverdict: ((verdict: { verdicts: Verdict[]; grown: number; allocations: number }) => void) | null;
  onsound: ((time: number) => void) | null;
  onerror: ((sentence: string) => void) | null;
  open(scene: string, options?: PlayOptions): Promise<Opened>;
  resume(): Promise<void>;
  send(event: string, body: string, value?: number, duration?: number): void;
  set(parameter: string, value: number, glide?: number): void;
  on(key: number, velocity?: number, options?: { channel?: number; id?: number }): void;
  off(key: number, options?: { channel?: number; id?: number }): void;
  control(index: number, value: number): void;
  midi(bytes: ArrayLike<number>): void;
  film(seconds?: number, every?: number): void;
  state(): Promise<Sounding | null>;
  /** Asks for a verdict on the run so far, which is found beside the audio thread: onverdict. */
  judge(): void;
  /** Back to the beginning of the scene: what happens by itself happens again. */
  silence(): void;
  /** The scene fades away and is played no more; another one may be opened. */
  stop(): void;
  gain(value: number): void;
  close(): Promise<void>;
}
