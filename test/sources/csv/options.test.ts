import { describe, expect, test } from 'vitest';
import { file, itemsFrom, open, reading, refusal } from '../reading.ts';

describe('delimiter', () => {
  test.each([',', ';', '\t', '|', '^', '`'])('%j is found, quotes respected', async (character) => {
    const lines = [
      ['name', 'note', 'score'],
      ['Ada', `"one${character}two, three; four"`, '1'],
      ['Bob', '"x\ny"', '2'],
    ];
    const found = await reading(lines.map((line) => line.join(character)).join('\n'));
    expect(found.facts.columns).toEqual(['name', 'note', 'score']);
    expect(found.cells[0]).toEqual(['Ada', `one${character}two, three; four`, '1']);
  });

  test('semicolons are found among decimal commas and ragged rows', async () => {
    const found = await reading('a;b;c\n1,5;2,5;3,5\n1,5;2,5;3,5\n1,5;2,5\n');
    expect(found.facts.columns).toEqual(['a', 'b', 'c']);
    expect(found.broken).toHaveLength(1);
  });

  test('a file of one column has one', async () => {
    expect((await reading('name\nAda\nBob Smith\n')).cells).toEqual([['Ada'], ['Bob Smith']]);
  });

  test('the line sep=; of a spreadsheet is obeyed and is no row', async () => {
    const found = await reading('sep=;\na;b\n1,2;3,4\n');
    expect(found.facts.columns).toEqual(['a', 'b']);
    expect(found.rows.map((row) => row.line)).toEqual([3]);
  });

  test('one that is stated counts, also of several characters', async () => {
    expect((await reading('a~|~b\n1,2~|~"3~|~4"\n', { delimiter: '~|~' })).cells).toEqual([['1,2', '3~|~4']]);
    expect((await reading('a,b|c\n1,2|3\n', { delimiter: '|' })).facts.columns).toEqual(['a,b', 'c']);
  });

  test('tsv reads tabs, and another delimiter where it is stated', async () => {
    expect((await reading('a,b\tc\n', {}, 'tsv')).facts.columns).toEqual(['a,b', 'c']);
    expect((await reading('a;b\tc\n', { delimiter: ';' }, 'tsv')).facts.columns).toEqual(['a', 'b\tc']);
  });
});

describe('quote and escape', () => {
  test('apostrophes around cells are found and said; one within a name is not', async () => {
    const found = await reading("'a','b'\n'1,2','3'\n");
    expect(found.cells).toEqual([['1,2', '3']]);
    expect(found.facts.notes.join()).toContain('apostrophes');
    expect((await reading("a,b\n't Hooft,O'Brien\n")).cells).toEqual([["'t Hooft", "O'Brien"]]);
  });

  test('backslashes before quotes are found and said', async () => {
    const found = await reading('a,b\n"say \\"hi\\", she said",1\n"x",2\n');
    expect(found.cells[0]).toEqual(['say "hi", she said', '1']);
    expect(found.facts.notes.join()).toContain('backslash');
  });

  test('a backslash at the end of a cell is no escape where quotes are doubled', async () => {
    expect((await reading('a,b\n"C:\\",1\n"x ""y""",2\n')).cells).toEqual([
      ['C:\\', '1'],
      ['x "y"', '2'],
    ]);
  });

  test('quotes that are a part of the cells are kept and said, and no row is lost', async () => {
    const found = await reading('id\tname\titem\n1\tJim "Bo" Smith\t5" pipe\n2\tAnn\t"A" valve\n3\tTom\tx\n');
    expect(found.broken).toEqual([]);
    expect(found.cells).toEqual([
      ['1', 'Jim "Bo" Smith', '5" pipe'],
      ['2', 'Ann', '"A" valve'],
      ['3', 'Tom', 'x'],
    ]);
    expect(found.facts).toMatchObject({
      detected: { quote: false },
      notes: [expect.stringContaining('quote: false')],
    });
  });

  test('a quote at the beginning of a cell does not swallow whole rows up to the next one', async () => {
    const found = await reading('id;name;size\n1;Jim;"5\n2;Ann;7\n3;Tom;9"\n4;Kim;8\n');
    expect(found.cells.map(([id]) => id)).toEqual(['1', '2', '3', '4']);
    expect(found.cells[0]).toEqual(['1', 'Jim', '"5']);
  });

  test.each([
    ['cells with several lines', 'a,b,c\n1,"two\nlines, and a comma",x\n2,y,z\n'],
    ['addresses of two columns', 'id,address\n1,"Main Street 1, Ulm\nBox 2, Ulm"\n2,x\n'],
    ['cells beside a stray quote', 'a,b,c\n1,"x, y",z\n2,"x ""y""",z\n3,Bo "B" Lee,z\n'],
  ])('%s are quoted', async (_what, text) => {
    expect((await reading(text)).facts.detected).not.toHaveProperty('quote');
  });

  test('both can be stated', async () => {
    expect((await reading("a,b\n'1,''x''',2\n", { quote: "'" })).cells).toEqual([["1,'x'", '2']]);
    expect((await reading('a,b\n"1\\\\","\\"2"\n', { escape: '\\' })).cells).toEqual([['1\\', '"2']]);
    expect((await reading('a,b\n"1,5" x\n', { quote: false })).cells).toEqual([['"1', '5" x']]);
  });
});

