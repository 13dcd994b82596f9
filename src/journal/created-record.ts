import { nullableColumn, numberColumn } from '../storage/columns.ts';
import { hasRow, runSql, selectOne } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';
import { BloomFilter } from './seen-filter.ts';
import type { SessionTimeConverter } from './session-clock.ts';

const sent = { at: numberColumn, session: nullableColumn(numberColumn) };

/**
 * Creates the store of recently sent writes whose effects may not be visible yet, with the times when they were sent. A
 * create is stored under its identifier texts, any other change whose answer was lost under the `id:…` of its contacts.
 */
export function createSentWriteStore(file: JournalDatabase, workspace: number, times: SessionTimeConverter) {
  const seen = new BloomFilter();
  // The filter contains only the notes of this session. If the table had none of this workspace when the session began,
  // a text that is not in the filter has no note.
  const isEmpty = !hasRow(file)`SELECT 1 FROM created WHERE workspace = ${workspace} LIMIT 1`;
  // Notes that are not committed yet, so that a read does not return the outdated value of the table.
  const waiting = new Map<string, { readonly sentAt: number | undefined }>();
  return {
    /**
     * Notes the time (ms) at which a request about these identifiers was last sent; undefined removes the note. Returns
     * a function that stores the change.
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
    /**
     * Returns the latest time (ms) at which a noted request for this identifier may have been sent; undefined if there
     * is none.
     */
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

/** Deletes the notes about writes sent before `before` (ms since 1970): their effects are visible by now. */
export function deleteSentWritesBefore(file: JournalDatabase, workspace: number, before: number): void {
  runSql(file)`DELETE FROM created WHERE workspace = ${workspace} AND sent_at < ${before}`;
}
