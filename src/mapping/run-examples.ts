import { dataTypes } from '../datatypes/index.ts';
import type { Draft, MappingResult } from '../model/draft.ts';
import type { Cell, NestedRow, Row } from '../model/row.ts';
import { compileMapping } from './compile/index.ts';
import type { LoadedMapping } from './load.ts';
import { listFurtherValuesFields } from './schema/contact.ts';
import type { ExpectedDraft, MappingExample } from './schema/examples.ts';
import { findTagsCustomFieldName } from './schema/tags.ts';
import type { Mapping } from './schema.ts';
import { compileTagFinalizer } from './settle-tags.ts';

/** The result of one of the mapping's `tests:`. */
export interface ExampleResult {
  /** The position of the test in `tests:`, from 1. */
  readonly number: number;
  /** The line where the test begins. */
  readonly line: number;
  readonly ok: boolean;
  /** The expected and the actual result; empty where the test passes. */
  readonly message: string;
}

/** Runs the mapping's `tests:` on the mapping itself, offline; each row counts as a separate person. */
export function runMappingExamples(loaded: LoadedMapping): readonly ExampleResult[] {
  const map = compileMapping(loaded);
  const settle = compileTagFinalizer(loaded);
  return (loaded.mapping.tests ?? []).map((example, index) => {
    const { line } = loaded.mistake(['tests', index], '');
    const differences = compare(example, settled(map(exampleRow(example, line)), settle), loaded);
    const message = differences.length === 0 ? '' : `test ${index + 1}: ${differences.join('; ')}`;
    return { number: index + 1, line, ok: differences.length === 0, message };
  });
}

function settled(mapped: MappingResult, settle: ReturnType<typeof compileTagFinalizer>): MappingResult {
  if (!mapped.ok) return mapped;
  const tags = settle(mapped.draft);
  return tags.ok ? tags : { ok: false, key: mapped.draft.key, problems: [tags.problem] };
}

function compare(
  { rejects, expect }: MappingExample,
  mapped: MappingResult,
  loaded: LoadedMapping,
): readonly string[] {
  if (rejects !== undefined) return compareRejection(rejects, mapped);
  if (mapped.ok) return findExampleDifferences(expect ?? {}, mapped.draft, loaded.mapping);
  const problems = mapped.problems.map(({ code, reason }) => `${code} (${reason})`);
  return [`the row is rejected: ${problems.join(', ')}`];
}

function compareRejection(code: string, mapped: MappingResult): readonly string[] {
  if (mapped.ok) return [`${code} should reject the row, but the row is accepted`];
  const codes = mapped.problems.map((problem) => problem.code);
  return codes.includes(code) ? [] : [`${code} should reject the row, but ${codes.join(', ')} does`];
}

type Written = MappingExample['row'][string];
type Plain = Exclude<Written, readonly unknown[]>;

/** Returns the row that an example describes. */
function exampleRow({ row }: MappingExample, line: number): Row {
  const lists = new Map<string, readonly NestedRow[]>();
  const cells = new Map<string, Cell>();
  for (const [column, written] of Object.entries(row)) {
    if (Array.isArray(written)) lists.set(column, written.map(listedRow));
    else cells.set(column, cellOf(written));
  }
  return {
    kind: 'row',
    line,
    // A column left out of the test is an empty cell, because all rows of a file have the same columns; a column of a
    // list is absent instead.
    cell: (column) => cells.get(column) ?? (isOfList(column, lists) ? undefined : null),
    entries: () => [...cells],
    list: (name) => lists.get(name) ?? (cells.has(name) ? undefined : []),
  };
}

function isOfList(column: string, lists: ReadonlyMap<string, unknown>): boolean {
  if (column.includes('[]')) return true;
  return [...lists.keys()].some((list) => column.startsWith(`${list}.`));
}

function listedRow(written: Plain | Readonly<Record<string, Plain>>): NestedRow {
  const cells =
    typeof written === 'object' && written !== null
      ? new Map(Object.entries(written).map(([column, cell]) => [column, cellOf(cell)]))
      : new Map([['', cellOf(written)]]);
  return { cell: (column) => cells.get(column), entries: () => [...cells] };
}

function cellOf(written: Plain): Cell {
  return written === null ? null : String(written);
}

/**
 * Returns a sentence for each difference between a draft and the new contact that a test expects; fields that the test
 * leaves out are not compared.
 */
export function findExampleDifferences(
  expected: ExpectedDraft,
  draft: Draft,
  mapping: Mapping,
): readonly string[] {
  const { contact, customFields, tags, lifecycle, assignee, conversation, comments } = expected;
  const { values, defaults } = draft;
  return [
    ...byName('', contact, { ...defaults.contact, ...said(values.contact) }),
    ...customFieldDifferences(customFields, draft, mapping),
    ...(tags ? tagDifferences(tags, draft.tags ?? []) : []),
    ...(lifecycle === undefined
      ? []
      : one('lifecycle', lifecycle, draft.lifecycle ?? draft.defaultLifecycle)),
    ...(assignee === undefined ? [] : one('assignee', assignee, draft.assignee?.as || null)),
    ...byName('conversation.', conversation, { ...draft.conversation }),
    ...byName(
      'comments.',
      comments,
      Object.fromEntries((draft.comments ?? []).map(({ id, text }) => [id, text])),
    ),
  ];
}

type PlainValue = string | number | boolean | null;

function byName(
  prefix: string,
  expected: Readonly<Record<string, PlainValue | undefined>> | undefined,
  found: Readonly<Record<string, string | null>>,
): readonly string[] {
  const actual = new Map(Object.entries(found));
  return Object.entries(expected ?? {}).flatMap(([name, value]) =>
    one(prefix + name, value ?? null, actual.get(name)),
  );
}

function one(name: string, expected: PlainValue, found: string | null | undefined): readonly string[] {
  const wanted = expected === null ? null : String(expected);
  return wanted === (found ?? null) ? [] : [difference(name, wanted, found ?? null)];
}

function customFieldDifferences(
  expected: ExpectedDraft['customFields'],
  { values, defaults }: Draft,
  mapping: Mapping,
): readonly string[] {
  const actual = new Map(Object.entries({ ...defaults.customFields, ...said(values.customFields) }));
  const texts = new Set([
    mapping.tags && findTagsCustomFieldName(mapping.tags),
    ...listFurtherValuesFields(mapping.contact).map(({ name }) => name),
  ]);
  return Object.entries(expected ?? {}).flatMap(([name, value]) => {
    const type = texts.has(name) ? 'text' : mapping.customFields?.[name]?.type;
    if (!type) return [`customFields.${name} is expected, and the mapping has no such field`];
    const found = actual.get(name) ?? null;
    return dataTypes[type].same(found, value) ? [] : [difference(`customFields.${name}`, value, found)];
  });
}

function tagDifferences(
  expected: NonNullable<ExpectedDraft['tags']>,
  found: readonly string[],
): readonly string[] {
  const wanted = expected.map(String);
  const same = wanted.length === found.length && wanted.every((tag, index) => tag === found[index]);
  return same ? [] : [difference('tags', wanted, found)];
}

/** Returns the values without null and undefined: where a row clears a value, a new contact gets the default. */
function said<V>(values: Readonly<Record<string, V | null | undefined>>): Record<string, V> {
  const found: Record<string, V> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined) found[name] = value;
  }
  return found;
}

function difference(name: string, expected: unknown, found: unknown): string {
  return `${name} should be ${shown(expected)} but is ${shown(found)}`;
}

function shown(value: unknown): string {
  return value === null ? 'absent' : JSON.stringify(value);
}
