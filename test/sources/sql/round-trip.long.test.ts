import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itemsOf, recordsOf } from './scanning.ts';
import { type Table, writers } from './writers.ts';

// The characters that decide about quotes, escapes, statements and lines, more often than by chance.
const tricky = fc.constantFrom(
  "'",
  '"',
  '`',
  '\\',
  '\\.',
  '\\N',
  ';',
  ',',
  '(',
  ')',
  '--',
  '-- ',
  '#',
  '/*',
  '*/',
  '/*!',
  '$',
  '$$',
  '$_$',
  '\n',
  '\r',
  '\t',
  '\b',
  '\v',
  '\f',
  '\u001a',
  ' ',
  'E',
  "e'",
  'NULL',
  "');",
  'INSERT INTO',
  '\nGO\n',
  'ë',
  '🌟',
  '\u3000',
  '%',
  '_',
);
const text = fc
  .array(
    fc.oneof({ weight: 3, arbitrary: tricky }, { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) }),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join('').replaceAll('\0', ''));
const cell = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.constant(null) },
);
const name = text.filter((found) => found !== '' && !/[\r\n.]/.test(found)).map((found) => `n${found}`);
const table: fc.Arbitrary<Table> = fc
  .record({ name, columns: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }) })
  .chain(({ name, columns }) =>
    fc
      .array(fc.array(cell, { minLength: columns.length, maxLength: columns.length }), { maxLength: 6 })
      .map((rows) => ({ name, columns, rows })),
  );
const tables = fc.uniqueArray(table, { minLength: 1, maxLength: 3, selector: ({ name }) => name });
const sizes = fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 8 });

describe.each(Object.entries(writers))('what %s writes', (_, write) => {
  test('comes back exactly, wherever its pieces part', () => {
    fc.assert(
      fc.property(tables, sizes, (written, pieces) => {
        const records = recordsOf(write(written), pieces);
        for (const { name, columns, rows } of written) {
          const items = itemsOf(records.filter(({ block }) => block.table.name === name));
          expect(items.map((item) => (item.kind === 'row' ? item.entries() : item))).toEqual(
            rows.map((row) =>
              row.map((value, place) => [columns[place], value === null ? null : String(value)]),
            ),
          );
        }
        expect(records).toHaveLength(written.reduce((sum, { rows }) => sum + rows.length, 0));
      }),
      { numRuns: 400 },
    );
  });

  test('gives the same rows of one table when the others are passed over', () => {
    fc.assert(
      fc.property(tables, sizes, (written, pieces) => {
        const dump = write(written);
        const all = recordsOf(dump, pieces);
        for (const { name } of written) {
          const own = ({ line, text }: (typeof all)[number]) => [line, text];
          expect(recordsOf(dump, pieces, name).map(own)).toEqual(
            all.filter(({ block }) => block.table.name === name).map(own),
          );
        }
      }),
      { numRuns: 100 },
    );
  });
});
