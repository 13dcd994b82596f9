import { describe, expect, test } from 'vitest';
import { card } from '../builders/vcard.ts';
import { reading, refusal } from '../reading.ts';

const ada = card('FN:Ada');
const bob = card('FN:Bob');

function read(content: string | Buffer, options: object = {}) {
  return reading(content, options, 'vcard');
}

test('a card without its end is a broken row, also the last one, and the next one stays', async () => {
  const found = await read(`BEGIN:VCARD\nFN:Lost\n${ada}BEGIN:VCARD\nFN:Cut`);
  expect(found.rows.map((row) => [row.line, row.cell('FN')])).toEqual([[3, 'Ada']]);
  expect(found.broken).toMatchObject([
    { line: 1, raw: 'BEGIN:VCARD\nFN:Lost', problem: { code: 'row.incomplete' } },
    { line: 7, raw: 'BEGIN:VCARD\nFN:Cut', problem: { code: 'row.incomplete' } },
  ]);
});

test('text between cards is a broken row, blank lines are nothing', async () => {
  const found = await read(`\n\n${ada}\r\n\r\nEND:VCARD\nhello\n\nworld\n${bob}\n`);
  expect(found.rows.map((row) => row.cell('FN'))).toEqual(['Ada', 'Bob']);
  expect(found.broken).toMatchObject([
    { line: 9, raw: 'END:VCARD\nhello\nworld', problem: { code: 'row.stray' } },
  ]);
});

test('a line that is no property breaks its card', async () => {
  const found = await read(ada + card('NOTE:first line', 'second line', 'FN:x') + bob);
  expect(found.rows.map((row) => row.cell('FN'))).toEqual(['Ada', 'Bob']);
  expect(found.broken[0]?.problem).toMatchObject({ code: 'row.malformed' });
  expect(found.broken[0]?.problem.reason).toContain('"second line"');
});

test('bytes that their encoding does not have break the card, also in quoted-printable', async () => {
  const found = await read(ada + card('FN:x', 'ORG;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=91=80') + bob);
  expect(found.rows.map((row) => row.cell('FN'))).toEqual(['Ada', 'Bob']);
  expect(found.broken[0]?.problem).toMatchObject({ code: 'row.encoding' });
  expect(found.broken[0]?.problem.reason).toContain('ORG holds the byte 0x80');
});

test('bytes that UTF-16 does not have break the card, too', async () => {
  const bytes = Buffer.from(`\ufeff${ada}${card('FN:x\u0041')}${bob}`, 'utf16le');
  bytes.writeUInt16LE(0xd800, bytes.indexOf(Buffer.from('xA', 'utf16le')) + 2);
  const found = await read(bytes);
  expect(found.rows.map((row) => row.cell('FN'))).toEqual(['Ada', 'Bob']);
  expect(found.broken.map(({ problem }) => problem.code)).toEqual(['row.encoding']);
});

describe('photos and other binary values are left out and said', () => {
  const base64 = 'QUJD'.repeat(30_000);
  const wrapped = base64.match(/.{72}/g) ?? [];

  test.each([
    ['folded', ['PHOTO;ENCODING=b;TYPE=JPEG:', ...wrapped.map((line) => ` ${line}`)]],
    ['folded, its lines ending twice', ['LOGO;BASE64:', ...wrapped.flatMap((line) => ['', ` ${line}`])]],
    ['not folded', ['item1.KEY;ENCODING=BASE64:', ...wrapped, '']],
    ['on one line', [`PHOTO;ENCODING=b:${base64}`]],
    ['as an address', [`SOUND:data:audio/ogg;base64\\,${base64}`]],
    ['as an address that is folded away', ['PHOTO;VALUE=uri:', ' data:image/png;base64,AAAA', ' BBBB']],
    ['its parameters folded', ['PHOTO;ENCODING=b', ' ;TYPE=JPEG:', ...wrapped.map((line) => ` ${line}`)]],
    ['in a property that is usually text', ['X-BLOB;ENCODING=b:AAECAwQ=']],
  ])('%s', async (_, lines) => {
    // Far larger than a card may be: it must not count.
    const { rows, facts, broken } = await read(ada + card('FN:x', ...lines, 'TEL:1'), { maxRowBytes: 4096 });
    expect(broken).toEqual([]);
    expect(rows[1]?.entries()).toEqual([
      ['FN', 'x'],
      ['TEL', '1'],
    ]);
    expect(facts.notes).toEqual([expect.stringContaining('left out: 1, the first in the card of line 5')]);
  });
});

test.each([
  ['in its lines', ['AGENT:', 'BEGIN:VCARD', 'VERSION:2.1', 'FN:Sec', 'PHOTO;BASE64:AA', 'END:VCARD']],
  [
    'two deep',
    ['AGENT:', 'BEGIN:VCARD', 'FN:A', 'AGENT:', 'BEGIN:VCARD', 'FN:B', 'END:VCARD', 'TEL:9', 'END:VCARD'],
  ],
  ['in one value', ['AGENT:BEGIN:VCARD\\nFN:Sec\\nEND:VCARD\\n']],
])('a card within a card, %s, is left out and said', async (_, lines) => {
  const { rows, facts } = await read(card('FN:x', ...lines, 'TEL:1') + ada);
  expect(rows.map((row) => row.entries())).toEqual([
    [
      ['FN', 'x'],
      ['TEL', '1'],
    ],
    [['FN', 'Ada']],
  ]);
  expect(facts.notes[0]).toMatch(/^Cards within cards \(AGENT\) are left out/);
});

test('an agent who is only named is a column', async () => {
  expect((await read(card('AGENT;VALUE=uri:mailto:sec@example.test'))).rows[0]?.cell('AGENT')).toBe(
    'mailto:sec@example.test',
  );
});

describe('row.tooLarge', () => {
  test.each([
    ['many lines', Array.from({ length: 500 }, (_, n) => `X-${n}:value`)],
    ['one line', [`NOTE:${'x'.repeat(2_000_000)}`]],
    ['a head without end', ['NOTE', ...Array.from({ length: 20_000 }, () => ` ${'x'.repeat(70)}`)]],
  ])('a card with %s is rejected, its neighbours stay', async (_, lines) => {
    const found = await read(ada + card(...lines) + bob, { maxRowBytes: 2048 });
    expect(found.rows.map((row) => row.cell('FN'))).toEqual(['Ada', 'Bob']);
    expect(found.broken).toMatchObject([{ line: 5, problem: { code: 'row.tooLarge' } }]);
    expect(found.broken[0]?.raw.length).toBeLessThan(3000);
  });
});

test('files that were put one behind the other keep their marks in the middle', async () => {
  const found = await read(`\ufeff${ada}\ufeff${bob}`);
  expect(found.broken).toEqual([]);
  expect(found.rows.map((row) => row.cell('FN'))).toEqual(['Ada', 'Bob']);
});

test('a file without any card is refused', async () => {
  const error = await refusal(read('id,name\n1,Ada\n'));
  expect(error.reason).toBe('input');
  expect(error.message).toContain('has no vCard');
  expect(error.next).toContain('format');
});

test('an encoding that was guessed is said', async () => {
  const found = await read(Buffer.from(card('FN:Café'), 'latin1'));
  expect(found.rows[0]?.cell('FN')).toBe('Café');
  expect(found.facts.notes[0]).toContain('guessed');
});
