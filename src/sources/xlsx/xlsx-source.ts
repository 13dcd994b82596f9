import { formatNameList, truncateText } from '../../model/listed.ts';
import type { Source, SourceItem } from '../../model/row.ts';
import { createFileSource } from '../file-source.ts';
import { detectFormulaGuard } from '../guarded-file.ts';
import { looksLikeContactTable, maxHeaderSearchLines } from '../header.ts';
import { resolveInputFile } from '../input-file.ts';
import { createFingerprintHash, createInputError, type InputFile, readChunks } from '../plain-file.ts';
import { defineSourceFormat, type SourceInput } from '../source-format.ts';
import { createCellWarningCounter } from './cell-text.ts';
import { SheetItemConverter, toLeadingRows } from './items.ts';
import { CellStyles } from './number-format.ts';
import { type XlsxOptions, xlsxOptionsSchema } from './options.ts';
import { readSharedStrings, type SharedStringsOpener } from './shared-strings.ts';
import { type SheetRow, SheetRowCollector } from './sheet-rows.ts';
import type { Sheet, WorkbookPackage } from './workbook.ts';

/** Loads what reads a workbook on demand, because its libraries are large. */
const loadWorkbookModule = () => import('./workbook.ts');

/** The parts of a workbook that are needed to read its cells. */
interface CellReading {
  readonly from1904: boolean;
  readonly styles: CellStyles;
  readonly strings: SharedStringsOpener;
}

/** A workbook before its rows are read. */
interface OpenedWorkbook extends CellReading {
  readonly file: InputFile;
  readonly fingerprint: string;
  /** The sheets to read, in order. */
  readonly chosen: readonly Sheet[];
  /** All sheets of the workbook, hidden ones included. */
  readonly sheets: readonly Sheet[];
  /** The sheets that are not read although they have cells. */
  readonly unread: readonly Sheet[];
  readonly guarded: boolean;
  readonly notes: readonly string[];
}

/** Creates the source of a workbook; reads nothing before `inspect` or `read`. */
function xlsxSource(options: XlsxOptions, input: SourceInput): Source {
  const opening = { options, input };
  return createFileSource({
    find: (signal) => resolveInputFile(input, signal),
    open: (file, signal) => opened(opening, file, signal),
    async *records(workbook, signal) {
      for (const sheet of workbook.chosen)
        yield* itemsOf(opening, workbook, sheet, sheetItems(opening, workbook, sheet), signal);
    },
    async facts(workbook, signal) {
      const { chosen, sheets, unread } = workbook;
      const [first, second] = chosen;
      const columns = new Set<string>();
      const headerRows = new Set<number | false>();
      const notes = [...workbook.notes];
      let items = 0;
      for (const sheet of chosen) {
        const read = sheetItems(opening, workbook, sheet);
        for await (const batch of itemsOf(opening, workbook, sheet, read, signal)) items += batch.length;
        for (const column of read.header().columns) columns.add(column);
        headerRows.add(read.headerRow);
        const at = second === undefined ? '' : `Sheet "${truncateText(sheet.name, 40)}": `;
        notes.push(...[...read.notes, ...read.warnings.notes()].map((note) => at + note));
      }
      const [headerRow, another] = headerRows;
      return {
        items,
        columns: [...columns],
        sheets: sheets.map(({ name }) => name),
        ...(unread.length > 0 && { unreadSheets: unread.map(({ name }) => name) }),
        ...(second !== undefined && { sheetsAsOne: chosen.map(({ name }) => name) }),
        visibleSheets: sheets.flatMap(({ name, visible }) => (visible ? [name] : [])),
        detected: {
          ...(sheets.length > 1 && second === undefined && { sheet: first?.name ?? '' }),
          ...(headerRow !== undefined && another === undefined && { headerRow }),
        },
        notes,
      };
    },
    items: () => (items) => items,
  });
}

interface XlsxRequest {
  readonly options: XlsxOptions;
  readonly input: SourceInput;
}

function sheetItems(
  { options }: XlsxRequest,
  { file, chosen, guarded }: OpenedWorkbook,
  { name }: Sheet,
): SheetItemConverter {
  const where = { file: file.name, sheet: name, isOneOfSeveral: chosen.length > 1 };
  return new SheetItemConverter({ ...options, guarded }, createCellWarningCounter(), where);
}

async function opened(
  { options, input }: XlsxRequest,
  file: InputFile,
  signal: AbortSignal,
): Promise<OpenedWorkbook> {
  const { createZipWithoutWorkbookError, findNonWorkbookError, readWorkbook, WorkbookPackage } =
    await loadWorkbookModule();
  const { guarded, notes: guardNotes } = await detectFormulaGuard(options.guarded, input);
  const { guarded: _stated, ...others } = options;
  const hash = createFingerprintHash(['xlsx', { ...others, guarded }]);
  let head: Buffer | null = null;
  for await (const chunk of readChunks(file, signal)) {
    head ??= Buffer.from(chunk.subarray(0, 512));
    hash.update(chunk);
  }
  const other = await findNonWorkbookError(file, head ?? Buffer.alloc(0), signal);
  if (other !== null) throw other;
  const fingerprint = hash.digest('hex');
  const parts = await WorkbookPackage.open(file, input.unpacking?.maxBytes, signal);
  try {
    const workbook = await readWorkbook(parts, signal);
    if (workbook === null) throw createZipWithoutWorkbookError(file, (part) => parts.has(part));
    const styles = new CellStyles();
    await parts.read(workbook.stylesPart, styles, signal);
    const kept = { spoolDir: input.spoolDir, name: `texts-${fingerprint.slice(0, 16)}.db` };
    const strings = await readSharedStrings(parts, workbook.stringsPart, kept, signal);
    const { from1904, sheets } = workbook;
    const read = { strings, styles, from1904 };
    const headOf = ({ part }: Sheet) => sheetHead(parts, part, read, options.maxRowBytes, signal);
    const holdsTable = async (sheet: Sheet) => looksLikeContactTable(await headOf(sheet));
    const { chosen, notes } = await chooseSheets(sheets, options, file.name, holdsTable);
    const unread: Sheet[] = [];
    for (const sheet of sheets)
      if (!chosen.includes(sheet) && parts.has(sheet.part) && (await headOf(sheet)).length > 0)
        unread.push(sheet);
    const empty = chosen.find(({ part }) => !parts.has(part));
    if (empty !== undefined)
      throw createInputError(file.name, `has no cells for its sheet "${empty.name}"`, 'Export it again.');
    const found = { file, fingerprint, chosen, sheets, unread, guarded };
    return { ...read, ...found, notes: [...notes, ...guardNotes] };
  } finally {
    parts.close();
  }
}

