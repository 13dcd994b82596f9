import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flattenJsonObject } from '../../../src/sources/json/flatten.ts';
import { file, itemsFrom, open, reading } from '../reading.ts';

/** The cells of one record. */
function cellsOf(json: string): unknown {
  const cells = flattenJsonObject(json);
  return typeof cells === 'string' ? cells : Object.fromEntries(cells);
}

test('nested objects and arrays become columns by their paths; the array is a cell, too', () => {
  const json = `{ "id": 7, "company": {"name": "ACME", "site": {"city": "Köln"}},
    "emails": [ {"value": "a@b.test", "primary": true}, {"value": "c d"} ], "tags": ["x , y", "z"], "deep": [[1, 2], []] }`;
  expect(flattenJsonObject(json)).toEqual(
    new Map([
      ['id', '7'],
      ['company.name', 'ACME'],
      ['company.site.city', 'Köln'],
      ['emails', '[{"value":"a@b.test","primary":true},{"value":"c d"}]'],
      ['emails[0].value', 'a@b.test'],
      ['emails[0].primary', 'true'],
      ['emails[1].value', 'c d'],
      ['tags', '["x , y","z"]'],
      ['tags[0]', 'x , y'],
      ['tags[1]', 'z'],
      ['deep', '[[1,2],[]]'],
      ['deep[0]', '[1,2]'],
      ['deep[0][0]', '1'],
      ['deep[0][1]', '2'],
      ['deep[1]', ''],
    ]),
  );
});

test('numbers stay as they are written, null is null, and nothing is in empty objects and arrays', () => {
  expect(
    cellsOf('{"a":12345678901234567890,"b":1.50,"c":-1E+9,"d":true,"e":false,"f":null,"g":{},"h":[]}'),
  ).toEqual({
    a: '12345678901234567890',
    b: '1.50',
    c: '-1E+9',
    d: 'true',
    e: 'false',
    f: null,
    h: '',
  });
});

test('values of Extended JSON, as mongoexport writes them, are plain cells', () => {
  expect(
    cellsOf(
      `{"_id":{"$oid":"64b7f0c2a1b2c3d4e5f60001"},"at":{ "$date" : "2024-03-04T10:15:00.000Z" },"born":{"$date":{"$numberLong":"-320976000000"}},
        "seen":{"$date":1709547300000},"visits":{"$numberLong":"9007199254740993"},"spend":{"$numberDecimal":"1234.50"},
        "ids":[{"$oid":"a"},{"$oid":"b"}],"other":{"$date":"x","more":1},"ref":{"$ref":"c"},"far":{"$date":{"$numberLong":"99999999999999999"}}}`,
    ),
  ).toMatchObject({
    _id: '64b7f0c2a1b2c3d4e5f60001',
    at: '2024-03-04T10:15:00.000Z',
    born: '1959-10-31T00:00:00.000Z',
    seen: '2024-03-04T10:15:00.000Z',
    visits: '9007199254740993',
    spend: '1234.50',
    'ids[0]': 'a',
    'ids[1]': 'b',
    'other.$date': 'x',
    'other.more': '1',
    'ref.$ref': 'c',
    far: '99999999999999999',
  });
});

test('escapes in keys and texts are resolved', () => {
  expect(cellsOf('{"a\\"\\u00e9":"x\\\\","b":"\\\\\\"y","c":"\\n"}')).toEqual({
    'a"é': 'x\\',
    b: '\\"y',
    c: '\n',
  });
});

test('a column that really has the dot in its name wins, wherever it stands; of two of one name the last', () => {
  expect(cellsOf('{"a.b":1,"a":{"b":2}}')).toEqual({ 'a.b': '1' });
  expect(cellsOf('{"a":{"b":2},"a.b":1}')).toEqual({ 'a.b': '1' });
  expect(cellsOf('{"t[0]":"own","t":["x"]}')).toEqual({ 't[0]': 'own', t: '["x"]' });
  expect(cellsOf('{"a":1,"a":2}')).toEqual({ a: '2' });
});

test('elements beyond the hundredth are in the cell of the array alone', () => {
  const cells = flattenJsonObject(
    `{"t":[${Array.from({ length: 150 }, (_, n) => `{"n":${n}}`).join(',')}],"z":1}`,
  );
  if (typeof cells === 'string') throw new Error(cells);
  expect([cells.get('t[99].n'), cells.get('t[100].n'), cells.get('z')]).toEqual(['99', undefined, '1']);
  expect(JSON.parse(cells.get('t') ?? '')).toHaveLength(150);
});

test.each([
  ['an array', '[{"a":1}]', 'notObject'],
  ['a text', '"{}"', 'notObject'],
  ['nested 100 deep', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, undefined],
  ['nested 101 deep', `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`, 'tooDeep'],
  ['nested a million deep', `{"a":${'['.repeat(1e6)}${']'.repeat(1e6)}}`, 'tooDeep'],
  ['a key of 1001 letters', `{"${'k'.repeat(1001)}":1}`, 'longColumn'],
  ['a path of 1001 letters', `{"${'k'.repeat(500)}":{"${'k'.repeat(500)}":1}}`, 'longColumn'],
])('%s', (_, json, trouble) => {
  const cells = flattenJsonObject(json);
  expect(typeof cells === 'string' ? cells : undefined).toBe(trouble);
});

test('whatever the values, a flat record gives what JSON.parse gives', () => {
  const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.boolean(), fc.constant(null), fc.integer());
  const blanks = fc.constantFrom(undefined, 1, '\t');
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), cell)), blanks, (entries, indent) => {
      const record = Object.fromEntries(entries);
      const expected = new Map<string, string | null>();
      for (const [key, cell] of Object.entries(record))
        expected.set(key, cell === null ? null : String(cell));
      const cells = flattenJsonObject(JSON.stringify(record, null, indent));
      expect(cells).toEqual(expected);
    }),
  );
});

test('nulls names the texts that are null, and NULs are left out', async () => {
  const { rows } = await reading(
    '{"a":"\\\\N","b":"NULL","c":"x\\u0000y","d":"N"}',
    { nulls: ['\\N', 'NULL'] },
    'ndjson',
  );
  expect(rows[0]?.entries()).toEqual([
    ['a', null],
    ['b', null],
    ['c', 'xy'],
    ['d', 'N'],
  ]);
});

test('half a character in an escape breaks the row, in a cell or a column', async () => {
  const text = '{"a":"\\ud83d\\ude00"}\n{"a":"cut \\ud83d"}\n{"\\ude00":1}';
  const { rows, broken } = await reading(text, {}, 'ndjson');
  expect(rows.map((row) => row.cell('a'))).toEqual(['😀']);
  expect(broken.map(({ line, problem }) => [line, problem.code])).toEqual([
    [2, 'row.encoding'],
    [3, 'row.encoding'],
  ]);
});

test('the columns are those of all rows, in the order they were first seen, or null where they are too many', async () => {
  const some = await reading('{"a":1,"b":{"c":2}}\n{"d":3,"a":4}', {}, 'ndjson');
  expect(some.facts.columns).toEqual(['a', 'b.c', 'd']);
  const source = open(file(Array.from({ length: 2001 }, (_, n) => `{"k${n}":1}`).join('\n')), {}, 'ndjson');
  expect((await source.inspect(new AbortController().signal)).columns).toBeNull();
  expect(await itemsFrom(source)).toHaveLength(2001);
});
