import { describe, expect, test } from 'vitest';
import { reading, refusal } from '../reading.ts';

const head = 'id,name,note\n';

describe('row.ragged', () => {
  test('says how many cells there are and how many there should be', async () => {
    const found = await reading(`${head}1,Ada\n2,Bob,x\n3,Cleo,y,z\n`);
    expect(found.broken).toMatchObject([
      { line: 2, raw: '1,Ada', problem: { code: 'row.ragged', column: null } },
      { line: 4, raw: '3,Cleo,y,z', problem: { code: 'row.ragged' } },
    ]);
    expect(found.broken[0]?.problem.reason).toContain('2 cells, the header has 3');
    expect(found.broken[1]?.problem.reason).toContain('4 cells, the header has 3');
    expect(found.cells).toEqual([['2', 'Bob', 'x']]);
  });

  test('a header wider than nearly all rows stays the header', async () => {
    const found = await reading(`a,b,c\n1,2,3\n${'1,2\n'.repeat(20)}`);
    expect(found.facts.columns).toEqual(['a', 'b', 'c']);
    expect(found.broken).toHaveLength(20);
  });
});

describe('row.quote names the column', () => {
  test.each([
    ['first', '"7 "a"",Ada,x\n', 0],
    ['second', '1,"Jim "Bo" Smith","x@y.z"\n', 1],
    ['last', '1,"Ada, the first",5" pipe\n', 2],
  ])('%s', async (_, bad, at) => {
    const found = await reading(`${head}${bad}`);
    expect(found.broken[0]?.problem).toMatchObject({
      code: 'row.quote',
      column: head.trimEnd().split(',')[at],
    });
  });

  test('or none where the record has more cells than the header', async () => {
    const found = await reading(`${head}1,2,3,4" x\n`);
    expect(found.broken[0]?.problem).toMatchObject({ code: 'row.quote', column: null });
  });
});

describe('row.quote costs no sound row', () => {
  const good = '8,Hal,"fine, ""thanks"""\n9,Ida,x\n';

  test.each([
    ['inside a cell', '1,Ada "the" Countess,x\n'],
    ['after a closed one', '1,"Ada"da,x\n'],
    ['not doubled within quotes', '1,"Ada "the" Countess",x\n'],
    ['before an open end', '1,"Ada" ,x\n'],
    ['over two lines', '1,"Ada\nwrote "notes",x\n'],
    ['in a cell that was never closed, before rows with quotes', '1,"Ada,x\n'],
    ['never closed in the last cell', '1,Ada,"x\n'],
  ])('%s', async (_, bad) => {
    const found = await reading(`${head}7,Gil,z\n${bad}${good}`);
    expect(found.broken).toHaveLength(1);
    expect(found.broken[0]).toMatchObject({ line: 3, raw: bad.trimEnd(), problem: { code: 'row.quote' } });
    expect(found.cells).toEqual([
      ['7', 'Gil', 'z'],
      ['8', 'Hal', 'fine, "thanks"'],
      ['9', 'Ida', 'x'],
    ]);
    expect(found.rows.at(-1)?.line).toBe(3 + bad.split('\n').length);
  });

  test('sound rows between an open quote and the next one are kept', async () => {
    const found = await reading(`${head}1,"Ada,x\n2,Bob,y\n3,Cleo,z\n${good}`);
    expect(found.broken.map(({ line, raw }) => [line, raw])).toEqual([[2, '1,"Ada,x']]);
    expect(found.cells.map(([id]) => id)).toEqual(['2', '3', '8', '9']);
  });

  test('in the header, the file is refused', async () => {
    const error = await refusal(reading('id,na"me\n1,2\n'));
    expect(error.message).toContain('header');
    expect(error.place?.line).toBe(1);
  });
});

describe('an unclosed quote that swallows the rest', () => {
  test.each([
    ['a short file', 3],
    ['a file longer than a record may be', 150],
  ])('of %s stops before anything is sent, with the line where it opened', async (_, rows) => {
    const more = Array.from({ length: rows }, (_, n) => `${n},${'x'.repeat(9000)},y`).join('\n');
    const error = await refusal(reading(`${head}1,Ada,x\n2,"two\nlines",y\n3,z,"open\n${more}`));
    expect(error.reason).toBe('input');
    expect(error.place).toMatchObject({ line: 5 });
    expect(error.message).toContain('line 5');
    expect(error.next).toContain('quote: false');
  });

  test('a stray quote too far behind an open one stops, too: many rows would go with it', async () => {
    const more = Array.from({ length: 150 }, (_, n) => `${n},x,${'y'.repeat(9000)}`).join('\n');
    const error = await refusal(reading(`${head}3,z,"open\n${more}\n7,"Gil",z\n`));
    expect(error.place).toMatchObject({ line: 2 });
  });
});

describe('row.tooLarge', () => {
  test.each([
    ['without quotes', (size: number) => `1,${'x'.repeat(size)},y`],
    ['with quotes and lines', (size: number) => `1,"${'x""\r\n'.repeat(size / 5)}",y`],
    ['with a stray quote', (size: number) => `1,${'x'.repeat(size)}"${'x'.repeat(size)},y`],
  ])('%s: its beginning is kept, its neighbours are read', async (_, write) => {
    const large = write(2_000_000);
    const found = await reading(`${head}0,Ada,x\n${large}\n2,Bob,"y"\n`);
    expect(found.broken).toMatchObject([{ line: 3, problem: { code: 'row.tooLarge' } }]);
    expect(found.broken[0]?.raw).toHaveLength(64 * 1024);
    expect(large.startsWith(found.broken[0]?.raw ?? '-')).toBe(true);
    expect(found.cells.map(([id]) => id)).toEqual(['0', '2']);
    expect(found.rows[1]?.line).toBe(4 + large.split('\n').length - 1);
  });

  test('maxRowBytes counts bytes as UTF-8', async () => {
    const text = `${head}1,${'é'.repeat(200)},x\n2,${'e'.repeat(200)},x\n`;
    const found = await reading(text, { maxRowBytes: 300 });
    expect(found.broken.map(({ line }) => line)).toEqual([2]);
    expect((await reading(text, { maxRowBytes: 500 })).broken).toEqual([]);
  });
});

describe('warnings', () => {
  test('NULs in cells are left out, and said with the first line', async () => {
    const found = await reading(`${head}1,A\0da,x\n2,\0,y\n`);
    expect(found.cells).toEqual([
      ['1', 'Ada', 'x'],
      ['2', '', 'y'],
    ]);
    expect(found.facts.notes.join()).toContain('2 records have NUL characters, the first in line 2');
  });

  test('nothing but empty lines is refused', async () => {
    const error = await refusal(reading('\n\r\n\n'));
    expect(error.message).toContain('only empty lines');
  });

  test('blanks, emoji, ideographic spaces and JSON stay as they are', async () => {
    const found = await reading(`${head}" 1 ",\u3000Zoë 🌟,"{""a"": [1, 2]}"\n`);
    expect(found.cells).toEqual([[' 1 ', '\u3000Zoë 🌟', '{"a": [1, 2]}']]);
  });
});
