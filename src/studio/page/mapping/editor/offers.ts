import type { YamlCursor } from './yaml-place.ts';

export interface CompletionOption {
  readonly label: string;
  readonly insert: string;
  readonly about?: string;
}

type Schema = ReadonlyMap<string, unknown>;

/** The keys whose values are columns of the input. */
const columnKeys = new Set(['from', 'key', 'order', 'needs', 'optional']);

/** Returns the completions at the cursor: keys and values of the schema, and columns where expected. */
export function findCompletions(
  schema: object,
  { path, is }: YamlCursor,
  columns: readonly string[],
): readonly CompletionOption[] {
  const here = path.reduce(below, branches(mapOf(schema)));
  const keys = is === 'key' ? here.flatMap(keysOf) : [];
  if (is === 'key' && path.at(-1) !== '[]') return keys.filter(isFirst);
  const last = path.findLast((key) => key !== '[]') ?? '';
  const named = columnKeys.has(last)
    ? columns.map((column) => ({ label: column, insert: written(column) }))
    : [];
  return [...keys, ...here.flatMap(valuesOf), ...named].filter(isFirst);
}

function below(schemas: readonly Schema[], key: string): readonly Schema[] {
  return schemas.flatMap((schema) => {
    const items = schema.get('items');
    const own = mapOf(schema.get('properties')).get(key) ?? schema.get('additionalProperties');
    return branches(mapOf(key === '[]' ? items : own));
  });
}

function branches(schema: Schema): readonly Schema[] {
  const inner = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => listOf(schema.get(key)));
  return [schema, ...inner.flatMap((each) => branches(mapOf(each)))];
}

function keysOf(schema: Schema): readonly CompletionOption[] {
  return [...mapOf(schema.get('properties'))].map(([label, own]) => {
    const about = mapOf(own).get('description');
    return { label, insert: `${label}: `, ...(typeof about === 'string' && { about }) };
  });
}

function valuesOf(schema: Schema): readonly CompletionOption[] {
  const fixed = schema.has('const') ? [schema.get('const')] : listOf(schema.get('enum'));
  const all = fixed.length === 0 && schema.get('type') === 'boolean' ? [true, false] : fixed;
  return all.map((value) => ({ label: String(value), insert: String(value) }));
}

function isFirst({ label }: CompletionOption, index: number, all: readonly CompletionOption[]): boolean {
  return all.findIndex((other) => other.label === label) === index;
}

/** Formats a name as YAML, in quotes if needed. */
function written(name: string): string {
  return /^[\p{L}_][\p{L}\p{N} _./-]*$/u.test(name) && name.trim() === name ? name : JSON.stringify(name);
}

function mapOf(value: unknown): Schema {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
