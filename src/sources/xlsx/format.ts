import { sourceFormat } from '../source-format.ts';
import { xlsxOptions } from './options.ts';
import { xlsxSource } from './source.ts';

export const xlsx = sourceFormat('xlsx', xlsxOptions, xlsxSource, ['xlsx', 'xlsm']);
