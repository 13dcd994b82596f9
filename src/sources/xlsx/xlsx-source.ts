import { sourceFormat } from '../source-format.ts';
import { xlsxOptions } from './options.ts';
import { xlsxSource } from './source.ts';

export const xlsx = sourceFormat({
  name: 'xlsx',
  extensions: ['xlsx', 'xlsm'],
  words: {
    reads: 'One sheet of a workbook. Dates are read as dates, formulas by their value.',
    columns: 'The header row.',
    line: 'The row of the sheet.',
  },
  options: xlsxOptions,
  open: xlsxSource,
});
