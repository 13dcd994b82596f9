import { expect, it } from 'vitest';
import { createRowLine } from '../../src/model/row-place.ts';
import { parseTypedRowLine } from '../../src/studio/wire/row-line.ts';

it.each([
  ['42', createRowLine(42, 1)],
  [' 42 ', createRowLine(42, 1)],
  ['42, row 3', createRowLine(42, 3)],
  ['42, Datenzeile 3', createRowLine(42, 3)],
  ['42, ligne de données 3', createRowLine(42, 3)],
  ['', undefined],
  ['0', undefined],
  ['42.3', undefined],
  ['1,234', undefined],
  ['42, row', undefined],
])('the line box reads "%s"', (text, place) => {
  expect(parseTypedRowLine(text)).toBe(place);
});
