import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseRecordCells } from '../../../src/sources/csv/record-cells.ts';

const lineEnds = { lf: '\n', crlf: '\r\n' } as const;
const character = fc.constantFrom(
  ...['a', 'é', ' ', '\t', '\r', '\\', "'", '"', ';', ',', '|', '#', '\0', '\u2028', '\ufeff'],
);

it('has the cells that csv-parse finds, with quotes and without', () => {
  const dialects = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    quote: fc.constantFrom('"', "'", null),
    escape: fc.constantFrom('"', '\\'),
    lineEnds: fc.constantFrom('lf' as const, 'crlf' as const),
  });
  const text = fc.string({ unit: character, minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(dialects, fc.array(text, { minLength: 1, maxLength: 4 }), (dialect, texts) => {
      const found = parseRecordCells(texts, { ...dialect, comment: null, maxRowBytes: 1_000 });
      const { lineEnds: ends, ...more } = dialect;
      const options = { ...more, record_delimiter: lineEnds[ends] };
      const expected = texts.map((each) => {
        try {
          const [cells, more]: string[][] = parse(each, { ...options, relax_column_count: true });
          return cells === undefined || more !== undefined ? 'refused' : cells;
        } catch {
          return 'refused';
        }
      });
      expect(found.map((cells) => ('refused' in cells ? 'refused' : cells))).toEqual(expected);
    }),
    { numRuns: 2_000 },
  );
});
