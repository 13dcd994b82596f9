import { describe, expect, it } from 'vitest';
import { findWriteStatus, type ValueWrite } from '../../../src/app/undo/write-status.ts';

/** Each writing as `run: was → want`; the undo of run 1 is 11, the undo of that 12. */
function standing(run: number, ...writings: readonly (readonly [run: number, was: string, want: string])[]) {
  const all = writings.map(
    ([by, was, want], at): ValueWrite => ({ run: by, at, was, want, merged: want === 'merged' }),
  );
  const undoes = new Map([
    [11, 1],
    [12, 11],
    [13, 1],
    [20, 2],
  ]);
  return findWriteStatus(all, run, undoes);
}

describe('a value that a run wrote', () => {
  it.each([
    ['by the run alone', [[1, 'a', 'b']], { kind: 'last', before: 'a', wrote: 'b' }],
    [
      'twice by the run',
      [
        [1, 'a', 'b'],
        [1, 'b', 'c'],
      ],
      { kind: 'last', before: 'a', wrote: 'c' },
    ],
    [
      'by a later run, too',
      [
        [1, 'a', 'b'],
        [2, 'b', 'c'],
      ],
      { kind: 'later', by: 2 },
    ],
    [
      'and was undone',
      [
        [1, 'a', 'b'],
        [11, 'b', 'a'],
      ],
      { kind: 'takenBack', by: 11, before: 'a' },
    ],
    [
      'and whose undo was undone',
      [
        [1, 'a', 'b'],
        [11, 'b', 'a'],
        [12, 'a', 'b'],
      ],
      { kind: 'last', before: 'a', wrote: 'b' },
    ],
    [
      'with a later run that was undone',
      [
        [1, 'a', 'b'],
        [2, 'b', 'c'],
        [20, 'c', 'b'],
      ],
      { kind: 'last', before: 'a', wrote: 'b' },
    ],
    [
      'undone, and imported again',
      [
        [1, 'a', 'b'],
        [11, 'b', 'a'],
        [2, 'a', 'b'],
      ],
      { kind: 'later', by: 2 },
    ],
    [
      'into what another run had written before',
      [
        [2, 'a', 'b'],
        [1, 'b', 'c'],
      ],
      { kind: 'last', before: 'b', wrote: 'c' },
    ],
    [
      'and then merged',
      [
        [1, 'a', 'b'],
        [1, 'b', 'merged'],
      ],
      { kind: 'merged' },
    ],
    ['by another run alone', [[2, 'a', 'b']], undefined],
  ] as const)('%s', (_, writings, wanted) => {
    expect(standing(1, ...writings)).toEqual(wanted);
  });
});
