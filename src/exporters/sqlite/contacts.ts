import { isDeepStrictEqual } from 'node:util';
import type { ExportColumn, ExportRecord, ExportTable } from '../../model/export-record.ts';
import { numberOf, textOf, uniqueNames, valueAt } from '../value.ts';
import {
  declaredColumns,
  insertInto,
  quoted,
  type Row,
  restored,
  type SqlColumn,
  type SqlDatabase,
  storedValues,
  wellFormed,
} from './column.ts';
import type { RecordTable, TableLayout } from './layout.ts';

/** What SQLite gives in one row at the most. */
const mostColumns = 2_000;

/** As JSON, for a tag may hold any sign. */
const tags =
  '(SELECT json_group_array(tag) FROM (SELECT tag FROM contact_tags WHERE contactId = c.id ORDER BY position))';

/** Contacts with the columns that a flat format shows, custom fields among them, under their headings. */
function createContactView(
  database: SqlDatabase,
  columns: readonly ExportColumn[],
  own: readonly SqlColumn[],
): void {
  const shown = columns.slice(0, mostColumns);
  const names = uniqueNames(shown.map(({ name }) => name));
  const listed = shown.map((column, index) => `${expression(column, own)} AS ${quoted(names[index] ?? '')}`);
  const list = listed.length === 0 ? 'c.id' : listed.join(',\n  ');
  database.exec(`CREATE VIEW contacts_flat AS SELECT\n  ${list}\nFROM contacts c`);
}

function expression({ path, type }: ExportColumn, own: readonly SqlColumn[]): string {
  const column = own.find((each) => each.path.join('\n') === path.join('\n'));
  if (column !== undefined) return `c.${quoted(column.name)}`;
  const [first = '', ...rest] = path;
  if (first === 'tags' && rest.length === 0) return tags;
  if (first !== 'customFields' || rest.length !== 1) return ['c.normal', ...path.map(literal)].join(' ->> ');
  const value = type === 'number' || type === 'integer' ? 'number' : 'value';
  return `(SELECT ${value} FROM contact_fields WHERE contactId = c.id AND field = ${literal(rest[0] ?? '')})`;
}

function literal(text: string): string {
  const sound = wellFormed(text);
  // SQL ends at a NUL.
  if (sound.includes('\0')) return `CAST(x'${Buffer.from(sound).toString('hex')}' AS TEXT)`;
  return `'${sound.replaceAll("'", "''")}'`;
}

const named = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'language',
  'countryCode',
  'profilePic',
  'lifecycle',
];

/** The columns of the table of contacts; tags and custom fields have tables of their own. */
export const contactColumns: readonly SqlColumn[] = [
  { name: 'id', path: ['id'], as: 'integer' },
  ...named.map((name) => ({ name, path: [name], as: 'text' }) as const),
  { name: 'assigneeId', path: ['assignee', 'id'], as: 'integer' },
  { name: 'assigneeFirstName', path: ['assignee', 'firstName'], as: 'text' },
  { name: 'assigneeLastName', path: ['assignee', 'lastName'], as: 'text' },
  { name: 'assigneeEmail', path: ['assignee', 'email'], as: 'text' },
  { name: 'status', path: ['status'], as: 'text' },
  { name: 'isBlocked', path: ['isBlocked'], as: 'boolean' },
  { name: 'created', path: ['created'], as: 'text' },
];

const tables = `
  CREATE TABLE contacts (${declaredColumns(contactColumns, ['id'])}) STRICT;
  CREATE TABLE contact_tags (
    contactId INT NOT NULL REFERENCES contacts (id), position INT NOT NULL, tag TEXT NOT NULL,
    PRIMARY KEY (contactId, position)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE contact_field_names (position INTEGER PRIMARY KEY, field TEXT NOT NULL) STRICT;
  CREATE TABLE contact_fields (
    contactId INT NOT NULL REFERENCES contacts (id), field TEXT NOT NULL, value TEXT NOT NULL, number REAL,
    PRIMARY KEY (contactId, field)
  ) STRICT, WITHOUT ROWID;
`;

const indexes = `
  CREATE INDEX contacts_by_email ON contacts (email);
  CREATE INDEX contacts_by_phone ON contacts (phone);
  CREATE INDEX contact_tags_by_tag ON contact_tags (tag, contactId);
`;

