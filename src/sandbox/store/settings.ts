import { z } from 'zod';
import { change, insert, type Stored, select, selectOne } from '../../storage/sql.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';
import type { FieldDefinition } from '../rules/data-types.ts';
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

const userBody: z.ZodType<Omit<User, 'id'>> = z.looseObject({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: z.string(),
  team: z.looseObject({ id: z.number(), name: z.string() }).nullable(),
  restrictions: z.array(z.string()),
});

const allowedValues = z.array(z.string());
const templateBody = z.looseObject({});

export interface UserRow {
  readonly id: number;
  readonly body: string;
}

type NewUser = Omit<User, 'id'> & { readonly id?: number | undefined };

export function createUserStore(db: SqliteFile) {
  const shown = (row: UserRow | undefined): User | undefined => row && userOf(row);
  return {
    // Not those with a pending invitation.
    byId: (id: number) =>
      shown(selectOne<UserRow>(db)`SELECT id, body FROM users WHERE id = ${id} AND pending = 0`),
    /** Also a user that is listed nowhere and still has contacts. */
    assigned: (id: number) => shown(selectOne<UserRow>(db)`SELECT id, body FROM users WHERE id = ${id}`),
    byEmail: (email: string) =>
      shown(selectOne<UserRow>(db)`
        SELECT id, body FROM users WHERE emailKey = ${emailKey(email)} AND pending = 0`),
    /** Adds a user that is one no more and may share an e-mail with one. */
    addFormer({ id, ...body }: User): void {
      insert(db, 'users', { id, emailKey: `id:${id}`, pending: 1, body: JSON.stringify(body) });
    },
    add({ id, ...body }: NewUser, pending: boolean): void {
      const user = { id: id ?? null, emailKey: emailKey(body.email), pending: pending ? 1 : 0 };
      insert(db, 'users', { ...user, body: JSON.stringify(body) });
    },
  };
}

export function userOf(row: UserRow): User {
  return { id: row.id, ...userBody.parse(JSON.parse(row.body)) };
}

export interface ClosingNoteRow {
  readonly id: number;
  readonly category: string;
  readonly description: string | null;
}

export function createClosingNoteStore(db: SqliteFile) {
  return {
    /** Sorted by category. */
    all: (): readonly ClosingNoteRow[] =>
      select<ClosingNoteRow>(db)`SELECT * FROM closing_notes ORDER BY category, id`,
    has: (category: string) =>
      selectOne(db)`SELECT id FROM closing_notes WHERE category = ${category}` !== undefined,
    add: (category: string, description: string | null) =>
      void insert(db, 'closing_notes', { category, description }),
  };
}

type NewField = Omit<FieldDefinition, 'id'> & { readonly id?: number | undefined };

/** The definitions, read once and kept: every contact that is shown needs them. */
export function createCustomFieldStore(db: SqliteFile) {
  let all: readonly FieldDefinition[] = [];
  let byName = new Map<string, FieldDefinition>();
  const read = (): void => {
    const rows = select<Stored<FieldDefinition, 'allowedValues'>>(db)`
      SELECT * FROM custom_fields ORDER BY id`;
    all = rows.map((row) => ({ ...row, allowedValues: allowedValues.parse(JSON.parse(row.allowedValues)) }));
    byName = new Map(all.map((field) => [field.name, field]));
  };
  read();
  return {
    /** Reads them again, after something else has changed them. */
    read,
    all: () => all,
    named: (name: string) => byName.get(name),
    withSlug: (slug: string) => all.find((field) => field.slug === slug),
    withId: (id: number) => all.find((field) => field.id === id),
    add(field: NewField): FieldDefinition {
      const allowedValues = JSON.stringify(field.allowedValues);
      const id = insert(db, 'custom_fields', { ...field, id: field.id ?? null, allowedValues });
      read();
      return { ...field, id };
    },
  };
}

export interface TemplateRow {
  readonly id: number;
  readonly channel: number;
  /** JSON object: the template without its id and its channel's. */
  readonly body: string;
}

export function createChannelStore(db: SqliteFile) {
  return {
    has: (id: number) => selectOne(db)`SELECT id FROM channels WHERE id = ${id}` !== undefined,
    /** Makes the channel where it is missing. */
    add: (id: number) => change(db)`INSERT OR IGNORE INTO channels (id) VALUES (${id})`,
    addTemplate: (channel: number, id: number | undefined, body: object) =>
      void insert(db, 'templates', { id: id ?? null, channel, body: JSON.stringify(body) }),
  };
}

/** A message template as the interface shows it (specification: Message template). */
export function templateOf(row: TemplateRow): object {
  return { id: row.id, channelId: row.channel, ...templateBody.parse(JSON.parse(row.body)) };
}
