import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeControlCharacters, toSingleLine } from '../../src/model/escape-controls.ts';

const from = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Every character that a terminal may obey, or that changes what a text seems to say. */
const dangerous = [
  ...from(0x00, 0x08),
  ...from(0x0b, 0x1f),
  ...from(0x7f, 0x9f),
  0xad,
  0x034f,
  0x061c,
  0x115f,
  0x1160,
  0x180e,
  ...from(0x200b, 0x200f),
  ...from(0x2028, 0x202e),
  ...from(0x2060, 0x206f),
  0x2800,
  0x3164,
  0xfeff,
  0xffa0,
  ...from(0xfff9, 0xfffb),
  ...from(0xe0001, 0xe007f),
];

const shown = (code: number): string =>
  String.fromCodePoint(code)
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

describe('escapeControlCharacters', () => {
  test.each(dangerous.map((code) => ({ code, name: `U+${code.toString(16)}` })))(
    'shows $name',
    ({ code }) => {
      const text = `ab${String.fromCodePoint(code)}cd`;
      expect(escapeControlCharacters(text)).toBe(`ab${shown(code)}cd`);
    },
  );

  test('half a surrogate pair is shown', () => {
    expect(escapeControlCharacters('a\ud83d!')).toBe('a\\ud83d!');
  });

  test.each([
    'plain, with a tab\tand\ntwo lines',
    'Zoë Ångström, 東京, Ωμέγα, Привет, שלום, مرحبا',
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u2764\ufe0f 1\ufe0f\u20e3 \u{1f469}\u{1f3fd}\u200d\u{1f4bb}',
    'می\u200cخواهم',
    'क\u094d\u200dष',
    '葛\u{e0100}',
    '٪\u0600١',
  ])('leaves %j as it is', (text) => {
    expect(escapeControlCharacters(text)).toBe(text);
  });

  test.each([
    ['an e-mail with a joiner', 'ada\u200d@example.com', 'ada\\u200d@example.com'],
    ['two joiners in a row', '\u{1f469}\u200d\u200d\u{1f4bb}', '\u{1f469}\\u200d\\u200d\u{1f4bb}'],
    ['a glyph selector behind a letter', 'a\ufe0fb', 'a\\ufe0fb'],
    ['a joiner behind a letter that is not seen', '\u115f\u200d', '\\u115f\\u200d'],
    ['a joiner behind a misplaced selector', 'a\ufe0f\u200d\u{1f4bb}', 'a\\ufe0f\\u200d\u{1f4bb}'],
    ['a flood of glyph selectors', '葛\u{e0100}\u{e0101}', '葛\u{e0100}\\udb40\\udd01'],
  ])('escapes %s', (_, text, expected) => {
    expect(escapeControlCharacters(text)).toBe(expected);
  });

  test('JSON stays JSON, and the same value', () => {
    const value = fc.string({
      unit: fc.oneof(fc.constantFrom(...dangerous.map((c) => String.fromCodePoint(c))), fc.string()),
    });
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(value, value), (one, other) => {
        const printed = escapeControlCharacters(JSON.stringify({ one, other }));
        expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify({ one, other })));
        expect(escapeControlCharacters(printed)).toBe(printed);
      }),
      { seed: 20261122, numRuns: 500 },
    );
  });
});

test('a value on one line cannot begin a line of its own', () => {
  expect(toSingleLine(' Forbidden\r\n✔ Finished\t ')).toBe('Forbidden ✔ Finished');
});
