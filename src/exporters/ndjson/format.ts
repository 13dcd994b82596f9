import { z } from 'zod';
import type { ExportRecord } from '../../model/export-record.ts';
import { exporter } from '../define.ts';
import { filePerKind } from '../file-per-kind.ts';
import { TextFile } from '../text-file.ts';
import { recordsIn } from './read.ts';

/** Line ends for some readers, though not for JSON. */
const otherLineEnds = /[\u0085\u2028\u2029]/g;

/** A record in each line, whole: its normal form, and `given` beside it. */
export const ndjson = exporter('ndjson', {
  options: z.strictObject({}),
  open: (request) => filePerKind(request, 'ndjson', (path) => TextFile.create(path, '', linesOf)),
  read: recordsIn,
});

function linesOf(records: readonly ExportRecord[]): string {
  return records.map(lineOf).join('');
}

function lineOf({ normal, given }: ExportRecord): string {
  const line = JSON.stringify({ ...normal, given });
  return `${line.replace(otherLineEnds, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
