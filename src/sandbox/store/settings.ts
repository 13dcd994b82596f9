import { z } from 'zod';
import {
  enumColumn,
  jsonColumn,
  jsonObjectColumn,
  nullableColumn,
  numberColumn,
  type TypedRow,
  textColumn,
} from '../../storage/columns.ts';
import { hasRow, insertRow, runSql, select, selectOne } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { type FieldDefinition, fieldDataTypes } from '../rules/data-types.ts';
import { toEmailKey } from '../rules/identifier.ts';

/** A user as the interface shows it (specification: User). */
export interface UserView {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly role: string;
  readonly team: { readonly id: number; readonly name: string } | null;
  readonly restrictions: readonly string[];
}

const userBody = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: z.string(),
  team: z.object({ id: z.number(), name: z.string() }).nullable(),
  restrictions: z.array(z.string()),
});
export const userRowColumns = { id: numberColumn, body: jsonColumn(userBody) };
export type UserRow = TypedRow<typeof userRowColumns>;

type NewUser = Omit<UserView, 'id'> & { readonly id?: number | undefined };

export function createUserStore(db: SqliteConnection) {
  const shown = (row: UserRow | undefined): UserView | undefined => row && toUserView(row);
  return {
    // Users with a pending invitation, and former users, are not found.
    byId: (id: number) =>
      shown(selectOne(db, userRowColumns)`SELECT id, body FROM users WHERE id = ${id} AND pending = 0`),
    /**
     * Returns the user of an id, even one that `byId` does not find, such as a former user who is still assigned to
     * contacts.
     */
    assigned: (id: number) =>
      shown(selectOne(db, userRowColumns)`SELECT id, body FROM users WHERE id = ${id}`),
    byEmail: (email: string) =>
      shown(selectOne(db, userRowColumns)`
        SELECT id, body FROM users WHERE emailKey = ${toEmailKey(email)} AND pending = 0`),
    /** Adds a former user, whose e-mail a present user may have. */
    addFormer({ id, ...body }: UserView): void {
      insertRow(db, 'users', { id, emailKey: `id:${id}`, pending: 1, body: JSON.stringify(body) });
    },
    add({ id, ...body }: NewUser, pending: boolean): void {
      const user = { id: id ?? null, emailKey: toEmailKey(body.email), pending: pending ? 1 : 0 };
      insertRow(db, 'users', { ...user, body: JSON.stringify(body) });
    },
  };
}

export function toUserView({ id, body }: UserRow): UserView {
  return { id, ...body };
}

const closingNoteRow = { id: numberColumn, category: textColumn, description: nullableColumn(textColumn) };
export type ClosingNoteRow = TypedRow<typeof closingNoteRow>;

export function createClosingNoteStore(db: SqliteConnection) {
  return {
    /** Sorted by category. */
    all: (): readonly ClosingNoteRow[] =>
      select(db, closingNoteRow)`SELECT * FROM closing_notes ORDER BY category, id`,
    has: (category: string) => hasRow(db)`SELECT id FROM closing_notes WHERE category = ${category}`,
    add: (category: string, description: string | null) =>
      void insertRow(db, 'closing_notes', { category, description }),
  };
}

type NewField = Omit<FieldDefinition, 'id'> & { readonly id?: number | undefined };

const fieldRow = {
  id: numberColumn,
  name: textColumn,
  slug: textColumn,
  description: textColumn,
  dataType: enumColumn(fieldDataTypes),
  allowedValues: jsonColumn(z.array(z.string())),
};

/** Creates the store of custom field definitions, which it caches: every contact that is shown needs them. */
export function createCustomFieldStore(db: SqliteConnection) {
  let all: readonly FieldDefinition[] = [];
  let byName = new Map<string, FieldDefinition>();
  const read = (): void => {
    all = select(db, fieldRow)`SELECT * FROM custom_fields ORDER BY id`;
    byName = new Map(all.map((field) => [field.name, field]));
  };
  read();
  return {
    /** Reads the definitions again; call it after the table was changed other than by `add`. */
    read,
    all: () => all,
    named: (name: string) => byName.get(name),
    withSlug: (slug: string) => all.find((field) => field.slug === slug),
    withId: (id: number) => all.find((field) => field.id === id),
    add(field: NewField): FieldDefinition {
      const allowedValues = JSON.stringify(field.allowedValues);
      const id = insertRow(db, 'custom_fields', { ...field, id: field.id ?? null, allowedValues });
      read();
      return { ...field, id };
    },
  };
}

/** The columns of a stored template; `body` is the template without its own id and the id of its channel. */
export const templateRowColumns = { id: numberColumn, channel: numberColumn, body: jsonObjectColumn };
export type TemplateRow = TypedRow<typeof templateRowColumns>;

export function createChannelStore(db: SqliteConnection) {
  return {
    has: (id: number) => hasRow(db)`SELECT id FROM channels WHERE id = ${id}`,
    /** Adds the channel if it is missing. */
    add: (id: number) => runSql(db)`INSERT OR IGNORE INTO channels (id) VALUES (${id})`,
    addTemplate: (channel: number, id: number | undefined, body: object) =>
      void insertRow(db, 'templates', { id: id ?? null, channel, body: JSON.stringify(body) }),
  };
}

/** Returns a message template as the interface shows it (specification: Message template). */
export function toTemplateView({ id, channel, body }: TemplateRow): object {
  return { id, channelId: channel, ...body };
}
