import { describe, expect, it } from 'vitest';
import { splitCell } from '../../src/mapping/compile/candidates.ts';

describe('the values of a cell', () => {
  it.each([
    ['Sailing,"Rock, Pop",Chess', ',', ['Sailing', 'Rock, Pop', 'Chess']],
    ['"VIP", Cliente', ',', ['VIP', ' Cliente']],
    ['"a ""b"", c"', ',', ['a "b", c']],
    ['vip;"a;b"', ';', ['vip', 'a;b']],
    ['a,,"",b,', ',', ['a', '', '', 'b', '']],
    ['', ',', ['']],
  ])('in quotes may have the separator: %s', (text, separator, values) => {
    expect(splitCell(text, separator)).toEqual(values);
  });

  it.each([
    ['5" pipe, 6" pipe', ',', ['5" pipe', ' 6" pipe']],
    ['"open, other', ',', ['"open', ' other']],
    ['"a" b, c', ',', ['"a" b', ' c']],
    ['VIP","New', '","', ['VIP', 'New']],
    ['plain, words', ',', ['plain', ' words']],
  ])(
    'are cut at every separator where a quote is a character like any other: %s',
    (text, separator, values) => {
      expect(splitCell(text, separator)).toEqual(values);
    },
  );
});
