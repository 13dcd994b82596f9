import { jsonObjectColumn, numberColumn } from '../../storage/columns.ts';
import { prepareQuery } from '../../storage/sql.ts';
import { compactDatabase, openSqlite, type SqliteFile } from '../../storage/sqlite.ts';

/** A person as named in a database of a work dir. */
export interface PersonInDatabase {
  /** Of the workspace that the database is about. */
  readonly contacts: ReadonlySet<number>;
  /** Source keys, without `key:`. */
  readonly keys: ReadonlySet<string>;
  /** The person's rows in the run that the database belongs to. */
  readonly seqs: ReadonlySet<number>;
  /** Returns a text without the person; null where the person is not in it. */
  readonly without: (text: string) => string | null;
}

/** Takes a person out of a run's copy of a plan: their rows are no longer planned. */
export function forgetInPlan(path: string, person: PersonInDatabase): boolean {
  return inDatabase(path, person, (file) => {
    const theirs = `seq IN (SELECT seq FROM row WHERE is_key(key) OR is_contact(contact) OR mentions(problems)
      UNION SELECT seq FROM step WHERE is_seq(seq) OR is_contact(contact) OR mentions(intent) OR mentions(before))`;
    const seqs = prepareQuery(
      file,
      { seq: numberColumn },
      `SELECT seq FROM row WHERE seq >= 0 AND ${theirs}
      UNION SELECT seq FROM step WHERE seq >= 0 AND ${theirs}`,
    ).all();
    const removeStep = file.prepare<[number]>('DELETE FROM step WHERE seq = ?');
    const removeRow = file.prepare<[number]>('DELETE FROM row WHERE seq = ?');
    for (const { seq } of seqs) {
      removeStep.run(seq);
      removeRow.run(seq);
    }
    // Read only when the plan is shown, and not by its import.
    const { changes } = file.prepare('DELETE FROM request').run();
    file.exec(`DELETE FROM contact; DELETE FROM seen WHERE is_contact(contact);
      DROP TABLE IF EXISTS diff; DELETE FROM fact WHERE name = 'kept'`);
    return seqs.length + changes > 0;
  });
}

/** Empties a person's contact in the sync state of an export; its id and its newest message stay, so that nothing is exported twice. */
export function forgetInSyncState(path: string, person: PersonInDatabase): boolean {
  return inDatabase(path, person, (file) => emptyContacts(file, 'given', 'id'));
}

/** Empties a person's contact in the copy of a workspace that a run reads; its place stays. */
export function forgetInCopy(path: string, person: PersonInDatabase): boolean {
  return inDatabase(path, person, (file) => {
    file.exec(`UPDATE contact SET messages = '[]' WHERE messages IS NOT NULL
      AND (mentions(json) OR mentions(messages))`);
    return emptyContacts(file, 'json', undefined);
  });
}

/** Whether a person is in the database of an unfinished export. */
export function isInStaging(path: string, person: PersonInDatabase): boolean {
  const file = openSqlite(path);
  try {
    addFunctions(file, person);
    const found = file.prepare(`SELECT 1 FROM contact WHERE is_contact(id) OR mentions(given) UNION ALL
      SELECT 1 FROM message WHERE mentions(given) LIMIT 1`);
    return found.get() !== undefined;
  } finally {
    file.close();
  }
}

function emptyContacts(file: SqliteFile, column: string, idColumn: string | undefined): boolean {
  const whose = idColumn === undefined ? '' : `is_contact(${idColumn}) OR `;
  const found = prepareQuery(
    file,
    { id: numberColumn, record: jsonObjectColumn },
    `SELECT id, ${column} AS record FROM contact WHERE ${whose}mentions(${column})`,
  ).all();
  const empty = file.prepare<[string, number]>(`UPDATE contact SET ${column} = ? WHERE id = ?`);
  for (const { id, record } of found) {
    const fields = Object.entries(record);
    const emptied = fields.map(([name, value]) => [
      name,
      name === 'id' ? value : Array.isArray(value) ? [] : null,
    ]);
    empty.run(JSON.stringify(Object.fromEntries(emptied)), id);
  }
  return found.length > 0;
}

function inDatabase(path: string, person: PersonInDatabase, work: (file: SqliteFile) => boolean): boolean {
  const file = openSqlite(path);
  try {
    file.pragma('secure_delete = ON');
    addFunctions(file, person);
    const changed = file.transaction(() => work(file)).immediate();
    if (changed) compactDatabase(file);
    return changed;
  } finally {
    file.close();
  }
}

function addFunctions(file: SqliteFile, { contacts, keys, seqs, without }: PersonInDatabase): void {
  const ask = (name: string, answer: (value: unknown) => boolean) =>
    file.function(name, { deterministic: true }, (value: unknown) => (answer(value) ? 1 : 0));
  ask('mentions', (text) => typeof text === 'string' && without(text) !== null);
  ask('is_contact', (id) => contacts.has(Number(id)));
  ask('is_key', (key) => typeof key === 'string' && keys.has(key));
  ask('is_seq', (seq) => seqs.has(Number(seq)));
}
