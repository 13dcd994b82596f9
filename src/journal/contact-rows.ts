import type { Outcome } from '../model/outcome.ts';
import type { JournalFile } from './open.ts';
import type { RunRecord } from './run.ts';

/** A row of a run that came to a contact. */
export interface ContactRow {
  readonly line: number;
  readonly key: string | null;
  /** null where the contact was created and not met again. */
  readonly contact: number | null;
  /** `email:…` or `phone:…`; null where an older version wrote the row. */
  readonly identifier: string | null;
  readonly outcome: Outcome;
}

/** The rows among the items [from, to) that came to a contact, with its id as far as the journal has learnt it since. */
export function contactRowsBetween(
  file: JournalFile,
  run: Pick<RunRecord, 'number' | 'workspace' | 'mappingName'>,
  from: number,
  to: number,
): readonly ContactRow[] {
  return file
    .prepare<[number, string, number, number, number], ContactRow>(
      `SELECT row.line, row.key, coalesce(row.contact, known.contact) AS contact, row.identifier, row.outcome
       FROM row LEFT JOIN known ON known.workspace = ? AND known.mapping = ?
         AND known.key = CASE WHEN row.key IS NULL THEN row.identifier ELSE 'key:' || row.key END
       WHERE row.run = ? AND row.seq >= ? AND row.seq < ?
         AND (row.contact IS NOT NULL
           OR row.outcome IN ('created', 'updated', 'merged', 'folded', 'unchanged', 'uncertain')
           OR (row.outcome = 'failed' AND known.created = 1))
       ORDER BY row.seq`,
    )
    .all(run.workspace, run.mappingName, run.number, from, to);
}
