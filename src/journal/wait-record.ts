import { enumColumn, numberColumn, textColumn } from '../storage/columns.ts';
import { runSql, select } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';
import type { SessionTimeConverter } from './session-clock.ts';
import type { StepKey } from './step-record.ts';

/** The identity of a wait: the step or look-up that is repeated, and the answer that makes it wait. */
export interface WaitKey extends StepKey {
  readonly kind: 'queued' | 'unread';
}

const waitColumns = {
  seq: numberColumn,
  name: textColumn,
  item: textColumn,
  kind: enumColumn(['queued', 'unread']),
  begunAt: numberColumn,
  session: numberColumn,
};

/** Creates the store of the times at which a run's waits began; a later session continues them from there. */
export function createWaitStore(
  file: JournalDatabase,
  run: number,
  times: SessionTimeConverter,
  soon: (write: () => void) => void,
) {
  const { session } = times;
  const found = select(file, waitColumns)`
    SELECT seq, name, item, kind, begun_at AS begunAt, session FROM wait WHERE run = ${run}`;
  const since = new Map(
    found.map((wait) => [textOf(wait), times.onThisClock(wait.begunAt, wait.session)] as const),
  );
  return {
    /** Returns the time (ms) at which this wait began, on this session's clock; stores `now` for a new one. */
    since(wait: WaitKey, now: number): number {
      const known = since.get(textOf(wait));
      if (known !== undefined) return known;
      since.set(textOf(wait), now);
      const { seq, name, item, kind } = wait;
      soon(() => {
        runSql(file)`REPLACE INTO wait (run, seq, name, item, kind, begun_at, session)
          VALUES (${run}, ${seq}, ${name}, ${item}, ${kind}, ${now}, ${session})`;
      });
      return now;
    },
    /** Removes a wait that has ended. */
    over(wait: WaitKey): void {
      if (since.size === 0 || !since.delete(textOf(wait))) return;
      const { seq, name, item, kind } = wait;
      soon(() => {
        runSql(file)`DELETE FROM wait
          WHERE run = ${run} AND seq = ${seq} AND name = ${name} AND item = ${item} AND kind = ${kind}`;
      });
    },
  };
}

function textOf({ seq, name, item, kind }: WaitKey): string {
  return JSON.stringify([seq, name, item, kind]);
}
