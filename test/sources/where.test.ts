import { expect, test } from 'vitest';
import { createWherePredicate } from '../../src/sources/where.ts';

const row = (cells: Record<string, string | null>) => ({ cell: (column: string) => cells[column] });

test.each([
  ['a text', { a: 'x' }, { a: 'x' }, { a: 'X' }],
  ['a number as text', { a: 0 }, { a: '0' }, { a: '0.0' }],
  ['a boolean, however it is written', { a: true }, { a: 't' }, { a: 'f' }],
  ['a text for a boolean', { a: 't' }, { a: 'TRUE' }, { a: '1' }],
  ['nothing', { a: null }, { a: null }, { a: '0' }],
  ['an empty cell is nothing, too', { a: null }, { a: '' }, { a: 'x' }],
  ['a column that the row lacks is nothing', { a: null }, {}, { a: 'x' }],
  ['one of a list', { a: ['x', 1, null] }, { a: '1' }, { a: 'y' }],
  ['not', { a: { not: 'x' } }, { a: 'y' }, { a: 'x' }],
  ['none of a list', { a: { not: ['x', null] } }, { a: 'y' }, { a: '' }],
  ['all of several', { a: 'x', b: 'y' }, { a: 'x', b: 'y' }, { a: 'x', b: 'x' }],
])('where: %s', (_what, where, taken, left) => {
  const isTaken = createWherePredicate(where);
  expect([isTaken(row(taken)), isTaken(row(left))]).toEqual([true, false]);
});
