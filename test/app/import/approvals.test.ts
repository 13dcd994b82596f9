import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readAnswerListDecisions } from '../../../src/app/import/approvals.ts';
import { createRowLine } from '../../../src/model/row-place.ts';
import { escapeSheetFormula, unescapeSheetFormula } from '../../../src/model/spreadsheet-guard.ts';

const folder = mkdtempSync(join(tmpdir(), 'longshore-approvals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const header = 'approve,_line,_key,contact_1_id,contact_2_id,row.lastName';
const file = join(folder, 'merge-proposals.csv');

function approvals(content: string | Buffer, path = file) {
  writeFileSync(file, content);
  return readAnswerListDecisions(path);
}

const one = { at: 2, line: 7, key: 'r-7', contacts: [11, 12] };

describe('approved merges', () => {
  it('are the lines with yes, with what stands in them', async () => {
    const text = `${header}\nyes,7,r-7,11,12,"Doe, Jane"\n,8,r-8,13,14,Roe\nno,9,,15,16,\n`;
    expect(await approvals(text)).toEqual({
      file,
      fingerprint: createHash('sha256').update(text).digest('hex'),
      approved: [
        {
          ...one,
          cells: {
            _line: '7',
            _key: 'r-7',
            contact_1_id: '11',
            contact_2_id: '12',
            'row.lastName': 'Doe, Jane',
          },
        },
      ],
      answered: [],
      left: 2,
    });
  });

  it.each(
    [
      ['yes', 'Y', 'x', 'TRUE', '1', 'Ja', 'oui', ' Yes '].map((word) => [word, 1]),
      ['no', 'N', 'false', '0', 'Nein', 'non', '', ' '].map((word) => [word, 0]),
    ].flat(),
  )('%j counts as %i', async (word, n) => {
    const { approved } = await approvals(`${header}\n${word},7,r-7,11,12,Doe\nyes,8,,13,14,Roe\n`);
    expect(approved).toHaveLength(Number(n) + 1);
  });

  const saved = (delimiter: string, end: string) =>
    `${header}\nYES,7,r-7,11,12,Ærø\n,,,,,\n`.replaceAll(',', delimiter).replaceAll('\n', end);

  it.each([
    ['semicolons, CRLF and a byte order mark', Buffer.from(`\ufeff${saved(';', '\r\n')}`)],
    ['tabs and old Mac line ends', Buffer.from(saved('\t', '\r'))],
    ['UTF-16, as Unicode text', Buffer.from(`\ufeff${saved('\t', '\r\n')}`, 'utf16le')],
    ['no line end at the end', Buffer.from(saved(',', '\n').trimEnd())],
  ])('may be saved with %s', async (_, bytes) => {
    const read = await approvals(bytes);
    expect(read).toMatchObject({ approved: [one], left: 0 });
    expect(read.approved[0]?.cells['row.lastName']).toBe('Ærø');
    expect(read.fingerprint).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it('name a row of a line that has several', async () => {
    const text = `${header}\nyes,"7, row 2",r-7,11,12,Doe\nyes,"7, row 3",r-8,11,12,Roe\n`;
    expect((await approvals(text)).approved.map(({ line }) => line)).toEqual([
      createRowLine(7, 2),
      createRowLine(7, 3),
    ]);
  });

  it('may have their columns in another order, and new ones', async () => {
    const text = 'seen by,_line,approve,contact_2_id,contact_1_id,_key\nJane,7,x,12,11,r-7\n';
    expect((await approvals(text)).approved).toMatchObject([{ ...one, cells: { 'seen by': 'Jane' } }]);
  });

  it('have the key that the guard had preceded with an apostrophe', async () => {
    const { approved } = await approvals(`${header}\nyes,7,'=1+1,11,12,''tis\nyes,8,,1,2,'plain\n`);
    expect(approved).toMatchObject([
      { key: '=1+1', cells: { 'row.lastName': "'tis" } },
      { key: null, cells: { 'row.lastName': "'plain" } },
    ]);
  });

  it('are found by a path from here', async () => {
    expect((await approvals(`${header}\nyes,7,r-7,11,12,\n`, relative(process.cwd(), file))).file).toBe(file);
  });

  it('may be one row with several pairs', async () => {
    const { approved } = await approvals(`${header}\ny,7,r-7,11,12,\ny,7,r-7,11,13,\n`);
    expect(approved.map(({ contacts }) => contacts)).toEqual([
      [11, 12],
      [11, 13],
    ]);
  });

  it('are read whole, and the lines are counted beyond one piece of the file', async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `${n % 2 ? 'yes' : ''},${n},,${n + 1},${n + 2},é`);
    const read = await approvals([header, ...lines].join('\n'));
    expect(read.approved).toHaveLength(10_000);
    expect(read.left).toBe(10_000);
    expect(read.approved.at(-1)).toMatchObject({ line: 19_999, cells: { 'row.lastName': 'é' } });
  });
});

describe('what leaves a doubt is refused', () => {
  it.each([
    ['an unknown word', `${header}\nyes,7,,11,12,\nmaybe,8,,13,14,\n`, 3, '"maybe" under "approve"'],
    [
      'an unknown word after a cell of several lines',
      `${header}\n\nyes,7,,11,12,"a\nb\nc"\nmaybe,8,,13,14,\n`,
      6,
      '"maybe"',
    ],
    ['a number that was rewritten', `${header}\nyes,7,,1.23E+11,12,\n`, 2, '"1.23E+11" under "contact_1_id"'],
    ['no line number', `${header}\nyes,,,11,12,\n`, 2, '"" under "_line"'],
    ['one contact twice', `${header}\nyes,7,,11,11,\n`, 2, 'both contacts are 11'],
    ['one pair twice', `${header}\nyes,7,,11,12,\nyes,8,,1,2,\nyes,7,,12,11,\n`, 4, 'line 2 already decides'],
    ['one pair with yes and no', `${header}\nno,7,,11,12,\nyes,7,,11,12,\n`, 3, 'line 2 already decides'],
    ['more cells than columns', `${header}\nyes,7,,11,12,Doe,Jane\n`, 2, 'has 7 cells'],
    ['a missing column', 'approve,_line,_key\nyes,7,\n', 1, 'does not name "contact_1_id", "contact_2_id"'],
    ['another file', 'Name;Mail\nAda;a@b\n', 1, 'does not name "approve", "_line"'],
    ['an open quote', `${header}\nyes,7,,11,12,"Doe\n`, 2, 'cannot be read as CSV'],
    ['nothing approved', `${header}\n,7,,11,12,\n,8,,11,12,\n`, undefined, 'none of 2 lines has yes'],
    ['an empty file', '', 1, 'does not name'],
    ['another encoding', Buffer.from(`${header}\nyes,7,,11,12,\xe6r\n`, 'latin1'), undefined, 'is not UTF-8'],
  ])('%s', async (_, content, line, says) => {
    await expect(approvals(content)).rejects.toMatchObject({
      name: 'FatalError',
      reason: 'usage',
      message: expect.stringContaining(says),
      place: line === undefined ? { file } : { file, line },
      next: expect.any(String),
    });
  });

  it('a file that is not there', async () => {
    const path = join(folder, 'nobody.csv');
    await expect(readAnswerListDecisions(path)).rejects.toMatchObject({
      reason: 'usage',
      place: { file: path },
    });
  });
});

it.each(['=1+1', '@x', '-cmd', '\t=1', "'tis", "''", '＝1', '+60 12-345 6789', '-12.5', 'plain', ''])(
  'the guard comes off %j again',
  (cell) => {
    expect(unescapeSheetFormula(escapeSheetFormula(cell))).toBe(cell);
  },
);
