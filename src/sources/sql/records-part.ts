import { isLarger, rawLength } from '../broken-row.ts';
import type { Block, Emit, RecordProblem } from './record.ts';
import { own, type Window } from './window.ts';

/** What the parts that hold records have in common: where the records go, and the one that is too large to be kept. */
export abstract class RecordsPart {
  protected readonly window: Window;
  protected readonly block: Block;
  protected readonly maxBytes: number;
  /** Where the record begins that is under way. */
  protected line = 0;
  /** The beginning of a record that is too large to be kept. */
  protected oversized: string | null = null;
  readonly #emit: Emit | null;

  /** Without `emit` the records are passed over. */
  constructor(window: Window, block: Block, emit: Emit | null, maxBytes: number) {
    this.window = window;
    this.block = block;
    this.maxBytes = maxBytes;
    this.#emit = emit;
  }

  protected emit(text: string, problem: RecordProblem | null): void {
    this.#emit?.({ block: this.block, line: this.line, text, problem });
  }

  /** The record between two places of the window is complete; its text is there unless it was too large to be kept. */
  protected complete(from: number, to: number): void {
    const { oversized } = this;
    this.oversized = null;
    if (this.#emit === null) return;
    const text = oversized ?? own(this.window.text.slice(from, to));
    const tooLarge = oversized !== null || isLarger(text, this.maxBytes);
    this.emit(tooLarge ? own(text.slice(0, rawLength)) : text, tooLarge ? 'tooLarge' : null);
  }
}