/** The table of contacts, with those of their tags and of the values of their custom fields. */
export const contactTable: TableLayout = {
  table: 'contacts',
  create: (database, table) => new ContactTable(database, table),
  restore(database) {
    const tags = database.prepare<[unknown], { tag: string }>(
      'SELECT tag FROM contact_tags WHERE contactId = ? ORDER BY position',
    );
    const fields = database.prepare<[unknown], { field: string; value: string }>(
      'SELECT field, value FROM contact_fields WHERE contactId = ?',
    );
    const names = database
      .prepare<[], { field: string }>('SELECT field FROM contact_field_names ORDER BY position')
      .all()
      .map(({ field }) => field);
    return (row: Row) =>
      whole(
        contactColumns.map(({ name }) => row[name]),
        tags.all(row.id).map(({ tag }) => tag),
        names,
        fields.all(row.id).map(({ field, value }) => [field, value]),
      );
  },
};

class ContactTable implements RecordTable {
  readonly #database: SqlDatabase;
  readonly #table: ExportTable;
  readonly #contact;
  readonly #tag;
  readonly #field;
  readonly #numeric: ReadonlySet<string>;
  /** The custom fields of the workspace: a contact has all of them, filled or not. */
  #names: readonly string[] | null = null;

  constructor(database: SqlDatabase, table: ExportTable) {
    database.exec(tables);
    this.#database = database;
    this.#table = table;
    this.#contact = database.prepare(insertInto('contacts', contactColumns));
    this.#tag = database.prepare('INSERT INTO contact_tags VALUES (?, ?, ?)');
    this.#field = database.prepare('INSERT OR REPLACE INTO contact_fields VALUES (?, ?, ?, ?)');
    this.#numeric = new Set(
      table.columns
        .filter(({ type }) => type === 'number' || type === 'integer')
        .map(({ path }) => (path[0] === 'customFields' ? wellFormed(path[1] ?? '') : '')),
    );
  }

  insert({ normal, given }: ExportRecord): void {
    const values = storedValues(contactColumns, normal);
    const tags = tagsOf(normal);
    const fields = fieldsOf(normal);
    this.#names ??= this.#settle(fields.map(([field]) => field));
    const filled = fields.flatMap(([field, value]) => (value === null ? [] : [[field, value] as const]));
    const enough = isDeepStrictEqual(whole(values, tags, this.#names, filled), normal);
    this.#contact.run(...values, enough ? null : JSON.stringify(normal), JSON.stringify(given));
    const [id] = values;
    tags.forEach((tag, position) => {
      this.#tag.run(id, position, tag);
    });
    for (const [field, value] of filled) {
      this.#field.run(id, field, value, this.#numeric.has(field) ? numberOf(value) : null);
    }
  }

  complete(): void {
    this.#database.exec(indexes);
    createContactView(this.#database, this.#table.columns, contactColumns);
  }

  #settle(names: readonly string[]): readonly string[] {
    const insert = this.#database.prepare('INSERT INTO contact_field_names (field) VALUES (?)');
    for (const name of names) insert.run(name);
    return names;
  }
}

function whole(
  values: readonly unknown[],
  tags: readonly string[],
  names: readonly string[],
  filled: readonly (readonly [field: string, value: string])[],
): Readonly<Record<string, unknown>> {
  const customFields = Object.fromEntries([...names.map((name) => [name, null] as const), ...filled]);
  return { ...restored(contactColumns, values), tags, customFields };
}

function tagsOf(normal: ExportRecord['normal']): readonly string[] {
  const tags = valueAt(normal, ['tags']);
  return Array.isArray(tags) ? tags.map((tag) => wellFormed(textOf(tag) ?? '')) : [];
}

function fieldsOf(
  normal: ExportRecord['normal'],
): readonly (readonly [field: string, value: string | null])[] {
  const fields = valueAt(normal, ['customFields']);
  if (typeof fields !== 'object' || fields === null) return [];
  return Object.entries(fields).map(([field, value]) => {
    const text = textOf(value);
    return [wellFormed(field), text === null ? null : wellFormed(text)];
  });
}
