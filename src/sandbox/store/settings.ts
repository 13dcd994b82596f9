import type { SqliteFile } from '../../storage/sqlite.ts';
import type { DataType, FieldDefinition } from '../rules/data-types.ts';
import { emailKey } from '../rules/identifier.ts';

/** A user as the interface shows it (specification: User). */
interface User {
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

type NewUser = Omit<User, 'id'> & { readonly id?: number | undefined };

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

interface ClosingNoteRow {
  readonly id: number;
  readonly category: string;
  readonly description: string | null;
}

export interface ClosingNoteStore {
  /** Sorted by category. */
  all(): readonly ClosingNoteRow[];
  has(category: string): boolean;
  add(category: string, description: string | null): void;
}

export function createClosingNoteStore(db: SqliteFile): ClosingNoteStore {
  const all = db.prepare<[], ClosingNoteRow>('SELECT * FROM closing_notes ORDER BY category, id');
  const one = db.prepare<[string], { id: number }>('SELECT id FROM closing_notes WHERE category = ?');
  const insert = db.prepare<[string, string | null]>(
    'INSERT INTO closing_notes (category, description) VALUES (?, ?)',
  );
  return {
    all: () => all.all(),
    has: (category) => one.get(category) !== undefined,
    add: (category, description) => {
      insert.run(category, description);
    },
  };
}

interface FieldRow {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly dataType: DataType;
  readonly allowedValues: string;
}

type NewField = Omit<FieldDefinition, 'id'> & { readonly id?: number | undefined };

export interface CustomFieldStore {
  all(): readonly FieldDefinition[];
  named(name: string): FieldDefinition | undefined;
  withSlug(slug: string): FieldDefinition | undefined;
  add(field: NewField): FieldDefinition;
}

/** The definitions, read once and kept: every contact that is shown needs them. */
export function createCustomFieldStore(db: SqliteFile): CustomFieldStore {
  const select = db.prepare<[], FieldRow>('SELECT * FROM custom_fields ORDER BY id');
  const insert = db.prepare<[number | null, string, string, string, string, string]>(
    'INSERT INTO custom_fields (id, name, slug, description, dataType, allowedValues) VALUES (?, ?, ?, ?, ?, ?)',
  );
  let all: readonly FieldDefinition[] = [];
  let byName = new Map<string, FieldDefinition>();
  const read = (): void => {
    all = select.all().map((row) => {
      const allowedValues: readonly string[] = JSON.parse(row.allowedValues);
      return { ...row, allowedValues };
    });
    byName = new Map(all.map((field) => [field.name, field]));
  };
  read();
  return {
    all: () => all,
    named: (name) => byName.get(name),
    withSlug: (slug) => all.find((field) => field.slug === slug),
    add(field) {
      const { lastInsertRowid } = insert.run(
        field.id ?? null,
        field.name,
        field.slug,
        field.description,
        field.dataType,
        JSON.stringify(field.allowedValues),
      );
      read();
      return { ...field, id: Number(lastInsertRowid) };
    },
  };
}

export interface TemplateRow {
  readonly id: number;
  readonly channel: number;
  /** JSON object: the template without its id and its channel's. */
  readonly body: string;
}

export interface ChannelStore {
  has(id: number): boolean;
  /** Makes the channel where it is missing. */
  add(id: number): void;
  addTemplate(channel: number, id: number | undefined, body: object): void;
}

export function createChannelStore(db: SqliteFile): ChannelStore {
  const one = db.prepare<[number], { id: number }>('SELECT id FROM channels WHERE id = ?');
  const insert = db.prepare<[number]>('INSERT OR IGNORE INTO channels (id) VALUES (?)');
  const insertTemplate = db.prepare<[number | null, number, string]>(
    'INSERT INTO templates (id, channel, body) VALUES (?, ?, ?)',
  );
  return {
    has: (id) => one.get(id) !== undefined,
    add: (id) => {
      insert.run(id);
    },
    addTemplate(channel, id, body) {
      insertTemplate.run(id ?? null, channel, JSON.stringify(body));
    },
  };
}

/** A message template as the interface shows it (specification: Message template). */
export function templateOf(row: TemplateRow): object {
  const body: object = JSON.parse(row.body);
  return { id: row.id, channelId: row.channel, ...body };
}
