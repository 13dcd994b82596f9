import type { Cell } from '../../model/row.ts';
import { masked, type NumberFormat } from './number-format.ts';
import { mayBeCut, numberText } from './number-text.ts';
import type { Oddities } from './oddities.ts';
import { isoMoment, momentText } from './serial-date.ts';
import { columnName, type StoredCell } from './sheet-rows.ts';
import { unescaped } from './string-text.ts';
import type { StringsReader } from './strings-on-disk.ts';
import type { Styles } from './styles.ts';

/** What a stored cell is understood with. */
export interface CellContext {
  readonly strings: StringsReader;
  readonly styles: Styles;
  readonly from1904: boolean;
}

/** The text of a cell, null where it has an error or a formula without a value; undefined where it refers to nowhere. */
export function cellText(
  cell: StoredCell,
  row: number,
  context: CellContext,
  oddities: Oddities,
): Cell | undefined {
  const place = `${columnName(cell.column)}${row}`;
  // A formula that gives the empty text says so by its type.
  if (cell.formula && cell.value === '' && cell.type !== 'str') {
    oddities.add('uncounted', place);
    return null;
  }
  switch (cell.type) {
    case 's':
      return withoutNul(context.strings.at(Number(cell.value)));
    case 'inlineStr':
      return withoutNul(cell.value);
    case 'str':
      return withoutNul(unescaped(cell.value));
    case 'b':
      return /^(1|true)$/i.test(cell.value.trim()) ? 'true' : 'false';
    case 'e':
      oddities.add('error', place);
      return null;
    case 'd':
      return isoMoment(cell.value);
    default:
      return shown(cell.value, context.styles.format(cell.style), context.from1904, () =>
        oddities.add('long', place),
      );
  }
}

function shown(stored: string, format: NumberFormat, from1904: boolean, onLong: () => void): string {
  if (format.kind === 'moment') {
    const moment = momentText(Number(stored), format, from1904);
    if (moment !== null) return moment;
  }
  const text = numberText(stored);
  if (mayBeCut(text)) onLong();
  const whole = format.kind === 'mask' && /^\d+$/.test(text);
  return whole ? (masked(text, format.mask) ?? text) : text;
}

function withoutNul(text: string | undefined): string | undefined {
  return text?.includes('\0') === true ? text.replaceAll('\0', '') : text;
}
