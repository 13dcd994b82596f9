import { change } from '../../storage/sql.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';
import { comparableEmail, comparablePhone } from '../comparable.ts';

/** What identifies a row of the input. */
export interface InputRow {
  readonly seq: number;
  readonly key: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** Who it is where there is no e-mail: the name in lower case. */
  readonly person: string;
}

/** Writes rows as they come; nothing is sorted yet. */
export function rowWriter(file: SqliteFile): (row: InputRow) => void {
  return ({ seq, key, email, phone, person }) => {
    const address = comparableEmail(email);
    const who = address === null ? `name:${person}` : `email:${address}`;
    change(file)`REPLACE INTO scratch.row (seq, key, email, phone, person)
      VALUES (${seq}, ${key === '' ? null : key}, ${address}, ${comparablePhone(phone)}, ${hashOf(who)})`;
  };
}

/** FNV-1a: people are only counted by it, per phone, so that two with one hash do no harm. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
