import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CardSplitter, type RawCard } from '../../../src/sources/vcard/card-splitter.ts';
import { splitAtUnescaped, unescapeVcardText } from '../../../src/sources/vcard/content-line.ts';
import { escaped } from '../builders/vcard.ts';
import { reading } from '../reading.ts';

const lineEnds = ['\r\n', '\n', '\r', '\r\r\n'];

/** Text that a card can hold: everything but control characters, and line ends of one kind. */
const text = fc
  .string({ unit: 'binary', maxLength: 300 })
  .map((found) => found.replace(/\p{Cc}|\p{Surrogate}/gu, '\n'));

/** The bytes of a line folded after so many of them each, wherever that is. */
function folded(line: string, width: number, end: string): Buffer {
  const bytes = Buffer.from(line);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += width) {
    if (at > 0) pieces.push(Buffer.from(`${end} `));
    pieces.push(bytes.subarray(at, at + width));
  }
  return Buffer.concat([...pieces, Buffer.from(end)]);
}

async function note(content: Buffer): Promise<string | null | undefined> {
  const { rows } = await reading(content, { encoding: 'utf-8' }, 'vcard');
  expect(rows).toHaveLength(1);
  return rows[0]?.cell('NOTE');
}

test('a value comes back, wherever it is folded, also within a character, and however lines end', async () => {
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.integer({ min: 6, max: 75 }),
      fc.constantFrom(...lineEnds),
      async (value, width, end) => {
        const head = Buffer.from(`BEGIN:VCARD${end}VERSION:3.0${end}`);
        const line = folded(`NOTE:${escaped(value)}`, width, end);
        expect(await note(Buffer.concat([head, line, Buffer.from(`END:VCARD${end}`)]))).toBe(value);
      },
    ),
    { numRuns: 60 },
  );
});

test('a value comes back in quoted-printable with its soft line breaks, in the encoding that is stated', async () => {
  const western = fc
    .string({ unit: fc.constantFrom(...'aZ 0=é€ü;,\n\\:'), maxLength: 120 })
    .map((found) => found.replace(/\\/g, '/'));
  await fc.assert(
    fc.asyncProperty(
      western,
      fc.integer({ min: 4, max: 60 }),
      fc.constantFrom('utf-8', 'windows-1252'),
      async (value, width, charset) => {
        const bytes =
          charset === 'utf-8' ? Buffer.from(value) : Buffer.from(value.replaceAll('€', '\x80'), 'latin1');
        const coded = Array.from(bytes, (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`);
        const lines: string[] = [];
        for (let at = 0; at < coded.length; at += width) lines.push(coded.slice(at, at + width).join(''));
        const card = `BEGIN:VCARD\r\nVERSION:2.1\r\nNOTE;CHARSET=${charset};ENCODING=QUOTED-PRINTABLE:${lines.join('=\r\n')}\r\nEND:VCARD\r\n`;
        expect(await note(Buffer.from(card))).toBe(value);
      },
    ),
    { numRuns: 60 },
  );
});

test('escapes: what is escaped comes back, alone and between separators', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), (values) => {
      expect(values.map((value) => unescapeVcardText(escaped(value)))).toEqual(values);
      expect(splitAtUnescaped(values.map(escaped).join(';'), ';').map(unescapeVcardText)).toEqual(values);
      expect(splitAtUnescaped(values.map(escaped).join(','), ',').map(unescapeVcardText)).toEqual(values);
    }),
  );
});

test.each([
  ['a\\nb\\Nc', 'a\nb\nc'],
  ['http\\://x', 'http://x'],
  ['C:\\temp', 'C:\\temp'],
  ['\\\\n', '\\n'],
  ['\\"quoted\\"', '"quoted"'],
  ['end\\', 'end\\'],
])('%s means %j', (written, meant) => {
  expect(unescapeVcardText(written)).toBe(meant);
});

describe('a file in pieces', () => {
  const book = [
    'BEGIN:VCARD',
    'VERSION:2.1',
    'N;ENCODING=QUOTED-PRINTABLE:=41=',
    '',
    'PHOTO;ENCODING=BASE64:AAAA',
    ' BBBB',
    'CCCC',
    '',
    'AGENT:',
    'BEGIN:VCARD',
    'FN:Secretary',
    'END:VCARD',
    'TEL:1',
    'END:VCARD',
    'stray',
    'BEGIN:VCARD',
    'FN:open',
    'BEGIN:VCARD',
    'FN:cut',
  ];

  test.each(lineEnds)('gives the same cards wherever it is parted (%j)', (end) => {
    const whole = book.join(end);
    const cards = (pieces: readonly string[]): readonly RawCard[] => {
      const splitter = new CardSplitter(1024);
      return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
    };
    const expected = cards([whole]);
    expect(expected.map(({ line, problem, binaries, nested }) => [line, problem, binaries, nested])).toEqual([
      [1, null, 1, 1],
      [15, 'stray', 0, 0],
      [16, 'incomplete', 0, 0],
      [18, 'incomplete', 0, 0],
    ]);
    expect(expected[0]?.lines.filter((line) => line !== '')).toEqual([
      ...book.slice(0, 3),
      'AGENT:',
      'TEL:1',
      'END:VCARD',
    ]);
    expect(cards([...whole])).toEqual(expected);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: whole.length })), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), whole.length];
        expect(cards(at.slice(1).map((to, index) => whole.slice(at[index], to)))).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});
