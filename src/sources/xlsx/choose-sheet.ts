import { listed, shortened } from '../../model/listed.ts';
import { refused } from '../input-file.ts';
import type { XlsxOptions } from './options.ts';
import type { Sheet } from './workbook.ts';

/**
 * The sheets that are to be read: those that are stated, else the first visible one that holds a table, else the first
 * visible one. Throws a FatalError('input') that lists the sheets where there is no such one.
 */
export async function chooseSheets(
  sheets: readonly Sheet[],
  { sheet: wanted, sheets: several }: Pick<XlsxOptions, 'sheet' | 'sheets'>,
  file: string,
  holdsTable: (sheet: Sheet) => Promise<boolean>,
): Promise<{ chosen: readonly Sheet[]; notes: readonly string[] }> {
  const [first] = sheets;
  if (first === undefined)
    throw refused(file, 'has no sheet of cells', 'Export it again, or use another file.');
  const list = listed(
    sheets.map(({ name, visible }) => `"${shortened(name, 40)}"${visible ? '' : ' (hidden)'}`),
  );
  if (several !== undefined && wanted !== undefined)
    throw refused(file, 'has both "sheet" and "sheets" in its source', 'Remove one of them.');
  if (several !== undefined)
    return { chosen: [...new Set(several.map((name) => stated(sheets, name, file, list)))], notes: [] };
  if (wanted === undefined) {
    const sheet = (await firstTable(sheets, holdsTable)) ?? first;
    const notes =
      sheets.length === 1
        ? []
        : [
            `The workbook has ${sheets.length} sheets: ${list}. "${shortened(sheet.name, 40)}" is read; set "sheet" for another.`,
          ];
    return { chosen: [sheet], notes };
  }
  return { chosen: [stated(sheets, wanted, file, list)], notes: [] };
}

function stated(sheets: readonly Sheet[], wanted: string | number, file: string, list: string): Sheet {
  const found = typeof wanted === 'number' ? sheets[wanted - 1] : byName(sheets, wanted);
  if (found === undefined) {
    const what = typeof wanted === 'number' ? `no sheet ${wanted}` : `no sheet named "${wanted}"`;
    throw refused(file, `has ${what}`, `Its sheets are ${list}.`);
  }
  return found;
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
