import { listed, shortened } from '../../model/listed.ts';
import { refused } from '../input-file.ts';
import type { Sheet } from './workbook.ts';

/**
 * The sheet that is to be read: the one that is stated, else the first visible one that holds a table, else the first
 * visible one. Throws a FatalError('input') that lists the sheets where there is no such one.
 */
export async function chooseSheet(
  sheets: readonly Sheet[],
  wanted: string | number | undefined,
  file: string,
  holdsTable: (sheet: Sheet) => Promise<boolean>,
): Promise<{ sheet: Sheet; notes: readonly string[] }> {
  const [first] = sheets;
  if (first === undefined)
    throw refused(file, 'has no sheet of cells', 'Export it again, or use another file.');
  const list = listed(
    sheets.map(({ name, visible }) => `"${shortened(name, 40)}"${visible ? '' : ' (hidden)'}`),
  );
  if (wanted === undefined) {
    const sheet = (await firstTable(sheets, holdsTable)) ?? first;
    const notes =
      sheets.length === 1
        ? []
        : [
            `The workbook has ${sheets.length} sheets: ${list}. "${shortened(sheet.name, 40)}" is read; set "sheet" for another.`,
          ];
    return { sheet, notes };
  }
  const found = typeof wanted === 'number' ? sheets[wanted - 1] : byName(sheets, wanted);
  if (found === undefined) {
    const what = typeof wanted === 'number' ? `no sheet ${wanted}` : `no sheet named "${wanted}"`;
    throw refused(file, `has ${what}`, `Its sheets are ${list}.`);
  }
  return { sheet: found, notes: [] };
}

async function firstTable(
  sheets: readonly Sheet[],
  holdsTable: (sheet: Sheet) => Promise<boolean>,
): Promise<Sheet | undefined> {
  const seen = sheets.filter(({ visible }) => visible);
  for (const sheet of seen.length > 1 ? seen : []) if (await holdsTable(sheet)) return sheet;
  return seen[0];
}

function byName(sheets: readonly Sheet[], wanted: string): Sheet | undefined {
  const alike = wanted.trim().toLowerCase();
  return (
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => name.trim().toLowerCase() === alike) ??
    (/^\d+$/.test(alike) ? sheets[Number(alike) - 1] : undefined)
  );
}
