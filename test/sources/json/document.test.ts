import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextSplitter } from '../../../src/sources/encoding/text-file.ts';
import { NdjsonSplitter } from '../../../src/sources/json/json-source.ts';
import type { RawJsonRecord } from '../../../src/sources/json/raw-record.ts';
import { JsonArraySplitter } from '../../../src/sources/json/splitters.ts';
import { file, never, open, reading, readingOf, refusal } from '../reading.ts';

const json = (text: string, options: object = {}) => reading(text, options, 'json');
const ids = async (text: string, options: object = {}) =>
  (await json(text, options)).rows.map((row) => row.cell('id'));

describe('where the records are', () => {
  test.each([
    ['at the top', '[{"id":1},{"id":2}]', {}],
    ['under a key', '{"n":1,"contacts":[{"id":1},{"id":2}],"next":null}', { at: 'contacts' }],
    ['under keys', '{"data":[9],"x":{"data":{"items":[{"id":1},{"id":2}]}}}', { at: 'x.data.items' }],
    ['in several arrays', '[{"data":[{"id":1}]},{"data":[{"id":2}],"x":[3]}]', { at: 'data' }],
    ['under an escaped key', '{"caf\\u00e9":[{"id":1},{"id":2}]}', { at: 'café' }],
    ['behind texts like brackets', '{"a":"[{\\"id\\":","data":[{"id":1},{"id":2}]}', { at: 'data' }],
    ['under each key', '{"contacts":{"a":{"id":1},"b":{"id":2}},"x":{"c":{"id":3}}}', { at: 'contacts.*' }],
    ['under each key at the top', '{ "a" : {"id":1} , "b\\"}" : {"id":2} }', { at: '*' }],
  ])('%s', async (_, text, options) => {
    expect(await ids(text, options)).toEqual(['1', '2']);
  });

  test('a record under a key has the key in a column of its own', async () => {
    const { rows, broken } = await json('{"-N1":{"id":1},"caf\\u00e9":{},"x":7}', { at: '*' });
    expect(rows.map((row) => row.entries())).toEqual([
      [
        ['$key', '-N1'],
        ['id', '1'],
      ],
      [['$key', 'café']],
    ]);
    expect(broken.map(({ problem }) => problem.code)).toEqual(['row.notObject']);
  });

  test('records under keys that are cut off are refused', async () => {
    for (const text of ['{"a":{"id":1}', '{"a":{"id":1},"b', '{"a":{"id":1},"b":', '{"a":{"id":1},"b":{'])
      expect((await refusal(json(text, { at: '*' }))).message).toContain('is cut off');
    expect((await refusal(json('{"a":{"id":1},7}', { at: '*' }))).message).toContain('a key is missing');
    expect((await refusal(json('{"a":[]}', { at: 'b.*' }))).message).toContain('no object at "b.*"');
  });

  test.each([
    [
      'an object where an array should be',
      '{"a":1,"contacts":[1],"x":{"y":[]}}',
      {},
      'Set "at" to the array of records: "contacts", "x.y"',
    ],
    [
      'no array at the path',
      '{"a":1,"contacts":[1]}',
      { at: 'people' },
      'Set "at" to the array of records: "contacts"',
    ],
    ['an object alone', '{"a":1}', {}, 'no array in it'],
    ['a record in each line', '{"a":1}\n{"a":2}\n', {}, 'format: ndjson'],
  ])('%s is refused with what to state', async (_, text, options, next) => {
    expect((await refusal(json(text, options))).next).toContain(next);
  });

  test('one document read as NDJSON is refused with the right format', async () => {
    for (const text of ['[\n{"a":1}\n]', '{\n"a":\n{"a":1}\n}', '[1]'])
      expect((await refusal(reading(text, {}, 'ndjson'))).next).toContain('format: json');
  });

  test('an array without records has none', async () => {
    expect((await json(' [ ] ')).facts).toMatchObject({ items: 0, columns: null });
  });
});

