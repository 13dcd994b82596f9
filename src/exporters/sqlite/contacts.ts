import { isDeepStrictEqual } from 'node:util';
import type { ExportColumn, ExportColumnType, ExportRecord } from '../../model/export-record.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { makeNamesUnique, readRecordValue, toCellText, toNumber } from '../value.ts';
import {
  createTableWithInserter,
  type DatabaseRow,
  quoteSqlName,
  type RecordTableLayout,
  replaceLoneSurrogates,
  restoreNormalForm,
  type SqlColumn,
  toStoredValues,
} from './record-table.ts';

/** SQLite's limit on the number of columns in a result. */
const mostColumns = 2_000;

/** The SQL of a contact's tags, as JSON, because a tag may hold any character. */
const tags =
  '(SELECT json_group_array(tag) FROM (SELECT tag FROM contact_tags WHERE contactId = c.id ORDER BY position))';

/** Creates the view that lists contacts as a flat format does, with at most 2,000 of the export's columns. */
function createContactView(database: SqliteConnection, columns: readonly ExportColumn[]): void {
  const shown = columns.slice(0, mostColumns);
  const names = makeNamesUnique(shown.map(({ name }) => name));
  const listed = shown.map((column, index) => `${expression(column)} AS ${quoteSqlName(names[index] ?? '')}`);
  const list = listed.length === 0 ? 'c.id' : listed.join(',\n  ');
  database.exec(`CREATE VIEW contacts_flat AS SELECT\n  ${list}\nFROM contacts c`);
}

function expression({ path, type }: ExportColumn): string {
  const column = contactColumns.find((each) => isDeepStrictEqual(each.path, path));
  if (column !== undefined) return `c.${quoteSqlName(column.name)}`;
  const [first = '', ...rest] = path;
  if (first === 'tags' && rest.length === 0) return tags;
  if (first !== 'customFields' || rest.length !== 1) return ['c.normal', ...path.map(literal)].join(' ->> ');
  const value = isNumeric(type) ? 'number' : 'value';
  return `(SELECT ${value} FROM contact_fields WHERE contactId = c.id AND field = ${literal(rest[0] ?? '')})`;
}

function isNumeric(type: ExportColumnType): boolean {
  return type === 'number' || type === 'integer';
}

function literal(text: string): string {
  const valid = replaceLoneSurrogates(text);
  // SQL text ends at a NUL.
  if (valid.includes('\0')) return `CAST(x'${Buffer.from(valid).toString('hex')}' AS TEXT)`;
  return `'${valid.replaceAll("'", "''")}'`;
}

const textColumns = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'language',
  'countryCode',
  'profilePic',
  'lifecycle',
];

/** The columns of the contacts table; tags and custom fields have their own tables. */
const contactColumns: readonly SqlColumn[] = [
  { name: 'id', path: ['id'], type: 'integer' },
  ...textColumns.map((name) => ({ name, path: [name], type: 'text' }) as const),
  { name: 'assigneeId', path: ['assignee', 'id'], type: 'integer' },
  { name: 'assigneeFirstName', path: ['assignee', 'firstName'], type: 'text' },
  { name: 'assigneeLastName', path: ['assignee', 'lastName'], type: 'text' },
  { name: 'assigneeEmail', path: ['assignee', 'email'], type: 'text' },
  { name: 'status', path: ['status'], type: 'text' },
  { name: 'isBlocked', path: ['isBlocked'], type: 'boolean' },
  { name: 'created', path: ['created'], type: 'text' },
];

const tablesBeside = `
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

/** The tables of contacts, their tags and their custom fields. */
export const contactTableLayout: RecordTableLayout = {
  table: 'contacts',
  create(database, { columns }) {
    const insert = createTableWithInserter(database, 'contacts', contactColumns, 'id');
    database.exec(tablesBeside);
    const insertTag = database.prepare('INSERT INTO contact_tags VALUES (?, ?, ?)');
    const insertField = database.prepare('INSERT OR REPLACE INTO contact_fields VALUES (?, ?, ?, ?)');
    const insertName = database.prepare('INSERT INTO contact_field_names (field) VALUES (?)');
    const numeric = new Set(
      columns
        .filter(({ path, type }) => path[0] === 'customFields' && isNumeric(type))
        .map(({ path }) => replaceLoneSurrogates(path[1] ?? '')),
    );
    /** The custom fields of the workspace: every contact has all of them, filled or not. */
    let names: readonly string[] | undefined;
    return {
      insert(record) {
        const values = toStoredValues(contactColumns, record.normal);
        const tags = tagsOf(record.normal);
        const fields = fieldsOf(record.normal);
        if (names === undefined) {
          names = fields.map(([field]) => field);
          for (const name of names) insertName.run(name);
        }
        const filled = fields.flatMap(([field, value]) => (value === null ? [] : [[field, value] as const]));
        insert(values, record, normalForm(values, tags, names, filled));
        const [id] = values;
        tags.forEach((tag, position) => {
          insertTag.run(id, position, tag);
        });
        for (const [field, value] of filled)
          insertField.run(id, field, value, numeric.has(field) ? toNumber(value) : null);
      },
      complete() {
        database.exec(indexes);
        createContactView(database, columns);
      },
    };
  },
  restore(database) {
    const tags = database
      .prepare<[unknown], string>('SELECT tag FROM contact_tags WHERE contactId = ? ORDER BY position')
      .pluck();
    const fields = database
      .prepare<[unknown], [string, string]>('SELECT field, value FROM contact_fields WHERE contactId = ?')
      .raw();
    const names = database
      .prepare<[], string>('SELECT field FROM contact_field_names ORDER BY position')
      .pluck()
      .all();
    return (row) => {
      const values = contactColumns.map(({ name }) => row[name]);
      return normalForm(values, tags.all(row.id), names, fields.all(row.id));
    };
  },
};

function normalForm(
  values: readonly unknown[],
  tags: readonly string[],
  names: readonly string[],
  filled: readonly (readonly [field: string, value: string])[],
): DatabaseRow {
  const customFields = Object.fromEntries([...names.map((name) => [name, null] as const), ...filled]);
  return { ...restoreNormalForm(contactColumns, values), tags, customFields };
}

function tagsOf(normal: ExportRecord['normal']): readonly string[] {
  const tags = readRecordValue(normal, ['tags']);
  return Array.isArray(tags) ? tags.map((tag) => replaceLoneSurrogates(toCellText(tag) ?? '')) : [];
}

function fieldsOf(
  normal: ExportRecord['normal'],
): readonly (readonly [field: string, value: string | null])[] {
  const fields = readRecordValue(normal, ['customFields']);
  if (typeof fields !== 'object' || fields === null) return [];
  return Object.entries(fields).map(([field, value]) => {
    const text = toCellText(value);
    return [replaceLoneSurrogates(field), text === null ? null : replaceLoneSurrogates(text)];
  });
}
