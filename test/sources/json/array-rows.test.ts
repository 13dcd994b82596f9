import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonArrayRows } from '../../../src/sources/json/array-rows.ts';

const entries = (json: string) => parseJsonArrayRows(json)?.map((row) => row.entries());

test.each([
  ['plain elements', ' ["a", 1, null, true, "b, [c]"] ', ['a', '1', null, 'true', 'b, [c]']],
  ['numbers stay as they are written', '[36000123456789012345, 1.50]', ['36000123456789012345', '1.50']],
  ['none', '[]', []],
  ['an array in it is its text', '[[1, 2], [ ]]', ['[1, 2]', '[ ]']],
])('%s', (_what, json, cells) => {
  expect(entries(json)).toEqual(cells.map((cell) => [['', cell]]));
});

test('objects have their cells by path', () => {
  expect(entries('[{"a": {"b": "x"}, "c": [1]}, {"a": null}]')).toEqual([
    [
      ['a.b', 'x'],
      ['c', '[1]'],
      ['c[0]', '1'],
    ],
    [['a', null]],
  ]);
});

test.each([null, undefined, '', 'a', '{"a": 1}', '[a', '[1', '[1] x'])('%s is no array', (cell) => {
  expect(parseJsonArrayRows(cell)).toBeUndefined();
});

test('whatever the elements, each comes back', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.boolean(), (texts, spaced) => {
      const json = JSON.stringify(texts, null, spaced ? 1 : undefined);
      expect(parseJsonArrayRows(json)?.map((row) => row.cell(''))).toEqual(texts);
    }),
  );
});