describe('what is no JSON as a whole is refused with its place', () => {
  test.each([
    ['XML', '<people></people>', 'begins with "<"', 1],
    ['blanks', ' \n ', 'blanks', 2],
    ['what goes on after the end', '[{"id":1}]\n\n[{"id":2}]', 'has more text in line 3, after the end', 3],
    ['cut off in a record', '[{"id":1},\n{"id":2', 'record 2, which begins in line 2', 2],
    ['cut off in a text', '[{"id":1},\n{"id":"2', 'record 2', 2],
    ['cut off between records', '[{"id":1},\n', 'is cut off in line 2', 2],
    ['cut off behind the array', '{"a":[{"id":1}],\n"b"', 'is cut off', 2],
    [
      'a record that is never closed',
      '[{"id":1},\n{"id":2,\n{"id":3}\n]',
      'record 2, which begins in line 2',
      2,
    ],
    ['a bracket too many', '[{"id":1}}]', 'a stray closing bracket', 1],
    ['a bracket too many outside', '{"a":[{"id":1}]\n]', 'a stray ] in line 2', 2],
    ['nested too deep outside', `{"b":${'['.repeat(1e6)}`, 'more than 100 levels', 1],
  ])('%s', async (_, text, words, line) => {
    const error = await refusal(json(text, text.startsWith('{') ? { at: 'a' } : {}));
    expect(error.reason).toBe('input');
    expect(error.message).toContain(words);
    expect(error.place?.line).toBe(line);
    expect(error.next).toBeTruthy();
  });
});

test('NDJSON without a line of JSON is refused with what is wrong in the first', async () => {
  const error = await refusal(reading('\nid: 1\nid: 2\n', {}, 'ndjson'));
  expect(error.message).toContain('has no line of JSON; line 2:');
  expect(error.place?.line).toBe(2);
  const { rows, broken } = await reading('id: 1\n{"id":2}\n', {}, 'ndjson');
  expect([rows.length, broken.length]).toEqual([1, 1]);
});

describe('a record that is none costs only itself', () => {
  test.each([
    ['no object', '7', 'row.notObject'],
    ['a text', '"x"', 'row.notObject'],
    ['null', 'null', 'row.notObject'],
    ['an array', '[{"id":2}]', 'row.notObject'],
    ['a bare word', '{"id":two}', 'row.json'],
    ['no value', '{"id":}', 'row.json'],
    ['a bracket of the other kind', '{"id":[2}', 'row.json'],
    ['a quote too few', '{"id":"2,\n"x":1}', 'row.json'],
    ['a line end in a text', '{"id":"two\nlines"\n}', 'row.json'],
    ['nested a million deep', `{"id":${'['.repeat(1e6)}${']'.repeat(1e6)}}`, 'row.tooLarge'],
    ['nested deep', `{"id":${'[{"a":'.repeat(400)}1${'}]'.repeat(400)}}`, 'row.tooDeep'],
    ['large', `{"id":"${'é\\"'.repeat(400_000)}"}`, 'row.tooLarge'],
  ])('%s', async (_, record, code) => {
    const found = await json(`[{"id":1}, ${record} ,{"id":3}]`);
    expect(found.rows.map((row) => [row.line, row.cell('id')])).toEqual([
      [1, '1'],
      [3, '3'],
    ]);
    expect(found.broken).toMatchObject([{ line: 2, problem: { code } }]);
    expect(record.startsWith(found.broken[0]?.raw ?? '-')).toBe(true);
  });

  test.each([
    ['broken', '{"id":', 'row.json'],
    ['no object', '[1]', 'row.notObject'],
    ['nested a million deep', `{"id":${'['.repeat(1e6)}${']'.repeat(1e6)}}`, 'row.tooDeep'],
    ['two records', '{"id":2}{"id":3}', 'row.json'],
  ])('a line of NDJSON: %s', async (_, line, code) => {
    const text = `{"id":1}\r\n\r\n${line}\r\n  \n{"id":4}`;
    const found = await reading(text, { maxRowBytes: 1e7 }, 'ndjson');
    expect(found.rows.map((row) => [row.line, row.cell('id')])).toEqual([
      [1, '1'],
      [5, '4'],
    ]);
    expect(found.broken).toMatchObject([{ line: 3, problem: { code } }]);
    expect(line.startsWith(found.broken[0]?.raw ?? '-')).toBe(true);
  });

  test('a comma too many or too few between records costs nothing', async () => {
    expect(await ids('[,{"id":1}{"id":2},,{"id":3},]')).toEqual(['1', '2', '3']);
  });

  test.each(['json', 'ndjson'])('a row of 100 MB of %s is too large', async (format) => {
    const [head, tail] = format === 'json' ? ['[{"id":1},', ',{"id":3}]'] : ['{"id":1}\n', '\n{"id":3}'];
    const large = Buffer.alloc(100e6, 'x');
    const path = file(Buffer.concat([Buffer.from(`${head}{"id":"`), large, Buffer.from(`"}${tail}`)]));
    const found = await readingOf(open(path, {}, format));
    expect(found.rows.map((row) => row.cell('id'))).toEqual(['1', '3']);
    expect(found.broken.map(({ problem }) => problem.code)).toEqual(['row.tooLarge']);
    expect(found.broken[0]?.raw).toHaveLength(64 * 1024);
  });

  test.each([
    ['json', (): TextSplitter<RawJsonRecord> => new JsonArraySplitter('f', undefined, 1000), '[{"id":"'],
    ['ndjson', (): TextSplitter<RawJsonRecord> => new NdjsonSplitter(1000), '{"id":"'],
  ])('of a row of %s that is too large only the beginning is kept', (_, splitter, head) => {
    const parting = splitter();
    parting.push(head, false);
    for (let n = 0; n < 50; n += 1) parting.push('x'.repeat(100_000), false);
    const [record] = parting.push('"}\n', false);
    expect(record).toMatchObject({ line: 1, problem: 'tooLarge' });
    expect(record?.text).toHaveLength(64 * 1024);
  });

  test('maxRowBytes counts bytes as UTF-8', async () => {
    const text = `{"a":"${'é'.repeat(200)}"}\n{"a":"${'e'.repeat(200)}"}\n`;
    const found = await reading(text, { maxRowBytes: 300 }, 'ndjson');
    expect(found.broken.map(({ line }) => line)).toEqual([1]);
  });
});

