import { identifiersOf } from '../../identity/look-up.ts';
import { IdentitySequence } from '../../identity/sequence.ts';
import {
  finishedBetween,
  firstOpen,
  type JournalFile,
  openSteps,
  type StepRecord,
} from '../../journal/index.ts';
import type { Draft, Mapped } from '../../model/draft.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { identifierText } from '../../model/identifier.ts';
import type { BrokenRow, Row, Source, SourceItem } from '../../model/row.ts';
import type { ErrorBudget } from './budget.ts';
import type { ImportContext } from './context.ts';
import { type RowEnd, RowRun } from './record.ts';

export interface RowsOptions {
  readonly source: Source;
  readonly map: (row: Row) => Mapped;
  readonly budget: ErrorBudget;
  /** How many items of the input are taken up at the most, from the first on. */
  readonly limit: number;
  /** Stops the run: no new row begins, no new request leaves. */
  readonly stop: (reason: FatalError) => void;
}

/** Walks all rows that have no outcome yet; returns when none is under way, throws what stopped it. */
export async function runRows(
  context: ImportContext,
  file: JournalFile,
  options: RowsOptions,
): Promise<void> {
  const walk = new RowsWalk(context, file, options);
  try {
    await walk.run();
  } catch (error) {
    options.stop(error instanceof FatalError ? error : unexpected(error));
  }
  await context.pool.idle();
  context.signal.throwIfAborted();
}

class RowsWalk {
  readonly #context: ImportContext;
  readonly #file: JournalFile;
  readonly #options: RowsOptions;
  readonly #sequence = new IdentitySequence();

  constructor(context: ImportContext, file: JournalFile, options: RowsOptions) {
    this.#context = context;
    this.#file = file;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { signal, journal } = this.#context;
    const run = journal.run.number;
    const from = firstOpen(this.#file, run);
    let seq = from;
    for await (const batch of this.#options.source.read(from, signal)) {
      const finished = finishedBetween(this.#file, run, seq, seq + batch.length);
      const open = openSteps(this.#file, run, seq, seq + batch.length);
      for (const item of batch) {
        if (seq >= this.#options.limit || signal.aborted) return;
        if (!finished.has(seq)) await this.#begin(seq, item, stepsOf(seq, open));
        seq += 1;
      }
    }
  }

  async #begin(seq: number, item: SourceItem, open: readonly StepRecord[]): Promise<void> {
    if (item.kind === 'broken') return this.#finish(brokenEnd(seq, item));
    const mapped = this.#options.map(item);
    if (!mapped.ok) return this.#finish(rejectedEnd(seq, item, mapped));
    const { pool } = this.#context;
    await pool.room();
    if (this.#context.signal.aborted) return;
    // In the input's order, before anything of the row waits: rows of one person are handled one after the other.
    const turn = this.#sequence.enter(this.#identifiers(mapped.draft));
    pool.begin(async () => {
      try {
        await turn.ready;
        await this.#row(new RowRun(this.#context, { seq, row: item, draft: mapped.draft, open }));
      } finally {
        turn.leave();
      }
    });
  }

  async #row(row: RowRun): Promise<void> {
    const { pool, signal } = this.#context;
    await pool.take();
    try {
      if (!signal.aborted) this.#finish(await row.run());
    } catch (error) {
      // What was sent stands in the journal; the next start settles it.
      if (!signal.aborted) this.#options.stop(error instanceof FatalError ? error : unexpected(error));
    } finally {
      pool.give();
    }
  }

  #finish({ record, step }: RowEnd): void {
    const { journal, listen } = this.#context;
    journal.finish(record, step);
    listen({
      kind: 'row',
      line: record.line,
      key: record.key,
      outcome: record.outcome,
      contactId: record.contact,
      problems: record.problems,
    });
    this.#options.budget.add(record.outcome);
    const exceeded = this.#options.budget.exceeded();
    if (exceeded !== undefined) this.#options.stop(exceeded);
  }

  #identifiers(draft: Draft): readonly string[] {
    return identifiersOf(draft, ['email', 'phone']).map(identifierText);
  }
}

function stepsOf(seq: number, open: readonly StepRecord[]): readonly StepRecord[] {
  return open.length === 0 ? open : open.filter((step) => step.seq === seq);
}

function brokenEnd(seq: number, { line, problem, raw }: BrokenRow): RowEnd {
  const record = {
    seq,
    line,
    outcome: 'rejected',
    key: null,
    contact: null,
    problems: [problem],
    cells: null,
    raw,
  } as const;
  return { record, step: undefined };
}

function rejectedEnd(seq: number, row: Row, mapped: Mapped & { ok: false }): RowEnd {
  const { line } = row;
  const { key, problems } = mapped;
  return {
    record: { seq, line, outcome: 'rejected', key, contact: null, problems, cells: row.entries(), raw: null },
    step: undefined,
  };
}

function unexpected(error: unknown): FatalError {
  const message = error instanceof Error ? error.message : String(error);
  return new FatalError('unexpected', `something went wrong that should not: ${message}`, {
    cause: error,
  });
}
