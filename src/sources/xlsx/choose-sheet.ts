import { listed, shortened } from '../../model/listed.ts';
import { refused } from '../input-file.ts';
import type { Sheet } from './workbook.ts';

/** The sheet that is to be read. Throws a FatalError('input') that lists the sheets where there is no such one. */
export function chooseSheet(
  sheets: readonly Sheet[],
  wanted: string | number | undefined,
  file: string,
): { sheet: Sheet; notes: readonly string[] } {
  if (sheets.length === 0)
    throw refused(file, 'has no sheet of cells', 'Export it again, or name another file.');
  const list = listed(
    sheets.map(({ name, visible }) => `"${shortened(name, 40)}"${visible ? '' : ' (hidden)'}`),
  );
  if (wanted === undefined) {
    const sheet = sheets.find(({ visible }) => visible) ?? sheets[0];
    if (sheet === undefined) throw refused(file, 'has no sheet of cells', 'Export it again.');
    const notes =
      sheets.length === 1
        ? []
        : [
            `The workbook has ${sheets.length} sheets: ${list}. "${shortened(sheet.name, 40)}" is read; state "sheet" for another.`,
          ];
    return { sheet, notes };
  }
  const found = typeof wanted === 'number' ? sheets[wanted - 1] : byName(sheets, wanted);
  if (found === undefined) {
    const what = typeof wanted === 'number' ? `no sheet ${wanted}` : `no sheet called "${wanted}"`;
    throw refused(file, `has ${what}`, `Its sheets are ${list}.`);
  }
  return { sheet: found, notes: [] };
}

function byName(sheets: readonly Sheet[], wanted: string): Sheet | undefined {
  const alike = wanted.trim().toLowerCase();
  return (
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => name.trim().toLowerCase() === alike)
  );
}
