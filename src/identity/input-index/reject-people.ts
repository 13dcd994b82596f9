import type { SqliteConnection } from '../../storage/sqlite.ts';

/** The policy for several rows of one person: merge them, import only the first or the last, or reject them all. */
export type DuplicatesPolicy = 'merge' | 'first' | 'last' | 'reject';

/**
 * Records the rows to reject: those with a reused key, without an identifier of their own, or with more tags than a
 * contact takes, and those that `policy.duplicates` rejects. Rows that exceed a limit only when merged are not found
 * here.
 */
export function recordRejectedRows(file: SqliteConnection, duplicates: DuplicatesPolicy): void {
  file.exec(`${refused}
    INSERT OR IGNORE INTO rejected (seq, line, sheet) SELECT seq, line, sheet FROM scratch.refused WHERE root IS NULL;
    INSERT OR IGNORE INTO rejected (seq, line, sheet) ${ofSeveralRows[duplicates]};
    DROP TABLE scratch.refused`);
}

/**
 * The SQL that lists the rows that would be rejected on their own. Under `merge`, all rows of a person are rejected if
 * one of them is `whole` (with a reused key or too many tags), or if all of them are listed.
 */
const refused = `
CREATE TABLE scratch.refused AS
SELECT row.seq, row.line, row.sheet, linked.root, reused.seq IS NOT NULL OR row.overfull AS whole
FROM scratch.row AS row
LEFT JOIN linked USING (seq) LEFT JOIN reused USING (seq) LEFT JOIN question USING (seq) LEFT JOIN shared USING (seq)
WHERE reused.seq IS NOT NULL OR question.seq IS NULL AND (
  row.overfull
  OR (row.email IS NULL OR shared.email IS NOT NULL)
  AND (row.phone IS NULL OR shared.phone IS NOT NULL OR row.phone IN (SELECT phone FROM weak)));`;

const ofSeveralRows: Readonly<Record<DuplicatesPolicy, string>> = {
  merge: `SELECT seq, line, sheet FROM linked JOIN scratch.row USING (seq) WHERE root IN (
    SELECT root FROM scratch.refused JOIN linked_group ON first = root
    GROUP BY root HAVING max(whole) OR count(*) = size)`,
  first: 'SELECT seq, line, sheet FROM scratch.refused WHERE seq = root',
  last: 'SELECT seq, line, sheet FROM scratch.refused JOIN linked_group ON first = root WHERE seq = last',
  reject: 'SELECT seq, line, sheet FROM linked JOIN scratch.row USING (seq)',
};
