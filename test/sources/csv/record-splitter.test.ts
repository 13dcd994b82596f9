import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CsvReadDialect, RawCsvRecord } from '../../../src/sources/csv/record-scan.ts';
import { CsvRecordSplitter } from '../../../src/sources/csv/record-splitter.ts';

const dialect: CsvReadDialect = {
  delimiter: ',',
  quote: '"',
  escape: '"',
  lineEnds: 'auto',
  comment: null,
  maxRowBytes: 4096,
};

function split(
  pieces: readonly string[],
  given: CsvReadDialect,
  cells: number | null,
): readonly RawCsvRecord[] {
  const splitter = new CsvRecordSplitter(given, cells);
  return [...pieces.flatMap((piece) => [...splitter.push(piece, false)]), ...splitter.end()];
}

function cut(text: string, places: readonly number[]): readonly string[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

const characters = (...list: string[]) =>
  fc.array(fc.constantFrom(...list), { maxLength: 60 }).map((all) => all.join(''));
const places = fc.array(fc.nat(), { maxLength: 8 });

test.each([
  ['doubled quotes', dialect],
  ['backslashes', { ...dialect, escape: '\\' }],
  ['a delimiter of two characters', { ...dialect, delimiter: '~,' }],
  ['CRLF only', { ...dialect, lineEnds: 'crlf' as const }],
  ['comments', { ...dialect, comment: '#' }],
])('where the pieces part changes nothing: %s', (_, given) => {
  const text = characters('a', 'b', ',', '~', '"', '\n', '\r', '\r\n', '""', '\\', '#', '"x",y\n', 'p,q\n');
  fc.assert(
    fc.property(text, places, (all, at) => {
      expect(split(cut(all, at), given, 2)).toEqual(split([all], given, 2));
    }),
    { numRuns: 800 },
  );
});

test('records of sound files are those of csv-parse, with the lines where they begin', () => {
  const cell = characters('a', 'b', ',', '"', '\n', '\r\n', 'é', ' ');
  const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(table, places, fc.constantFrom('\n', '\r\n', '\r'), (rows, at, end) => {
      const texts = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(','));
      const records = split(cut(texts.join(end), at), dialect, 3);
      expect(records.map(({ text }) => parse(text)[0])).toEqual(rows);
      let line = 1;
      for (const [index, text] of texts.entries()) {
        expect(records[index]?.line).toBe(line);
        line += text.split(/\r\n|\n|\r/).length;
      }
    }),
    { numRuns: 400 },
  );
});

test('one spoiled record among sound ones costs none of them', () => {
  const sound = fc.constantFrom('1,"x, y",z', 'a,b,c', '"p","q","r"', '"two\nlines",m,"n ""o"""', '7,"",9');
  const spoiled = fc.constantFrom('1,"x"y,z', 'a,b"b,c', '"p","q "r" s","t"', 'a,"b"" "c,d', '1,"ab"c');
  const some = fc.array(sound, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(some, spoiled, some, places, (before, bad, after, at) => {
      const text = [...before, bad, ...after].join('\n');
      const records = split(cut(text, at), dialect, 3);
      expect(records.filter(({ problem }) => problem === null).map(({ text: record }) => record)).toEqual([
        ...before,
        ...after,
      ]);
      expect(records.filter(({ problem }) => problem !== null).length).toBeGreaterThan(0);
    }),
    { numRuns: 400 },
  );
});
