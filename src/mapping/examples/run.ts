import type { Mapped } from '../../model/draft.ts';
import type { Cell, ListedRow, Row } from '../../model/row.ts';
import { compileMapping } from '../compile.ts';
import type { LoadedMapping } from '../load.ts';
import type { Example } from '../schema/examples.ts';
import { settleTags } from '../settle-tags.ts';
import { differencesOf } from './differences.ts';

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

/** Runs the mapping's `tests:` on the mapping itself, offline; each row is a person of its own. */
export function runExamples(loaded: LoadedMapping): readonly ExampleResult[] {
  const map = compileMapping(loaded);
  const settle = settleTags(loaded);
  return (loaded.mapping.tests ?? []).map((example, index) => {
    const { line } = loaded.mistake(['tests', index], '');
    const differences = compare(example, settled(map(exampleRow(example, line)), settle), loaded);
    const message = differences.length === 0 ? '' : `test ${index + 1}: ${differences.join('; ')}`;
    return { number: index + 1, line, ok: differences.length === 0, message };
  });
}

function settled(mapped: Mapped, settle: ReturnType<typeof settleTags>): Mapped {
  if (!mapped.ok) return mapped;
  const tags = settle(mapped.draft);
  return tags.ok ? tags : { ok: false, key: mapped.draft.key, problems: [tags.problem] };
}

function compare({ rejects, expect }: Example, mapped: Mapped, loaded: LoadedMapping): readonly string[] {
  if (rejects !== undefined) return compareRejection(rejects, mapped);
  if (mapped.ok) return differencesOf(expect ?? {}, mapped.draft, loaded.mapping);
  const problems = mapped.problems.map(({ code, reason }) => `${code} (${reason})`);
  return [`the row is rejected: ${problems.join(', ')}`];
}

function compareRejection(code: string, mapped: Mapped): readonly string[] {
  if (mapped.ok) return [`${code} should reject the row, but the row is accepted`];
  const codes = mapped.problems.map((problem) => problem.code);
  return codes.includes(code) ? [] : [`${code} should reject the row, but ${codes.join(', ')} does`];
}

type Written = Example['row'][string];
type Plain = Exclude<Written, readonly unknown[]>;

/** The row that an example describes. */
function exampleRow({ row }: Example, line: number): Row {
  const lists = new Map<string, readonly ListedRow[]>();
  const cells = new Map<string, Cell>();
  for (const [column, written] of Object.entries(row)) {
    if (Array.isArray(written)) lists.set(column, written.map(listedRow));
    else cells.set(column, cellOf(written));
  }
  return {
    kind: 'row',
    line,
    // A column that the test leaves out is an empty one, for the rows of one file all have the same; not so one of a list.
    cell: (column) => cells.get(column) ?? (isOfList(column, lists) ? undefined : null),
    entries: () => [...cells],
    list: (name) => lists.get(name) ?? (cells.has(name) ? undefined : []),
  };
}

function isOfList(column: string, lists: ReadonlyMap<string, unknown>): boolean {
  if (column.includes('[]')) return true;
  return [...lists.keys()].some((list) => column.startsWith(`${list}.`));
}

function listedRow(written: Plain | Readonly<Record<string, Plain>>): ListedRow {
  const cells =
    typeof written === 'object' && written !== null
      ? new Map(Object.entries(written).map(([column, cell]) => [column, cellOf(cell)]))
      : new Map([['', cellOf(written)]]);
  return { cell: (column) => cells.get(column), entries: () => [...cells] };
}

function cellOf(written: Plain): Cell {
  return written === null ? null : String(written);
}
