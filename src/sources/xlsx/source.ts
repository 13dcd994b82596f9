import { join } from 'node:path';
import type { InputFacts, Source, SourceItem } from '../../model/row.ts';
import { guardOf } from '../guarded-file.ts';
import { fingerprintOf, type InputFile, inputFile, pieces, refused } from '../input-file.ts';
import { headLines, isTable } from '../likely-header.ts';
import type { SourceInput } from '../source-format.ts';
import { chooseSheet } from './choose-sheet.ts';
import { headOf, SheetItems } from './items.ts';
import { notAWorkbook, otherArchive } from './not-a-workbook.ts';
import { Oddities } from './oddities.ts';
import type { XlsxOptions } from './options.ts';
import { Package } from './package.ts';
import { type OpenStrings, sharedStrings } from './shared-strings.ts';
import { SheetRows, type StoredRow } from './sheet-rows.ts';
import { Styles } from './styles.ts';
import { readWorkbook, type Sheet } from './workbook.ts';

const batchRows = 256;

/** What is known of a workbook before its rows are read. */
interface Opened {
  readonly file: InputFile;
  readonly fingerprint: string;
  readonly sheet: Sheet;
  /** How many sheets the workbook has. */
  readonly sheets: number;
  readonly from1904: boolean;
  readonly styles: Styles;
  readonly strings: OpenStrings;
  readonly guarded: boolean;
  readonly notes: readonly string[];
}

/** A sheet of a workbook as a source; nothing is touched before `inspect` or `read`. */
export function xlsxSource(options: XlsxOptions, input: SourceInput): Source {
  return new XlsxSource(options, input);
}

/** What is known of a sheet when it was read. */
interface Ended {
  readonly columns: readonly string[];
  readonly headerRow: number | false;
  readonly said: readonly string[];
}

class XlsxSource implements Source {
  readonly #options: XlsxOptions;
  readonly #input: SourceInput;
  #opened: Opened | null = null;

  constructor(options: XlsxOptions, input: SourceInput) {
    this.#options = options;
    this.#input = input;
  }

  async inspect(signal: AbortSignal): Promise<InputFacts> {
    this.#opened = await this.#open(signal);
    const { file, fingerprint, notes, sheet, sheets } = this.#opened;
    const oddities = new Oddities();
    let items = 0;
    let end: Ended = { columns: [], headerRow: false, said: [] };
    const ended = (found: Ended) => {
      end = found;
    };
    for await (const batch of this.#items(this.#opened, oddities, ended, signal)) items += batch.length;
    const { columns, headerRow, said } = end;
    return {
      name: file.name,
      bytes: file.bytes,
      fingerprint,
      items,
      columns,
      detected: { ...(sheets > 1 && { sheet: sheet.name }), headerRow },
      notes: [...notes, ...said, ...oddities.notes()],
    };
  }

  async *read(from: number, signal: AbortSignal): AsyncGenerator<readonly SourceItem[], void, undefined> {
    this.#opened ??= await this.#open(signal);
    let toSkip = from;
    for await (const items of this.#items(this.#opened, new Oddities(), () => {}, signal)) {
      const wanted = toSkip === 0 ? items : items.slice(toSkip);
      toSkip -= Math.min(toSkip, items.length);
      for (let at = 0; at < wanted.length; at += batchRows) {
        signal.throwIfAborted();
        yield wanted.slice(at, at + batchRows);
      }
    }
  }

  async #open(signal: AbortSignal): Promise<Opened> {
    const file = this.#opened?.file ?? (await inputFile(this.#input, signal));
    const guard = await guardOf(this.#options.guarded, this.#input);
    const { guarded } = guard;
    const { guarded: _stated, ...options } = this.#options;
    const hash = fingerprintOf(['xlsx', { ...options, guarded }]);
    let head: Buffer | null = null;
    for await (const piece of pieces(file, signal)) {
      head ??= Buffer.from(piece.subarray(0, 512));
      hash.update(piece);
    }
    const other = await notAWorkbook(file, head ?? Buffer.alloc(0), signal);
    if (other !== null) throw other;
    const fingerprint = hash.digest('hex');
    return this.#inPackage(file, signal, async (parts) => {
      const workbook = await readWorkbook(parts, signal);
      if (workbook === null) throw otherArchive(file, (part) => parts.has(part));
      const styles = new Styles();
      await parts.read(workbook.stylesPart, styles, signal);
      const kept = join(this.#input.spoolDir, `texts-${fingerprint.slice(0, 16)}.db`);
      const strings = await sharedStrings(parts, workbook.stringsPart, kept, signal);
      const { from1904, sheets } = workbook;
      const read = { strings, styles, from1904 };
      const holdsTable = (each: Sheet) => this.#holdsTable(each, parts, read, signal);
      const { sheet, notes } = await chooseSheet(sheets, this.#options.sheet, file.name, holdsTable);
      if (!parts.has(sheet.part))
        throw refused(file.name, `has no cells for its sheet "${sheet.name}"`, 'Export it again.');
      const said = [...notes, ...guard.notes];
      return { ...read, file, fingerprint, sheet, sheets: sheets.length, guarded, notes: said };
    });
  }

  /** Whether the first rows of a sheet are a table, and not the words of a title page. */
  async #holdsTable(
    { part }: Sheet,
    parts: Package,
    { strings, ...context }: Pick<Opened, 'strings' | 'styles' | 'from1904'>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const rows = new SheetRows(this.#options.maxRowBytes);
    const head: StoredRow[] = [];
    for await (const _ of parts.parse(part, rows, signal, () => rows.row)) {
      head.push(...rows.take());
      if (head.length >= headLines) break;
    }
    const texts = strings();
    try {
      return isTable(headOf(head.slice(0, headLines), { strings: texts, ...context }));
    } finally {
      texts.close();
    }
  }

  async #inPackage<T>(
    file: InputFile,
    signal: AbortSignal,
    work: (parts: Package) => Promise<T>,
  ): Promise<T> {
    const parts = await Package.open(file, this.#input.unpacking?.maxBytes, signal);
    try {
      return await work(parts);
    } finally {
      parts.close();
    }
  }

  /** The items of the sheet as its part is parsed; `ended` is given what is known then. */
  async *#items(
    opened: Opened,
    oddities: Oddities,
    ended: (end: Ended) => void,
    signal: AbortSignal,
  ): AsyncGenerator<readonly SourceItem[], void, undefined> {
    const { file, sheet, styles, from1904, guarded } = opened;
    await assertUnchanged(file, signal);
    const parts = await Package.open(file, this.#input.unpacking?.maxBytes, signal);
    const strings = opened.strings();
    try {
      const rows = new SheetRows(this.#options.maxRowBytes);
      const where = { file: file.name, sheet: sheet.name };
      const items = new SheetItems(
        { strings, styles, from1904 },
        { ...this.#options, guarded },
        oddities,
        where,
      );
      for await (const _ of parts.parse(sheet.part, rows, signal, () => rows.row)) {
        yield items.items(rows.take());
      }
      yield items.rest();
      ended({ columns: items.header().names, headerRow: items.headerRow, said: items.notes });
      await assertUnchanged(file, signal);
    } finally {
      strings.close();
      parts.close();
    }
  }
}

/** A zip archive is read by its directory, not from the first byte on: that it is still the same file is asked here. */
async function assertUnchanged(file: InputFile, signal: AbortSignal): Promise<void> {
  for await (const _ of pieces(file, signal)) return;
}
