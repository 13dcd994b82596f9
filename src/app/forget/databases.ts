import { jsonObjectColumn, numberColumn } from '../../storage/columns.ts';
import { prepareQuery } from '../../storage/sql.ts';
import { compactDatabase, openSqlite, type SqliteConnection } from '../../storage/sqlite.ts';

/** The ids and texts by which a person is found in a database of a work dir. */
export interface PersonSearchCriteria {
  /** The person's contact ids in the workspace of the database. */
  readonly contacts: ReadonlySet<number>;
  /** The person's keys in the input, without `key:`. */
  readonly keys: ReadonlySet<string>;
  /** The sequence numbers of the person's rows in the run of the database. */
  readonly seqs: ReadonlySet<number>;
  /** Returns the text with the person's texts removed; null if it contains none of them. */
  readonly without: (text: string) => string | null;
}

/**
 * Removes a person's rows, steps and contacts from a run's copy of a plan, and whatever of the plan may quote the person:
 * its requests, diff and summary. Returns true if rows, steps, requests or contacts were removed.
 */
export function forgetPersonInPlan(path: string, person: PersonSearchCriteria): boolean {
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
    // The requests, the diff and the stored summary are needed only to show the plan. The contacts of other people
    // stay, because an import needs them to recognise the contacts that the plan creates.
    const { changes: requests } = file.prepare('DELETE FROM request').run();
    const { changes: contacts } = file
      .prepare(
        'DELETE FROM contact WHERE is_contact(id) OR mentions(email) OR mentions(phone) OR mentions(after)',
      )
      .run();
    file.exec(`DELETE FROM seen WHERE is_contact(contact); DROP TABLE IF EXISTS diff;
      DELETE FROM fact WHERE name = 'kept'`);
    return seqs.length + requests + contacts > 0;
  });
}

/**
 * Clears the fields of a person's contact in the sync state of an export; returns true if it changed. The contact's id
 * and newest message stay, so that nothing is exported twice.
 */
export function forgetPersonInSyncState(path: string, person: PersonSearchCriteria): boolean {
  return inDatabase(path, person, (file) => emptyContacts(file, 'given', 'id'));
}

/**
 * Clears a person's contact in a run's copy of a workspace, and the messages of each contact that mentions the person
 * in its fields or messages; the database rows stay. Returns true if anything was cleared.
 */
export function forgetPersonInWorkspaceCopy(path: string, person: PersonSearchCriteria): boolean {
  return inDatabase(path, person, (file) => {
    const { changes } = file
      .prepare(
        `UPDATE contact SET messages = '[]'
         WHERE messages IS NOT NULL AND messages <> '[]' AND (mentions(json) OR mentions(messages))`,
      )
      .run();
    return emptyContacts(file, 'json', undefined) || changes > 0;
  });
}

/** Returns true if a person is in the staging file of an unfinished export. */
export function isPersonInStagingFile(path: string, person: PersonSearchCriteria): boolean {
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

function emptyContacts(file: SqliteConnection, column: string, idColumn: string | undefined): boolean {
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

function inDatabase(
  path: string,
  person: PersonSearchCriteria,
  work: (file: SqliteConnection) => boolean,
): boolean {
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

function addFunctions(file: SqliteConnection, { contacts, keys, seqs, without }: PersonSearchCriteria): void {
  const ask = (name: string, answer: (value: unknown) => boolean) =>
    file.function(name, { deterministic: true }, (value: unknown) => (answer(value) ? 1 : 0));
  ask('mentions', (text) => typeof text === 'string' && without(text) !== null);
  ask('is_contact', (id) => contacts.has(Number(id)));
  ask('is_key', (key) => typeof key === 'string' && keys.has(key));
  ask('is_seq', (seq) => seqs.has(Number(seq)));
}
