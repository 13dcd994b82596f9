import { numberColumn } from '../storage/columns.ts';
import { runSql, selectOne } from '../storage/sql.ts';
import type { SqliteConnection } from '../storage/sqlite.ts';

/** Returns JSON text of a value for a column, packed where that is shorter. */
export type JsonPacker = (value: unknown) => string;

/**
 * The most templates that a session uses; values with further ones, such as rare combinations of fields, stay unpacked.
 */
const mostTemplates = 1_000;

/** The least length of the JSON text of a scalar that is stored only once if an object repeats it. */
const leastRepeatedLength = 4;

/**
 * Returns a packer that stores the keys of an object once for all objects that have the same ones: as a template of
 * JSON text, with a line break in place of each value except kinds and the names of fields. Packed text is the
 * template's number, and a line for each value, as JSON text or as `=` with the number of an equal line. Everything
 * else stays JSON text, which has no line breaks and, for an object, does not begin with a digit. Call the packer
 * within the transaction that writes its result. Do not call it again after such a transaction has failed: the new
 * templates may have been rolled back.
 */
export function createJsonPacker(file: SqliteConnection): JsonPacker {
  const numbers = new Map<string, number>();
  const numberOf = (template: string): number | undefined => {
    const known = numbers.get(template);
    if (known !== undefined || numbers.size >= mostTemplates) return known;
    runSql(file)`INSERT OR IGNORE INTO json_template (text) VALUES (${template})`;
    const stored = selectOne(file, { number: numberColumn })`
      SELECT number FROM json_template WHERE text = ${template}`;
    if (stored !== undefined) numbers.set(template, stored.number);
    return stored?.number;
  };
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
    const packed: PackedParts = { template: '', lines: [] };
    split(value, packed);
    const number = numberOf(packed.template);
    return number === undefined ? JSON.stringify(value) : [number, ...packed.lines].join('\n');
  };
}

/** A template under construction, and its lines. */
interface PackedParts {
  template: string;
  readonly lines: string[];
}

/** Appends the template of a value, and its lines. */
function split(value: unknown, packed: PackedParts): void {
  if (typeof value !== 'object' || value === null) {
    splitScalar(value, packed);
    return;
  }
  let separator = '';
  if (Array.isArray(value)) {
    packed.template += '[';
    for (const item of value) {
      packed.template += separator;
      separator = ',';
      split(item, packed);
    }
    packed.template += ']';
    return;
  }
  // A `name` beside a `value` or a `kind` is the name of a field: as little about a person as the name of a property.
  const namesField = 'value' in value || 'kind' in value;
  packed.template += '{';
  for (const [key, entry] of Object.entries(value)) {
    if (entry === undefined) continue;
    packed.template += `${separator}${JSON.stringify(key)}:`;
    separator = ',';
    if (typeof entry === 'string' && (key === 'kind' || (key === 'name' && namesField)))
      packed.template += JSON.stringify(entry);
    else split(entry, packed);
  }
  packed.template += '}';
}

function splitScalar(value: unknown, packed: PackedParts): void {
  const text = JSON.stringify(value) ?? 'null';
  const equal = text.length < leastRepeatedLength ? -1 : packed.lines.indexOf(text);
  packed.lines.push(equal === -1 ? text : `=${equal}`);
  packed.template += '\n';
}

/**
 * Returns the JSON text that was packed; a text that is not packed, or whose template is missing, is returned
 * unchanged.
 */
export function unpackJson(text: unknown, template: unknown): unknown {
  if (typeof text !== 'string' || typeof template !== 'string') return text;
  const [, ...lines] = text.split('\n');
  const [start = '', ...rest] = template.split('\n');
  if (rest.length !== lines.length) return text;
  return rest.reduce((json, after, n) => {
    const line = lines[n] ?? '';
    return `${json}${line.startsWith('=') ? lines[Number(line.slice(1))] : line}${after}`;
  }, start);
}

/**
 * Creates the views `step_json` and `known_json` of a connection: the tables `step` and `known` of a journal, with their
 * packed columns as JSON text. `schema` is the name under which the journal is attached.
 */
export function createUnpackedViews(file: SqliteConnection, schema = 'main'): void {
  file.function('unpack_json', { deterministic: true }, unpackJson);
  const unpacked = (column: string) => `unpack_json(${column},
    (SELECT text FROM ${schema}.json_template WHERE number = CAST(${column} AS INTEGER))) AS ${column}`;
  file.exec(`
CREATE TEMP VIEW IF NOT EXISTS step_json AS SELECT run, seq, name, item, state, ${unpacked('intent')}, ${unpacked('before')}, sent_at,
  created, ${unpacked('memory')}, session FROM ${schema}.step;
CREATE TEMP VIEW IF NOT EXISTS known_json AS SELECT workspace, mapping, key, contact, identifiers, created, ${unpacked('applied')},
  line, run FROM ${schema}.known;`);
}
