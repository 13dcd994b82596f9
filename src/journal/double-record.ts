import { change, put, type Stored, select, selectOne } from '../storage/sql.ts';
import type { JournalFile } from './open.ts';

/** A person whom a run created without a look-up, and whose identifiers lead to more than one contact afterwards. */
export interface DoubleRecord {
  readonly seq: number;
  readonly line: number;
  readonly identifiers: readonly string[];
  readonly contacts: readonly number[];
}

/** Records what a closing pass found, in the place of an earlier one's. */
export function writeDoubles(file: JournalFile, run: number, doubles: Iterable<DoubleRecord>): void {
  file.transaction(() => {
    change(file)`DELETE FROM double WHERE run = ${run}`;
    for (const { seq, line, identifiers, contacts } of doubles) {
      const lists = { identifiers: JSON.stringify(identifiers), contacts: JSON.stringify(contacts) };
      put(file, 'double', { run, seq, line, ...lists });
    }
  })();
}

/** Doubles after row `after`, in order, at most `limit`. */
export function doublesAfter(
  file: JournalFile,
  run: number,
  after: number,
  limit: number,
): readonly DoubleRecord[] {
  const found = select<Stored<DoubleRecord, 'identifiers' | 'contacts'>>(file)`
    SELECT seq, line, identifiers, contacts FROM double
    WHERE run = ${run} AND seq > ${after} ORDER BY seq LIMIT ${limit}`;
  return found.map((each) => ({
    ...each,
    identifiers: JSON.parse(each.identifiers),
    contacts: JSON.parse(each.contacts),
  }));
}

/** When a run last sent a step of that name (ms); undefined where it sent none. */
export function lastSent(file: JournalFile, run: number, step: string): number | undefined {
  const found = selectOne<{ at: number | null }>(file)`
    SELECT max(sent_at) AS at FROM step WHERE run = ${run} AND name = ${step} AND state = 'acked'`;
  return found?.at ?? undefined;
}
