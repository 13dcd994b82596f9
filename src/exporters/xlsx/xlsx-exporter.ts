import { z } from 'zod';
import { FatalError } from '../../model/fatal-error.ts';
import { exporter } from '../exporter.ts';
import { filePerKind } from '../file-per-kind.ts';
import { Workbook } from './workbook.ts';

/** What a sheet can hold. */
const sheetSize = { rows: 1_048_576, columns: 16_384 };

/** A workbook for each kind, for people: typed cells, safe texts; a sheet that is full is followed by another. */
export const xlsx = exporter({
  name: 'xlsx',
  words: {
    files: 'One for each kind of record.',
    holds: 'The chosen columns as typed cells.',
  },
  guards: true,
  options: z.strictObject({}),
  open: async (request) => {
    for (const { kind, columns } of request.tables) {
      if (columns.length <= sheetSize.columns) continue;
      const limit = sheetSize.columns.toLocaleString('en-US');
      const message = `${kind} have ${columns.length} columns, but a sheet can have only ${limit}`;
      throw new FatalError('usage', message, {
        next: 'Set fewer "columns", or use another format.',
      });
    }
    return await filePerKind(request, 'xlsx', (path, table) => Workbook.create(path, table, sheetSize.rows));
  },
});
