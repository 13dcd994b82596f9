import type { ExportColumn } from '../../model/export-record.ts';
import { uniqueNames } from '../unique-names.ts';
import { quoted, type SqlColumn, type SqlDatabase, wellFormed } from './column.ts';

/** What SQLite gives in one row at the most. */
const mostColumns = 2_000;

/** As JSON, for a tag may hold any sign. */
const tags =
  '(SELECT json_group_array(tag) FROM (SELECT tag FROM contact_tags WHERE contactId = c.id ORDER BY position))';

/** Contacts with the columns that a flat format shows, custom fields among them, under their headings. */
export function createContactView(
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
