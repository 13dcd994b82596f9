import { dataTypes } from '../datatypes/index.ts';
import type { FieldValues, Mapped } from '../model/draft.ts';
import type { Cell, Row } from '../model/row.ts';
import { compileMapping } from './compile.ts';
import type { LoadedMapping } from './load.ts';
import type { Example } from './schema/examples.ts';

/** What became of one of the mapping's `tests:`. */
export interface ExampleResult {
  /** From 1, in the file's order. */
  readonly number: number;
  /** The line where the test begins. */
  readonly line: number;
  readonly ok: boolean;
  /** What was expected and what came instead; empty where the test passes. */
  readonly message: string;
}

/** Runs the mapping's `tests:` on the mapping itself, offline. */
export function runExamples(mapping: LoadedMapping): readonly ExampleResult[] {
  const map = compileMapping(mapping);
  return (mapping.mapping.tests ?? []).map((example, index) => {
    const { line } = mapping.mistake(['tests', index], '');
    const differences = compare(example, map(exampleRow(example, line)), mapping);
    const message = differences.length === 0 ? '' : `test ${index + 1}: ${differences.join('; ')}`;
    return { number: index + 1, line, ok: differences.length === 0, message };
  });
}

function exampleRow({ row }: Example, line: number): Row {
  const cells = new Map<string, Cell>(
    Object.entries(row).map(([column, cell]) => [column, cell === null ? null : String(cell)]),
  );
  // A column that the test leaves out is an empty one: the rows of one file all have the same columns.
  return { kind: 'row', line, cell: (column) => cells.get(column) ?? null, entries: () => [...cells] };
}

function compare(example: Example, mapped: Mapped, mapping: LoadedMapping): readonly string[] {
  if (example.rejects !== undefined) return compareRejection(example.rejects, mapped);
  if (!mapped.ok) {
    const problems = mapped.problems.map(({ code, reason }) => `${code} (${reason})`);
    return [`the row is rejected: ${problems.join(', ')}`];
  }
  const { values, defaults } = mapped.draft;
  return [
    ...compareContact(example, values, defaults),
    ...compareCustomFields(example, values, defaults, mapping),
  ];
}

function compareRejection(code: string, mapped: Mapped): readonly string[] {
  if (mapped.ok) return [`${code} should reject the row, and the row is accepted`];
  const codes = mapped.problems.map((problem) => problem.code);
  return codes.includes(code) ? [] : [`${code} should reject the row, and ${codes.join(', ')} does`];
}

function compareContact({ expect }: Example, values: FieldValues, defaults: FieldValues): readonly string[] {
  const actual = new Map<string, string | null>(
    Object.entries({ ...defaults.contact, ...said(values.contact) }),
  );
  return Object.entries(expect?.contact ?? {}).flatMap(([name, expected]) => {
    const wanted = expected === null || expected === undefined ? null : String(expected);
    const found = actual.get(name) ?? null;
    return wanted === found ? [] : [difference(name, wanted, found)];
  });
}

function compareCustomFields(
  { expect }: Example,
  values: FieldValues,
  defaults: FieldValues,
  { mapping }: LoadedMapping,
): readonly string[] {
  const actual = new Map(Object.entries({ ...defaults.customFields, ...said(values.customFields) }));
  return Object.entries(expect?.customFields ?? {}).flatMap(([name, expected]) => {
    const rule = mapping.customFields?.[name];
    if (!rule) return [`customFields.${name} is expected, and the mapping has no such field`];
    const found = actual.get(name) ?? null;
    const same = dataTypes[rule.type].same(found, expected);
    return same ? [] : [difference(`customFields.${name}`, expected, found)];
  });
}

/** The values that say something: what is cleared falls back to the default of a new contact. */
function said<V>(values: Readonly<Record<string, V | null | undefined>>): Record<string, V> {
  const found: Record<string, V> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined) found[name] = value;
  }
  return found;
}

function difference(name: string, expected: unknown, found: unknown): string {
  return `${name} should be ${shown(expected)} and is ${shown(found)}`;
}

function shown(value: unknown): string {
  return value === null ? 'absent' : JSON.stringify(value);
}