describe('header', () => {
  test('left out: the first record, or the first wide one under a title, which is said', async () => {
    expect((await reading('a,b\n1,2\n')).facts.columns).toEqual(['a', 'b']);
    const titled = await reading('Export of 1 May\n\na,b\n1,2\n3,4\n');
    expect(titled.facts.columns).toEqual(['a', 'b']);
    expect(titled.rows.map((row) => row.line)).toEqual([4, 5]);
    expect(titled.facts.notes.join()).toContain('line 3');
  });

  test('left out, and the first record is a person: there is none, which is said', async () => {
    const found = await reading('Ada,ada@example.com\nBob,bob@example.com\n');
    expect(found.facts.columns).toEqual(['Column 1', 'Column 2']);
    expect(found.cells).toHaveLength(2);
    expect(found.facts.notes.join()).toContain('no header');
  });

  test('true takes the first record, whatever it looks like', async () => {
    expect((await reading('Ada,ada@example.com\nBob,b@example.com\n', { header: true })).cells).toHaveLength(
      1,
    );
  });

  test('false, a line, or a list of names', async () => {
    expect((await reading('a,b\n1,2\n', { header: false })).cells).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    const third = await reading('x,y\nz\nn,m\n1,2\n', { header: 3 });
    expect([third.facts.columns, third.cells]).toEqual([['n', 'm'], [['1', '2']]]);
    const named = await reading('1,2\n', { header: ['p', 'q'] });
    expect(named.rows[0]?.cell('q')).toBe('2');
  });

  test('a line in which no record begins is refused', async () => {
    const error = await refusal(reading('a,b\n"1\n2",3\n', { header: 3 }));
    expect(error.message).toContain('line 3');
  });

  test('names lose blanks and NULs, which is said; one may hold a line end', async () => {
    const found = await reading(' a ,E\0mail,"two\nlines"\n1,2,3\n');
    expect(found.facts.columns).toEqual(['a', 'Email', 'two\nlines']);
    expect(found.facts.notes.join()).toContain('NUL');
    expect(found.rows[0]?.line).toBe(3);
  });

  test('only a header: no rows', async () => {
    expect((await reading('a,b')).facts).toMatchObject({ items: 0, columns: ['a', 'b'] });
  });
});

describe('duplicateHeaders', () => {
  test('error, unless stated: names them with their columns', async () => {
    const error = await refusal(reading('Email,Name,Email , Name\n1,2,3,4\n'));
    expect(error.message).toContain('"Email" (columns 1, 3), "Name" (columns 2, 4)');
    expect(error.next).toContain('duplicateHeaders');
  });

  test('number: the second is called Name.2, and no name is taken twice', async () => {
    const found = await reading('a,a.2,a,a\n1,2,3,4\n', { duplicateHeaders: 'number' });
    expect(new Set(found.facts.columns)).toHaveProperty('size', 4);
    expect(found.facts.columns?.slice(0, 2)).toEqual(['a', 'a.2']);
    expect(found.cells).toEqual([['1', '2', '3', '4']]);
  });

  test('several columns without a name are no error', async () => {
    expect((await reading('a,,\n1,2,3\n')).facts.columns).toEqual(['a', '', '.2']);
  });
});

