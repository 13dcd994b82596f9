import { compactDatabase, openSqlite, type SqliteConnection } from '../storage/sqlite.ts';
import { toEmailKey } from './rules/identifier.ts';

/** The contacts to remove from the file of a local workspace. */
export interface ContactsToForget {
  /**
   * Returns the ids of the contacts to remove from the workspace with this sandbox id; in another workspace, the same
   * ids are other contacts.
   */
  readonly ids: (sandboxId: string) => readonly number[];
  readonly emails: readonly string[];
  readonly phones: readonly string[];
}

/** Removes contacts with all of their data from the file of a local workspace; returns their number. */
export function forgetContacts(path: string, { ids, emails, phones }: ContactsToForget): number {
  const file = openSqlite(path, { timeout: 0 });
  try {
    file.pragma('secure_delete = ON');
    const sandboxId =
      file.prepare<[], string>("SELECT value FROM meta WHERE key = 'sandboxId'").pluck().get() ?? '';
    const found = new Set([
      ...ids(sandboxId).flatMap((id) => idsBy(file, 'id', id)),
      ...emails.flatMap((email) => idsBy(file, 'emailKey', toEmailKey(email))),
      ...phones.flatMap((phone) => idsBy(file, 'phone', phone)),
    ]);
    const removals = [
      'DELETE FROM comments WHERE contact = ?',
      'DELETE FROM messages WHERE contact = ?',
      'DELETE FROM contact_tags WHERE contact = ?',
      'DELETE FROM contacts WHERE id = ?',
    ].map((sql) => file.prepare<[number]>(sql));
    const remove = file.transaction(() => {
      for (const id of found) for (const removal of removals) removal.run(id);
    });
    remove.immediate();
    if (found.size > 0) compactDatabase(file);
    return found.size;
  } finally {
    file.close();
  }
}

function idsBy(
  file: SqliteConnection,
  column: 'id' | 'emailKey' | 'phone',
  value: string | number,
): readonly number[] {
  return file
    .prepare<[string | number], number>(`SELECT id FROM contacts WHERE ${column} = ?`)
    .pluck()
    .all(value);
}
