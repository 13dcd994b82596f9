import { expect, it } from 'vitest';
import { createRowLine } from '../../src/model/row-place.ts';
import { mergePreviewLines } from '../../src/studio/page/files/preview-lines.ts';

const row = (line: number, name: string) => ({ line, at: null, cells: [name] });
const broken = (line: number, rowsBefore: number) => ({
  ...{ line, rowsBefore, code: 'row.ragged', reason: 'too few cells', raw: '(3)' },
});

it('the rows and the records that are none are shown in the order of the input, also many of one line', () => {
  const rows = [
    row(37, 'Ada'),
    row(createRowLine(37, 2), 'Bob'),
    row(createRowLine(37, 4), 'Cleo'),
    row(38, 'Dora'),
    // The second sheet of an input of several.
    row(2, 'Emil'),
  ];
  const problems = [
    broken(createRowLine(37, 3), 2),
    broken(39, 4),
    broken(createRowLine(39, 2), 4),
    broken(3, 5),
    { ...broken(0, 0), line: null },
  ];
  const shown = mergePreviewLines(rows, problems).map(({ cells, line }) => cells[0] ?? line);
  expect(shown).toEqual([
    ...['Ada', 'Bob', createRowLine(37, 3), 'Cleo', 'Dora', 39, createRowLine(39, 2), 'Emil', 3],
  ]);
  expect(mergePreviewLines(rows, [])).toHaveLength(rows.length);
});