describe('where the pieces part changes nothing', () => {
  const characters = fc
    .array(
      fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '\n', ' ', '1', 'a', '{"a":1}', '"x"', '[{'),
      {
        maxLength: 40,
      },
    )
    .map((all) => all.join(''));
  const places = fc.array(fc.nat(), { maxLength: 6 });

  test.each([
    ['array', (): TextSplitter<RawJsonRecord> => new JsonArraySplitter('f', undefined, 60), '[', ']'],
    [
      'array at a path',
      (): TextSplitter<RawJsonRecord> => new JsonArraySplitter('f', 'a', 60),
      '{"b":[],"a":[',
      ']}',
    ],
    ['lines', (): TextSplitter<RawJsonRecord> => new NdjsonSplitter(60), '', ''],
  ])('%s', (_, splitter, head, tail) => {
    fc.assert(
      fc.property(characters, places, fc.boolean(), (middle, at, whole) => {
        const text = head + middle + (whole ? tail : '');
        expect(split(splitter(), cut(text, at))).toEqual(split(splitter(), [text]));
      }),
      { numRuns: 1500 },
    );
  });

  test('records of sound documents are those that were written, each with its place', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 6 }),
        places,
        fc.constantFrom(undefined, 2),
        (values, at, indent) => {
          const text = JSON.stringify(values, null, indent);
          const records = split(new JsonArraySplitter('f', undefined, 1e6), cut(text, at));
          if (typeof records === 'string') throw new Error(records);
          expect(records.map(({ text: record }) => JSON.stringify(JSON.parse(record)))).toEqual(
            values.map((each) => JSON.stringify(each)),
          );
          expect(records.map(({ line }) => line)).toEqual(values.map((_, index) => index + 1));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('records under keys are those that were written, wherever the text is cut', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.record({ id: fc.jsonValue({ maxDepth: 2 }) }), { maxKeys: 6 }),
        places,
        (document, at) => {
          const records = split(new JsonArraySplitter('f', '*', 1e6), cut(JSON.stringify(document), at));
          if (typeof records === 'string') throw new Error(records);
          expect(records.map(({ text }) => JSON.parse(text))).toEqual(
            Object.entries(JSON.parse(JSON.stringify(document))).map(([key, record]) =>
              Object.assign({ $key: key }, record),
            ),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** The records, or the words in which the text is refused. */
function split(
  splitter: TextSplitter<RawJsonRecord>,
  parts: readonly string[],
): readonly RawJsonRecord[] | string {
  try {
    return [...parts.flatMap((part) => [...splitter.push(part, false)]), ...splitter.end()];
  } catch (error) {
    return String(error);
  }
}

function cut(text: string, places: readonly number[]): readonly string[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

test('UTF-16 and a stated encoding are read as CSV reads them', async () => {
  const text = '[{"name":"Zoë 🌟"}]';
  const marked = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  const source = open(file(marked), {}, 'json');
  expect((await readingOf(source)).cells).toEqual([['Zoë 🌟']]);
  const latin = open(file(Buffer.from('[{"name":"Zoë"}]', 'latin1')), { encoding: 'windows-1252' }, 'json');
  expect((await latin.inspect(never)).notes).toEqual([]);
  expect((await readingOf(latin)).cells).toEqual([['Zoë']]);
});
