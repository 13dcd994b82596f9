import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import type { ExportColumnType } from '../model/export-record.ts';
import { escapeCsvFormula } from '../model/spreadsheet-guard.ts';
import { defineExporter } from './exporter.ts';
import { createFilePerKindWriter, createTextRecordFileWriter } from './file-per-kind.ts';
import { readRecordValue, toTypedCellText } from './value.ts';

const options = z.strictObject({
  delimiter: z
    .string()
    .regex(/^[^"\r\n]$/u, 'expected one character that is neither a quote nor a line end')
    .default(',')
    .describe('The cell delimiter; default: a comma.'),
  bom: z
    .boolean()
    .default(false)
    .describe('Whether the file begins with a UTF-8 BOM, which Excel needs to show more than ASCII.'),
});

/**
 * The CSV exporter: chosen columns as text, with formulas escaped for spreadsheets; an empty text is written as `""`, a
 * missing value as an empty cell.
 */
export const csvExporter = defineExporter({
  name: 'csv',
  words: {
    files: 'One for each kind of record.',
    holds:
      'The chosen columns as text. Lists are joined by `;`, objects are JSON, times are ISO 8601 in UTC. An empty text is `""`, no value is nothing.',
  },
  guards: true,
  options,
  open: (request, { delimiter, bom }) => {
    // An empty text is quoted, so that it differs from a missing value.
    const rules = { delimiter, quoted_match: /^$/ };
    return createFilePerKindWriter(request, 'csv', (path, { columns }) => {
      // In a single column a missing value is `""`, because many readers skip empty lines.
      const nothing = columns.length === 1 ? '' : null;
      const cellOf = (value: unknown, type: ExportColumnType) => {
        const text = toTypedCellText(value, type);
        return text === null ? nothing : escapeCsvFormula(text);
      };
      const header = stringify([columns.map(({ name }) => escapeCsvFormula(name))], rules);
      return createTextRecordFileWriter(path, bom ? `\uFEFF${header}` : header, (records) =>
        stringify(
          records.map(({ normal }) =>
            columns.map(({ path, type }) => cellOf(readRecordValue(normal, path), type)),
          ),
          rules,
        ),
      );
    });
  },
});
