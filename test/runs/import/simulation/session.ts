import type { OnMatch } from '../../../../src/identity/decide.ts';
import {
  countRows,
  endRun,
  type JournalFile,
  openJournalFile,
  openRunJournal,
  type RunRecord,
  recogniseWorkspace,
  renewCreated,
} from '../../../../src/journal/index.ts';
import { FatalError } from '../../../../src/model/fatal-error.ts';
import type { Clock, Randomness, Transport } from '../../../../src/model/ports.ts';
import type { Source, SourceItem } from '../../../../src/model/row.ts';
import { readCustomFields } from '../../../../src/operations/ensure-field.ts';
import { fieldRules } from '../../../../src/operations/field-rules.ts';
import { bindRun } from '../../../../src/runs/import/bind.ts';
import { ErrorBudget } from '../../../../src/runs/import/budget.ts';
import { ensureFields } from '../../../../src/runs/import/ensure-fields.ts';
import { startHeartbeat } from '../../../../src/runs/import/heartbeat.ts';
import { RowPool } from '../../../../src/runs/import/pool.ts';
import { runRows } from '../../../../src/runs/import/rows.ts';
import { runState } from '../../../../src/runs/import/run-state.ts';
import { defaultLimits, openWorkspace } from '../../../../src/workspace/index.ts';
import { mapRow } from './people.ts';

export const settleMs = 20_000;

export interface SessionOptions {
  readonly workDir: string;
  readonly items: readonly SourceItem[];
  readonly onMatch: OnMatch;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly transport: Transport;
  readonly stop: AbortController;
  /** Sees the journal as soon as it is open. */
  readonly opened: (file: JournalFile) => void;
}

/** How a session ended that nobody killed. */
export interface SessionEnd {
  readonly run: RunRecord;
  readonly error: FatalError | undefined;
}

/** One process's work on the import, put together as the command does it, over a simulated workspace. */
export async function session(options: SessionOptions): Promise<SessionEnd> {
  const { workDir, items, clock, randomness, transport, stop, onMatch, concurrency } = options;
  const file = openJournalFile(workDir);
  options.opened(file);
  const workspace = openWorkspace({
    baseUrl: 'https://workspace.test/v1',
    token: 'a-token-for-tests',
    limits: { ...defaultLimits, concurrency },
    clock,
    randomness,
    signal: stop.signal,
    transport,
  });
  const known = await readCustomFields(workspace);
  const fieldIds = known.map((field) => field.id);
  const number = recogniseWorkspace(file, { place: 'simulated', users: [1], fields: fieldIds });
  renewCreated(file, number, 0, clock.now());
  const { run } = bindRun(file, binding(number, items.length), false, clock);
  const journal = openRunJournal(file, run, clock);
  const stopBeat = startHeartbeat(clock, 1_000, () => journal.beat(workspace.requests()));
  const pool = new RowPool({ active: concurrency * 2, waiting: 10 });
  let error: FatalError | undefined;
  try {
    const limits = { settleMs, attempts: 5 };
    const shared = { workspace, journal, clock, signal: stop.signal, limits };
    const missing = known.some(({ name }) => name === 'VIP')
      ? []
      : [{ name: 'VIP', dataType: 'checkbox' } as const];
    const fields = await ensureFields(shared, file, missing, known);
    const policy = { onMatch, identify: ['email', 'phone'] } as const;
    const context = { ...shared, pool, listen: () => undefined, fields, rules: fieldRules(fields), policy };
    await runRows(context, file, {
      source: sourceOf(items),
      map: mapRow,
      budget: new ErrorBudget({ rows: items.length }),
      limit: Number.POSITIVE_INFINITY,
      stop: (reason) => {
        if (!stop.signal.aborted) stop.abort(reason);
      },
    });
  } catch (thrown) {
    if (!(thrown instanceof FatalError)) throw thrown;
    error = thrown;
    if (!stop.signal.aborted) stop.abort(thrown);
  }
  await workspace.close(10_000);
  await stopBeat();
  journal.flush();
  const state = runState(error, countRows(file, run));
  endRun(file, run.number, { state, exitCode: 0, message: null, endedAt: clock.now() });
  return { run: { ...run, state }, error };
}

function binding(workspace: number, items: number) {
  return {
    kind: 'import',
    pipeline: 'simulated',
    file: 'simulated.yaml',
    workspace,
    target: 'simulated',
    mapping: 'm',
    input: 'i',
    inputName: 'rows',
    items,
  } as const;
}

/** The items in batches of three, from memory. */
function sourceOf(items: readonly SourceItem[]): Source {
  return {
    inspect: () => Promise.reject(new Error('nothing to inspect')),
    async *read(from) {
      for (let at = from; at < items.length; at += 3) yield items.slice(at, at + 3);
    },
  };
}
