import { nullableColumn, numberColumn, type TypedRow, textColumn } from '../../storage/columns.ts';
import { insertRow, prepareQuery, replaceRow, runSql, select, selectCount } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { type ContactPathIdentifier, toEmailKey } from '../rules/identifier.ts';

export const contactRowColumns = {
  id: numberColumn,
  firstName: nullableColumn(textColumn),
  lastName: nullableColumn(textColumn),
  phone: nullableColumn(textColumn),
  email: nullableColumn(textColumn),
  language: nullableColumn(textColumn),
  profilePic: nullableColumn(textColumn),
  countryCode: nullableColumn(textColumn),
  /** JSON object: values by the id of their custom field, each in the JSON type of the field. */
  custom: textColumn,
  status: textColumn,
  assignee: nullableColumn(numberColumn),
  lifecycle: nullableColumn(textColumn),
  /** Unix seconds. */
  created_at: numberColumn,
  isBlocked: numberColumn,
  /** The time (ms since 1970) until which the contact is in processing. */
  readyAt: numberColumn,
  closingCategory: nullableColumn(textColumn),
  closingSummary: nullableColumn(textColumn),
};
export type ContactRow = TypedRow<typeof contactRowColumns>;

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

/**
 * The result of a look-up of a contact by identifier. Of several contacts with the identifier, the oldest visible one
 * is found.
 */
export type ContactLookupResult =
  | { readonly kind: 'ready'; readonly row: ContactRow }
  | { readonly kind: 'processing' }
  | { readonly kind: 'absent' };

export function createContactStore(db: SqliteConnection) {
  // Ready ones first, the oldest of them first: the specification updates "the first one" of several.
  const first = (condition: string) =>
    prepareQuery(
      db,
      contactRowColumns,
      `SELECT * FROM contacts WHERE ${condition} ORDER BY readyAt > ?, id LIMIT 1`,
    );
  const finders = { id: first('id = ?'), email: first('emailKey = ?'), phone: first('phone = ?') };
  const keyOf = (email: string | null): string | null => (email === null ? null : toEmailKey(email));
  return {
    find(identifier: ContactPathIdentifier, now: number): ContactLookupResult {
      const row = finders[identifier.kind].get(lookupKey(identifier), now);
      if (row === undefined) return { kind: 'absent' };
      return row.readyAt <= now ? { kind: 'ready', row } : { kind: 'processing' };
    },
    /** Returns the contact with this id, even if it is still in processing. */
    byId: (id: number) => finders.id.get(id, 0),
    add: (contact: NewContact) =>
      insertRow(db, 'contacts', { ...contact, id: contact.id ?? null, emailKey: keyOf(contact.email) }),
    save: (row: ContactRow) => replaceRow(db, 'contacts', { ...row, emailKey: keyOf(row.email) }),
    remove: (id: number) => runSql(db)`DELETE FROM contacts WHERE id = ${id}`,
    /** Sets the lowest id of the contacts that are added from now on. */
    createFrom(id: number): void {
      runSql(db)`DELETE FROM sqlite_sequence WHERE name = 'contacts'`;
      insertRow(db, 'sqlite_sequence', { name: 'contacts', seq: id - 1 });
    },
    /** Returns up to `limit` contacts after `id`, those in processing included. */
    after: (id: number, limit: number): readonly ContactRow[] =>
      select(db, contactRowColumns)`SELECT * FROM contacts WHERE id > ${id} ORDER BY id LIMIT ${limit}`,
    count: () => selectCount(db)`SELECT count(*) AS n FROM contacts`,
  };
}

function lookupKey(identifier: ContactPathIdentifier): string | number {
  switch (identifier.kind) {
    case 'id':
      return identifier.id;
    case 'email':
      return identifier.key;
    case 'phone':
      return identifier.text;
  }
}
