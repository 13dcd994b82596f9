import { rawLength } from '../broken-row.ts';
import type { Block, Emit, Part } from './record.ts';
import { RecordsPart } from './records-part.ts';
import { own, type Window } from './window.ts';

/** The tuples of an INSERT, from behind its VALUES to its end. */
export class InsertPart extends RecordsPart implements Part {
  readonly #cutIn: (line: number) => void;
  readonly #begins: number;
  #place: 'before' | 'inside' | 'after' | 'lost' = 'before';

  /** `cutIn` hears of a dump that breaks off behind the tuples, with the line where the statement begins. */
  constructor(
    window: Window,
    block: Block,
    emit: Emit | null,
    maxBytes: number,
    cutIn: (line: number) => void,
  ) {
    super(window, block, emit, maxBytes);
    this.#cutIn = cutIn;
    this.#begins = window.lineOf(window.at);
  }

  advance(): boolean {
    for (;;) {
      const done = this.#step();
      if (done !== null) return done;
    }
  }

  cutOff(): void {
    if (this.#place === 'lost') {
      if (!this.block.dialect.batches) this.#cutIn(this.#begins);
      return;
    }
    if (this.#place === 'after' && this.block.dialect.batches) return;
    const { window } = this;
    if (this.#place !== 'inside') this.line = window.lineOf(window.text.length);
    const raw = this.#place === 'inside' ? (this.oversized ?? window.held(window.text.length)) : '';
    this.emit(raw.slice(0, rawLength), 'cutOff');
  }

  /** True at the end of the statement, false where more text is needed, null in between. */
  #step(): boolean | null {
    if (this.#place === 'inside') return this.#inside();
    const { window } = this;
    if (this.#place === 'lost') return window.to('terminator') === 'stop';
    if (window.to('solid') === 'more') return false;
    return this.#place === 'before' ? this.#before() : this.#after();
  }

  #before(): boolean | null {
    const { window } = this;
    const { text, at } = window;
    if (text.charCodeAt(at) !== 40) {
      if (!window.whole && at + 3 >= text.length) return false;
      if (!/^row\b/i.test(text.slice(at, at + 4))) return this.#lose();
      window.begin(at + 3);
      return null;
    }
    this.line = window.lineOf(at);
    window.hold = at;
    window.begin(at);
    this.#place = 'inside';
    return null;
  }

  #inside(): boolean | null {
    const { window } = this;
    const step = window.to('close');
    const started = window.hold;
    if (this.oversized === null && window.at - started > this.maxBytes) {
      this.oversized = window.held(Math.min(window.at, started + rawLength));
      window.hold = -1;
    }
    if (step === 'more') return false;
    if (step === 'unbalanced') {
      this.emit((this.oversized ?? window.held(window.at)).slice(0, rawLength), 'syntax');
      window.hold = -1;
      return true;
    }
    this.complete(started, window.at);
    window.hold = -1;
    window.begin(window.at);
    this.#place = 'after';
    return null;
  }

  #after(): boolean | null {
    const { window } = this;
    const { text, at, dialect } = window;
    if (text.charCodeAt(at) === 44) {
      window.begin(at + 1);
      this.#place = 'before';
      return null;
    }
    if (text.startsWith(dialect.terminator, at)) return true;
    if (!window.whole && at + 10 > text.length) return false;
    // A word behind the tuples: ON DUPLICATE KEY, AS new, RETURNING; or, without a terminator, the next statement.
    const follows = /^(?:ON|AS|RETURNING)\b/i.test(text.slice(at, at + 10));
    if (!follows) return dialect.batches ? true : this.#lose();
    this.#place = 'lost';
    return null;
  }

  /** What stands here belongs to no tuple: a record of its own, and on at the end of the statement. */
  #lose(): null {
    const { window } = this;
    const end = Math.min(window.text.length, window.at + 200);
    this.line = window.lineOf(window.at);
    this.emit(own(window.text.slice(window.at, end)), 'syntax');
    this.#place = 'lost';
    return null;
  }
}
