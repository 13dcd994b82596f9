import { nullable, number, type RowOf, text } from '../../storage/columns.ts';
import { change, insert, put, query, select, selectCount } from '../../storage/sql.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';
import { emailKey, type Identifier } from '../rules/identifier.ts';

export const contactRow = {
  id: number,
  firstName: nullable(text),
  lastName: nullable(text),
  phone: nullable(text),
  email: nullable(text),
  language: nullable(text),
  profilePic: nullable(text),
  countryCode: nullable(text),
  /** JSON object: values as their type has them, by the id of the custom field. */
  custom: text,
  status: text,
  assignee: nullable(number),
  lifecycle: nullable(text),
  /** Unix seconds. */
  created_at: number,
  isBlocked: number,
  /** Milliseconds: until then the contact is in processing. */
  readyAt: number,
  closingCategory: nullable(text),
  closingSummary: nullable(text),
};
export type ContactRow = RowOf<typeof contactRow>;

export type NewContact = Omit<ContactRow, 'id'> & { readonly id?: number | undefined };

/** A contact without any values. */
export const emptyContact: Omit<ContactRow, 'id' | 'created_at' | 'readyAt'> = {
  firstName: null,
  lastName: null,
  phone: null,
  email: null,
  language: null,
  profilePic: null,
  countryCode: null,
  custom: '{}',
  status: 'open',
  assignee: null,
  lifecycle: null,
  isBlocked: 0,
  closingCategory: null,
  closingSummary: null,
};

/** The result of finding a contact by an identifier; of several contacts the first that is visible. */
export type ContactLookup =
  | { readonly kind: 'ready'; readonly row: ContactRow }
  | { readonly kind: 'processing' }
  | { readonly kind: 'absent' };

export function createContactStore(db: SqliteFile) {
  // Ready ones first, the oldest of them first: the specification updates "the first one" of several.
  const first = (condition: string) =>
    query(db, contactRow, `SELECT * FROM contacts WHERE ${condition} ORDER BY readyAt > ?, id LIMIT 1`);
  const finders = { id: first('id = ?'), email: first('emailKey = ?'), phone: first('phone = ?') };
  const keyOf = (email: string | null): string | null => (email === null ? null : emailKey(email));
  return {
    find(identifier: Identifier, now: number): ContactLookup {
      const row = finders[identifier.kind].get(lookupKey(identifier), now);
      if (row === undefined) return { kind: 'absent' };
      return row.readyAt <= now ? { kind: 'ready', row } : { kind: 'processing' };
    },
    /** Returns the contact of an id, also one in processing. */
    byId: (id: number) => finders.id.get(id, 0),
    add: (contact: NewContact) =>
      insert(db, 'contacts', { ...contact, id: contact.id ?? null, emailKey: keyOf(contact.email) }),
    save: (row: ContactRow) => put(db, 'contacts', { ...row, emailKey: keyOf(row.email) }),
    remove: (id: number) => change(db)`DELETE FROM contacts WHERE id = ${id}`,
    /** Sets the least id of contacts that are added from now on. */
    createFrom(id: number): void {
      change(db)`DELETE FROM sqlite_sequence WHERE name = 'contacts'`;
      insert(db, 'sqlite_sequence', { name: 'contacts', seq: id - 1 });
    },
    /** Returns up to `limit` contacts after `id`, those in processing included. */
    after: (id: number, limit: number): readonly ContactRow[] =>
      select(db, contactRow)`SELECT * FROM contacts WHERE id > ${id} ORDER BY id LIMIT ${limit}`,
    count: () => selectCount(db)`SELECT count(*) AS n FROM contacts`,
  };
}

function lookupKey(identifier: Identifier): string | number {
  switch (identifier.kind) {
    case 'id':
      return identifier.id;
    case 'email':
      return identifier.key;
    case 'phone':
      return identifier.text;
  }
}
