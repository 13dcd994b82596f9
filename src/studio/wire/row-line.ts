import { createRowLine, type RowLine } from '../../model/row-place.ts';

export { type RowLine, splitRowLine } from '../../model/row-place.ts';

/**
 * Returns the place of a row that is typed as a line (`42`) or as a line and a row in any language (`42, row 3`);
 * undefined for any other text.
 */
export function parseTypedRowLine(text: string): RowLine | undefined {
  const [, line = '', row = '1'] = /^\s*(\d{1,9})(?:[^\d]*\p{L}[^\d]*(\d{1,7}))?\s*$/u.exec(text) ?? [];
  return Number(line) < 1 || Number(row) < 1 ? undefined : createRowLine(Number(line), Number(row));
}
