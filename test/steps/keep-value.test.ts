import { describe, expect, it } from 'vitest';
import type { KeepStrategy } from '../../src/model/keep.ts';
import { chooseMergedValue } from '../../src/steps/merge-contacts.ts';

const rule = (keep: KeepStrategy, join = '; ') => ({ keep, join });
const none = null;
const silent = undefined;

describe('the value that stays', () => {
  it.each([
    ['the row says something', 'old', 'new', 'row', 'row'],
    ['the row says nothing', 'old', 'new', silent, 'old'],
    ['only the newer has it', none, 'new', silent, 'new'],
    ['only the row has it', none, none, 'row', 'row'],
    ['the row clears it', 'old', 'new', null, null],
    ['nobody has it', none, none, silent, null],
    ['the older has no and the newer has one', false, true, silent, false],
    ['the older has zero', 0, 5, silent, 0],
  ] as const)('without a rule, where %s', (_what, older, newer, row, value) => {
    expect(chooseMergedValue<string | number | boolean>({ older, newer, row }, undefined)).toBe(value);
  });

  it.each([
    ['first', 'old', 'new', 'row', 'old'],
    ['first', none, 'new', 'row', 'new'],
    ['first', none, none, 'row', 'row'],
    ['first', none, none, null, null],
    ['first', 'old', 'new', null, 'old'],
    ['last', 'old', 'new', 'row', 'row'],
    ['last', 'old', 'new', silent, 'new'],
    ['last', 'old', none, null, 'old'],
    ['last', none, none, silent, null],
    ['longest', 'long', 'longer', 'row', 'longer'],
    ['longest', 'same', 'size', 'each', 'each'],
    ['longest', 7, 123, 45, 123],
    ['longest', none, none, null, null],
    ['union', 'a', 'b', 'c', 'a; b; c'],
    ['union', 'a', 'a', 'a', 'a'],
    ['union', 'a; b', 'b; c', 'b', 'a; b; c'],
    ['union', 'b; b', 'b', silent, 'b; b'],
    ['union', none, 'b', null, 'b'],
    ['union', none, none, null, null],
    ['union', 42, 42, silent, 42],
    ['union', 42, 43, silent, 43],
  ] as const)('by %s of %j, %j and %j is %j', (keep, older, newer, row, value) => {
    expect(chooseMergedValue<string | number | boolean>({ older, newer, row }, rule(keep))).toBe(value);
  });

  it('by union is joined by what the rule says, and a second merge adds nothing', () => {
    const lines = chooseMergedValue(
      { older: 'met\nphoned', newer: 'phoned\nwrote', row: 'met' },
      rule('union', '\n'),
    );
    expect(lines).toBe('met\nphoned\nwrote');
    expect(chooseMergedValue({ older: lines, newer: 'wrote', row: silent }, rule('union', '\n'))).toBe(lines);
    expect(chooseMergedValue({ older: 'ab', newer: 'b', row: silent }, rule('union', ''))).toBe('abb');
  });
});
