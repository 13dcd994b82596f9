import { number } from '../../storage/columns.ts';
import { change, select } from '../../storage/sql.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';

/**
 * Says of those without an id which contact they became (of several with the first name that was sent), and what other
 * runs wrote to that contact since. Where it turns out to be one that is expected already, the two become one.
 */
export function claim(file: SqliteFile): void {
  const claimAll = file.transaction(() => {
    change(file)`
      UPDATE subject SET contact = (
        SELECT met.contact FROM met JOIN found ON found.contact = met.contact WHERE met.subject = subject.number
        ORDER BY json_extract(found.body, '$.firstName') IS NOT subject.firstName, met.contact LIMIT 1)
      WHERE contact IS NULL`;
    file.exec(overtake);
    for (const { from, into } of doubles(file)) join(file, from, into);
  });
  claimAll();
}

/** The value that was written later counts. */
const later = `ON CONFLICT (subject, kind, name) DO UPDATE SET at = excluded.at, run = excluded.run, sure = excluded.sure,
  want = excluded.want, was = excluded.was WHERE excluded.at >= at`;

const overtake = `
INSERT INTO expected SELECT subject.number, later.kind, later.name, later.at, later.run, later.sure, later.want, later.was
  FROM subject JOIN later ON later.subject = subject.contact
  JOIN expected AS own ON own.subject = subject.number AND own.kind = later.kind AND own.name = later.name
  WHERE subject.number < 0 ${later}`;

/** Several that are one contact. */
function doubles(file: SqliteFile): readonly { readonly from: number; readonly into: number }[] {
  return select(file, { from: number, into: number })`
    SELECT subject.number AS "from", one.number AS "into" FROM subject JOIN (
      SELECT contact, max(number) AS number FROM subject WHERE contact IS NOT NULL GROUP BY contact HAVING count(*) > 1
    ) AS one ON one.contact = subject.contact WHERE subject.number <> one.number`;
}

function join(file: SqliteFile, from: number, into: number): void {
  file
    .prepare<[number, number]>(
      `INSERT INTO expected SELECT ?, kind, name, at, run, sure, want, was FROM expected WHERE subject = ? ${later}`,
    )
    .run(into, from);
  change(file)`INSERT OR IGNORE INTO deferred SELECT ${into}, step FROM deferred WHERE subject = ${from}`;
  change(file)`
    UPDATE subject SET comments = subject.comments + other.comments, closings = subject.closings + other.closings,
      line = coalesce(subject.line, other.line), sheet = coalesce(subject.sheet, other.sheet),
      key = coalesce(subject.key, other.key)
    FROM subject AS other WHERE subject.number = ${into} AND other.number = ${from}`;
  change(file)`DELETE FROM expected WHERE subject = ${from}`;
  change(file)`DELETE FROM deferred WHERE subject = ${from}`;
  change(file)`DELETE FROM subject WHERE number = ${from}`;
}
