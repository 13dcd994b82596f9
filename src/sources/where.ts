import { z } from 'zod';
import type { NestedRow } from '../model/row.ts';

const plainValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const valueOrList = z.union([plainValue, z.array(plainValue).min(1)]);

/** The option `where`: the conditions on cells that a row must meet. */
export const whereOption = z
  .record(
    z.string(),
    z.union([
      valueOrList,
      z.strictObject({
        not: valueOrList.describe('What the cell must not be: a value, or a list of values.'),
      }),
    ]),
  )
  .describe(
    'Only rows with these cells are read, others count as filtered: a value, a list of values, or not. Compared as text; null is an empty cell, true also matches t, and false f.',
  );

export type WhereConditions = z.output<typeof whereOption>;

/** True if a row without this column can match its condition. */
export function canMatchWithoutColumn(where: WhereConditions, column: string): boolean {
  return createWherePredicate({ [column]: where[column] ?? null })({ cell: () => null });
}

/** Creates the predicate that is true for a row that meets every condition. */
export function createWherePredicate(where: WhereConditions): (row: Pick<NestedRow, 'cell'>) => boolean {
  const tests = Object.entries(where).map(([column, given]) => {
    const negated = typeof given === 'object' && given !== null && 'not' in given;
    const values = new Set([negated ? given.not : given].flat().map(comparable));
    return { column, values, expected: !negated };
  });
  return (row) =>
    tests.every(({ column, values, expected }) => values.has(comparable(row.cell(column))) === expected);
}

function comparable(value: string | number | boolean | null | undefined): string {
  const text = value === null || value === undefined ? '' : String(value);
  if (/^(?:t|true)$/i.test(text)) return 'true';
  return /^(?:f|false)$/i.test(text) ? 'false' : text;
}
