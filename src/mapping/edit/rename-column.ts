import { parseYamlMap } from '../document/yaml-text.ts';
import { editMapping } from './edit-mapping.ts';
import { createEditFailure, type JsonValue, type YamlEditResult, type YamlPath } from './plain.ts';

/** The new name of a column of the input, for example in the heading of a newer file. */
export interface ColumnRename {
  readonly column: string;
  readonly to: string;
}

/** The keys that name columns, and those that have a template with columns. */
const naming = new Set(['from', 'key', 'order', 'needs', 'html']);
const templates = new Set(['template', 'summary', 'text']);

/** Returns the mapping with a column renamed wherever it is read, also in the rows of its tests. */
export function renameColumn(text: string, rename: ColumnRename): YamlEditResult {
  const document = parseYamlMap(text);
  if ('mistake' in document)
    return createEditFailure(`The mapping cannot be read: ${document.mistake}. Fix its text first.`);
  const changes = listChanges(document.toJS({ maxAliasCount: 0 }), [], rename);
  return changes.reduce<YamlEditResult>(
    (edited, [target, rule]) =>
      edited.ok ? editMapping(edited.text, { kind: 'setTarget', target, rule }) : edited,
    { ok: true, text },
  );
}

type Change = readonly [path: YamlPath, value: JsonValue];

function listChanges(value: unknown, path: YamlPath, rename: ColumnRename): readonly Change[] {
  if (Array.isArray(value))
    return value.flatMap((each, index) => listChanges(each, [...path, index], rename));
  if (typeof value !== 'object' || value === null) return [];
  // The columns of a comment with `each` are those of a list, which has no heading.
  if ('each' in value) return [];
  return Object.entries(value).flatMap(([key, below]): readonly Change[] => {
    const here = [...path, key];
    const isColumns = key === 'dates' || (path[0] === 'tests' && key === 'row');
    const changed = isColumns ? renameKey(below, rename) : renameIn(key, below, rename);
    if (changed !== undefined) return [[here, changed]];
    return path[0] === 'tests' || isColumns ? [] : listChanges(below, here, rename);
  });
}

/** Returns a value with the column renamed; undefined if it does not name the column. */
function renameIn(key: string, value: unknown, { column, to }: ColumnRename): JsonValue | undefined {
  if (templates.has(key) && typeof value === 'string') {
    const renamed = value.replaceAll(`{${column}}`, () => `{${to}}`);
    return renamed === value ? undefined : renamed;
  }
  if (!naming.has(key)) return undefined;
  if (value === column) return to;
  if (!isTexts(value) || !value.includes(column)) return undefined;
  const [first, ...more] = new Set(value.map((each) => (each === column ? to : each)));
  return first === undefined || more.length > 0 ? [...(first === undefined ? [] : [first]), ...more] : first;
}

/** Returns a map with the column's key renamed, in the same order; undefined if it has no such key. */
function renameKey(value: unknown, { column, to }: ColumnRename): JsonValue | undefined {
  if (!isPlainMap(value) || !Object.hasOwn(value, column)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key === column ? to : key, each]));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isPlainMap(value: unknown): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