describe('lineEnds', () => {
  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['bare CR', '\r'],
  ])('%s is found', async (_, end) => {
    const found = await reading(['a,b', '1,"x', 'y"', '3,4', '5,6'].join(end));
    expect(found.rows.map((row) => row.line)).toEqual([2, 4, 5]);
    expect(found.cells[0]).toEqual(['1', `x${end}y`]);
    expect(found.cells).toHaveLength(3);
  });

  test('mixed ones are', async () => {
    const found = await reading('a,b\r\n1,2\n3,4\r5,6\r\n');
    expect(found.cells).toHaveLength(3);
    expect(found.rows.map((row) => row.line)).toEqual([2, 3, 4]);
  });

  test('stated, the others are text', async () => {
    expect((await reading('a,b\n1,x\ry\n', { lineEnds: 'lf' })).cells).toEqual([['1', 'x\ry']]);
    expect((await reading('a,b\r\n1,x\ny\r\n', { lineEnds: 'crlf' })).cells).toEqual([['1', 'x\ny']]);
    expect((await reading('a,b\r1,x\ny\r', { lineEnds: 'cr' })).cells).toEqual([['1', 'x\ny']]);
  });
});

describe('the rest', () => {
  test('ragged: pad adds empty cells and takes off empty ones, never filled ones', async () => {
    const found = await reading('a,b\n1\n1,2,,\n1,2,3\n', { ragged: 'pad' });
    expect(found.cells).toEqual([
      ['1', ''],
      ['1', '2'],
    ]);
    expect(found.broken).toMatchObject([{ line: 4, problem: { code: 'row.ragged' } }]);
  });

  test('nulls: whole cells only', async () => {
    const found = await reading('a,b,c\nNULL,\\N,NULLABLE\n', { nulls: ['NULL', '\\N'] });
    expect(found.cells).toEqual([[null, null, 'NULLABLE']]);
    expect((await reading('a,b,c\nNULL,\\N,x\\N\n')).cells).toEqual([['NULL', null, 'x\\N']]);
  });

  test('skipEmpty counts records of empty cells as filtered; lines without a character are no records', async () => {
    const text = 'a,b\n\n1,2\n,\n"",""\n\n3,4\n;\n,,,\n\n';
    expect((await reading(text)).cells).toHaveLength(4);
    const items = await itemsFrom(open(file(text), { skipEmpty: true }));
    expect(items.map(({ kind, line }) => [kind, line])).toEqual([
      ['row', 3],
      ['filtered', 4],
      ['filtered', 5],
      ['row', 7],
      ['broken', 8],
      ['filtered', 9],
    ]);
  });

  test('what was found is given as options that a pipeline can state, and reads the same', async () => {
    const text = 'sep=;\nKunde;;Kontakt\nNr;Name;E-Mail\n1;Ada;ada@example.com\n2;Bob;bob@example.com\n';
    const found = await reading(text);
    expect(found.facts.detected).toEqual({ encoding: 'utf-8', delimiter: ';', header: 3 });
    expect((await reading(text, found.facts.detected)).cells).toEqual(found.cells);
    expect((await reading('a,b\n1,2\n')).facts.detected).toMatchObject({ header: true });
    expect((await reading('Ada,ada@example.com\n')).facts.detected).toMatchObject({ header: false });
  });

  test('comment leaves out lines that begin with it, quotes or not', async () => {
    const found = await reading('# it\'s "so\na,b\n# "x\n1,"#2"\n#end', { comment: '#' });
    expect(found.facts.columns).toEqual(['a', 'b']);
    expect(found.cells).toEqual([['1', '#2']]);
    expect(found.rows[0]?.line).toBe(4);
  });
});
