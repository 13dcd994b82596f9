import type { SqliteFile } from '../../storage/sqlite.ts';
import { emailKey } from '../rules/identifier.ts';

/** A user as the interface shows it (specification: User). */
export interface User {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly role: string;
  readonly team: { readonly id: number; readonly name: string } | null;
  readonly restrictions: readonly string[];
}

export interface UserRow {
  readonly id: number;
  readonly body: string;
}

export type NewUser = Omit<User, 'id'> & { readonly id?: number | undefined };

export interface UserStore {
  /** Not those with a pending invitation. */
  byId(id: number): User | undefined;
  byEmail(email: string): User | undefined;
  add(user: NewUser, pending: boolean): void;
}

export function createUserStore(db: SqliteFile): UserStore {
  const byId = db.prepare<[number], UserRow>('SELECT id, body FROM users WHERE id = ? AND pending = 0');
  const byEmail = db.prepare<[string], UserRow>(
    'SELECT id, body FROM users WHERE emailKey = ? AND pending = 0',
  );
  const insert = db.prepare<[number | null, string, number, string]>(
    'INSERT INTO users (id, emailKey, pending, body) VALUES (?, ?, ?, ?)',
  );
  const shown = (row: UserRow | undefined): User | undefined => (row === undefined ? undefined : userOf(row));
  return {
    byId: (id) => shown(byId.get(id)),
    byEmail: (email) => shown(byEmail.get(emailKey(email))),
    add({ id, ...body }, pending) {
      insert.run(id ?? null, emailKey(body.email), pending ? 1 : 0, JSON.stringify(body));
    },
  };
}

export function userOf(row: UserRow): User {
  const body: Omit<User, 'id'> = JSON.parse(row.body);
  return { id: row.id, ...body };
}