/** Reads the first rows of a sheet, which show whether it holds a table or is a title page. */
async function sheetHead(
  parts: WorkbookPackage,
  part: string,
  { strings, ...context }: CellReading,
  mostText: number,
  signal: AbortSignal,
): Promise<ReturnType<typeof toLeadingRows>> {
  const rows = new SheetRowCollector(mostText);
  const head: SheetRow[] = [];
  for await (const _ of parts.parse(part, rows, signal, () => rows.row)) {
    head.push(...rows.take());
    if (head.length >= maxHeaderSearchLines) break;
  }
  const texts = strings();
  try {
    return toLeadingRows(head.slice(0, maxHeaderSearchLines), { strings: texts, ...context });
  } finally {
    texts.close();
  }
}

/**
 * Yields the items that the converter `sheet` creates from the rows of a sheet; afterwards the converter has the header
 * and the warnings.
 */
async function* itemsOf(
  { options, input }: XlsxRequest,
  { file, styles, from1904, strings: openStrings }: OpenedWorkbook,
  { part }: Sheet,
  sheet: SheetItemConverter,
  signal: AbortSignal,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  await assertUnchanged(file, signal);
  const { WorkbookPackage } = await loadWorkbookModule();
  const parts = await WorkbookPackage.open(file, input.unpacking?.maxBytes, signal);
  const strings = openStrings();
  const context = { strings, styles, from1904 };
  try {
    const rows = new SheetRowCollector(options.maxRowBytes);
    for await (const _ of parts.parse(part, rows, signal, () => rows.row)) {
      yield sheet.items(rows.take(), context);
    }
    yield sheet.rest(context);
    sheet.header();
    await assertUnchanged(file, signal);
  } finally {
    strings.close();
    parts.close();
  }
}

/**
 * Throws if the file changed. `readChunks` checks this before it reads; it is called only for the check, because the
 * zip archive is read in another way.
 */
async function assertUnchanged(file: InputFile, signal: AbortSignal): Promise<void> {
  for await (const _ of readChunks(file, signal)) return;
}

/**
 * Chooses the sheets to read: the stated ones; if none is stated, the first visible sheet with a table, else the
 * first visible sheet, else the first sheet. Throws a FatalError('input') that lists the existing sheets if a stated
 * one is missing.
 */
export async function chooseSheets(
  sheets: readonly Sheet[],
  { sheet: wanted, sheets: several }: Pick<XlsxOptions, 'sheet' | 'sheets'>,
  file: string,
  holdsTable: (sheet: Sheet) => Promise<boolean>,
): Promise<{ chosen: readonly Sheet[]; notes: readonly string[] }> {
  const [first] = sheets;
  if (first === undefined)
    throw createInputError(file, 'has no sheet of cells', 'Export it again, or use another file.');
  const list = formatNameList(
    sheets.map(({ name, visible }) => `"${truncateText(name, 40)}"${visible ? '' : ' (hidden)'}`),
  );
  if (several !== undefined && wanted !== undefined)
    throw createInputError(file, 'has both "sheet" and "sheets" in its source', 'Remove one of them.');
  if (several !== undefined)
    return { chosen: [...new Set(several.map((name) => statedSheet(sheets, name, file, list)))], notes: [] };
  if (wanted === undefined) {
    const sheet = (await firstTable(sheets, holdsTable)) ?? first;
    const notes =
      sheets.length === 1
        ? []
        : [
            `The workbook has ${sheets.length} sheets: ${list}. "${truncateText(sheet.name, 40)}" is read; set "sheet" for another.`,
          ];
    return { chosen: [sheet], notes };
  }
  return { chosen: [statedSheet(sheets, wanted, file, list)], notes: [] };
}

function statedSheet(sheets: readonly Sheet[], wanted: string | number, file: string, list: string): Sheet {
  const found = typeof wanted === 'number' ? sheets[wanted - 1] : byName(sheets, wanted);
  if (found === undefined) {
    const what = typeof wanted === 'number' ? `no sheet ${wanted}` : `no sheet named "${wanted}"`;
    throw createInputError(file, `has ${what}`, `Its sheets are ${list}.`);
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

export const xlsxSourceFormat = defineSourceFormat({
  name: 'xlsx',
  extensions: ['xlsx', 'xlsm'],
  words: {
    reads: 'One sheet of a workbook. Dates are read as dates, formulas by their value.',
    columns: 'The header row.',
    line: 'The row of the sheet.',
  },
  options: xlsxOptionsSchema,
  open: xlsxSource,
});
