import { nullableColumn, numberColumn } from '../storage/columns.ts';
import { hasRow, runSql, selectOne } from '../storage/sql.ts';
import type { JournalFile } from './open.ts';
import { SeenFilter } from './seen-filter.ts';
import type { SessionClock } from './session-clock.ts';

const sent = { at: numberColumn, session: nullableColumn(numberColumn) };

/**
 * Records, by identifier text, the contacts that this work dir has just created, since they may not be readable yet;
 * and under `id:…` those with an update that lost its answer, since such an update may still arrive.
 */
export function createCreatedContactStore(file: JournalFile, workspace: number, times: SessionClock) {
  const seen = new SeenFilter();
  // The filter is empty at the start of a session: only the table has earlier creates.
  const isEmpty = !hasRow(file)`SELECT 1 FROM created WHERE workspace = ${workspace} LIMIT 1`;
  // Notes that wait for their commit: reads must not return outdated values meanwhile.
  const waiting = new Map<string, { readonly sentAt: number | undefined }>();
  return {
    /**
     * Notes the time (ms) when a create for these was last sent, or with undefined that none was; returns the write
     * that stores it.
     */
    note(identifiers: readonly string[], sentAt: number | undefined): () => void {
      const note = { sentAt };
      for (const identifier of identifiers) {
        waiting.set(identifier, note);
        seen.add(identifier);
      }
      return () => {
        for (const identifier of identifiers) {
          if (sentAt !== undefined)
            runSql(file)`REPLACE INTO created (workspace, identifier, sent_at, session)
              VALUES (${workspace}, ${identifier}, ${sentAt}, ${times.session})`;
          else
            runSql(file)`DELETE FROM created WHERE workspace = ${workspace} AND identifier = ${identifier}`;
          if (waiting.get(identifier) === note) waiting.delete(identifier);
        }
      };
    },
    /** Returns the time (ms) when a create for this identifier was last sent, at the latest; undefined if none was. */
    sentAt(identifier: string): number | undefined {
      if (isEmpty && !seen.mayHave(identifier)) return undefined;
      const note = waiting.get(identifier);
      if (note !== undefined) return note.sentAt;
      const found = selectOne(file, sent)`
        SELECT sent_at AS at, session FROM created
        WHERE workspace = ${workspace} AND identifier = ${identifier}`;
      return found && times.sentBy(found.at, found.session ?? undefined);
    },
  };
}

/** Deletes creates sent before `before` (ms): by then every contact is readable. */
export function deleteCreatesBefore(file: JournalFile, workspace: number, before: number): void {
  runSql(file)`DELETE FROM created WHERE workspace = ${workspace} AND sent_at < ${before}`;
}
