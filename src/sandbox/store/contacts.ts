import type { SqliteFile } from '../../storage/sqlite.ts';
import { emailKey, type Identifier } from '../rules/identifier.ts';

export interface ContactRow {
  readonly id: number;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly language: string | null;
  readonly profilePic: string | null;
  readonly countryCode: string | null;
  /** JSON object: values as their type has them, by the id of the custom field. */
  readonly custom: string;
  readonly status: string;
  readonly assignee: number | null;
  readonly lifecycle: string | null;
  /** Unix seconds. */
  readonly created_at: number;
  readonly isBlocked: number;
  /** Milliseconds: until then the contact is in processing. */
  readonly readyAt: number;
  readonly closingCategory: string | null;
  readonly closingSummary: string | null;
}

export type NewContact = Omit<ContactRow, 'id'> & { readonly id?: number | undefined };

/** A contact nobody has said anything about. */
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

/** What stands behind an identifier; of several contacts the first that can be seen. */
export type Found =
  | { readonly kind: 'ready'; readonly row: ContactRow }
  | { readonly kind: 'processing' }
  | { readonly kind: 'absent' };

export interface ContactStore {
  find(identifier: Identifier, now: number): Found;
  /** Also one in processing. */
  byId(id: number): ContactRow | undefined;
  add(contact: NewContact): number;
  save(row: ContactRow): void;
  remove(id: number): void;
  /** Up to `limit` contacts after `id`, those in processing included. */
  after(id: number, limit: number): readonly ContactRow[];
  count(): number;
}

const columns = [
  'firstName',
  'lastName',
  'phone',
  'email',
  'language',
  'profilePic',
  'countryCode',
  'custom',
  'status',
  'assignee',
  'lifecycle',
  'created_at',
  'isBlocked',
  'readyAt',
  'closingCategory',
  'closingSummary',
] as const;

export function createContactStore(db: SqliteFile): ContactStore {
  // Ready ones first, the oldest of them first: the specification updates "the first one" of several.
  const first = (condition: string) =>
    db.prepare<[string | number, number], ContactRow>(
      `SELECT * FROM contacts WHERE ${condition} ORDER BY readyAt > ?, id LIMIT 1`,
    );
  const finders = { id: first('id = ?'), email: first('emailKey = ?'), phone: first('phone = ?') };
  const names = [...columns, 'emailKey'];
  const insert = db.prepare(
    `INSERT INTO contacts (id, ${names.join(', ')}) VALUES (@id, ${names.map((name) => `@${name}`).join(', ')})`,
  );
  const update = db.prepare(
    `UPDATE contacts SET ${names.map((name) => `${name} = @${name}`).join(', ')} WHERE id = @id`,
  );
  const byId = db.prepare<[number], ContactRow>('SELECT * FROM contacts WHERE id = ?');
  const remove = db.prepare<[number]>('DELETE FROM contacts WHERE id = ?');
  const after = db.prepare<[number, number], ContactRow>(
    'SELECT * FROM contacts WHERE id > ? ORDER BY id LIMIT ?',
  );
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM contacts');
  const keyOf = (email: string | null): string | null => (email === null ? null : emailKey(email));

  return {
    find(identifier, now) {
      const row = finders[identifier.kind].get(lookupKey(identifier), now);
      if (row === undefined) return { kind: 'absent' };
      return row.readyAt <= now ? { kind: 'ready', row } : { kind: 'processing' };
    },
    byId: (id) => byId.get(id),
    add(contact) {
      const row = { ...contact, id: contact.id ?? null, emailKey: keyOf(contact.email) };
      return Number(insert.run(row).lastInsertRowid);
    },
    save: (row) => {
      update.run({ ...row, emailKey: keyOf(row.email) });
    },
    remove: (id) => {
      remove.run(id);
    },
    after: (id, limit) => after.all(id, limit),
    count: () => count.get()?.n ?? 0,
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
