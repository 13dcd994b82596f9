import { type FileHandle, open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ZipFile } from 'yazl';
import { z } from 'zod';
import type { ExportRecord, ExportTable } from '../../model/export-record.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { toColumnLetters } from '../../model/sheet-column.ts';
import { escapeSheetFormula } from '../../model/spreadsheet-guard.ts';
import { defineExporter } from '../exporter.ts';
import { createFilePerKindWriter, type RecordFileWriter } from '../file-per-kind.ts';
import { readRecordValue } from '../value.ts';
import { escapeXmlText, formatCellXml, formatTextCellXml, stylesXml, xlsxCellStyles } from './cell.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const schemas = 'http://schemas.openxmlformats.org';
const relations = `${schemas}/officeDocument/2006/relationships`;
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The content types; sheets are the default for XML, so that this part can be written before their number is known. */
const contentTypesXml =
  `${declaration}<Types xmlns="${schemas}/package/2006/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `<Default Extension="xml" ContentType="${types}.worksheet+xml"/>` +
  `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`;

/** The package relationships. */
const packageRelationsXml =
  `${declaration}<Relationships xmlns="${schemas}/package/2006/relationships">` +
  `<Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

/** Returns the workbook part. */
function workbookXml(sheets: readonly string[]): string {
  const listed = sheets.map(
    (name, index) => `<sheet name="${escapeXmlText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return (
    `${declaration}<workbook xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${relations}">` +
    `<sheets>${listed.join('')}</sheets></workbook>`
  );
}

/** Returns the workbook relationships. */
function workbookRelationsXml(sheets: readonly string[]): string {
  const listed = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  return (
    `${declaration}<Relationships xmlns="${schemas}/package/2006/relationships">${listed.join('')}` +
    `<Relationship Id="rId${sheets.length + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`
  );
}

/** Returns the XML before the rows of a sheet: a frozen first row and column widths. */
function sheetHead(columns: number): string {
  const width =
    columns === 0 ? '' : `<cols><col min="1" max="${columns}" width="20" customWidth="1"/></cols>`;
  return (
    `${declaration}<worksheet xmlns="${schemas}/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `${width}<sheetData>`
  );
}

/** The XML after the rows. */
const sheetTail = '</sheetData></worksheet>';

// A fixed time, so that the same records give the same bytes.
const zipEntryOptions = { mtime: new Date(Date.UTC(2000, 0, 1)), mode: 0o100_600 };

/** Writes and compresses an xlsx file with the records of one kind; a full sheet is followed by another. */
export class XlsxFileWriter implements RecordFileWriter {
  readonly #table: ExportTable;
  readonly #letters: readonly string[];
  readonly #rowsPerSheet: number;
  readonly #zip: ZipFile;
  readonly #stop = new AbortController();
  /** Resolves when the file is durable. */
  readonly #packed: Promise<void>;
  readonly #sheets: string[] = [];
  #sheet = new PassThrough();
  #row = 0;

  private constructor(zip: ZipFile, handle: FileHandle, table: ExportTable, rowsPerSheet: number) {
    this.#zip = zip;
    this.#table = table;
    this.#letters = table.columns.map((_, index) => toColumnLetters(index));
    this.#rowsPerSheet = rowsPerSheet;
    const file = handle.createWriteStream({ flush: true });
    this.#packed = pipeline(this.#zip.outputStream, file, { signal: this.#stop.signal });
    // A failure rejects pending writes to the sheet.
    this.#packed.catch((error) => this.#sheet.destroy(error));
  }

  /** Creates a workbook with at most `rowsPerSheet` rows per sheet, the heading included. */
  static async create(path: string, table: ExportTable, rowsPerSheet: number): Promise<XlsxFileWriter> {
    // Loaded on demand: an import, too, knows the exporters, and writes no workbook.
    const { ZipFile } = await import('yazl');
    const workbook = new XlsxFileWriter(new ZipFile(), await open(path, 'wx', 0o600), table, rowsPerSheet);
    workbook.#add('[Content_Types].xml', contentTypesXml);
    workbook.#add('_rels/.rels', packageRelationsXml);
    workbook.#add('xl/styles.xml', stylesXml);
    await workbook.#beginSheet();
    return workbook;
  }

  async write(records: readonly ExportRecord[]): Promise<void> {
    let rows = '';
    for (const record of records) {
      if (this.#row === this.#rowsPerSheet) {
        await this.#put(rows + sheetTail);
        rows = '';
        this.#sheet.end();
        await this.#beginSheet();
      }
      this.#row += 1;
      rows += this.#rowXml(record);
    }
    await this.#put(rows);
  }

  async finish(): Promise<void> {
    await this.#put(sheetTail);
    this.#sheet.end();
    this.#add('xl/workbook.xml', workbookXml(this.#sheets));
    this.#add('xl/_rels/workbook.xml.rels', workbookRelationsXml(this.#sheets));
    this.#zip.end();
    await this.#packed;
  }

  async abandon(): Promise<void> {
    this.#sheet.destroy();
    this.#stop.abort();
    await Promise.allSettled([this.#packed]);
  }

  async #beginSheet(): Promise<void> {
    const number = this.#sheets.length + 1;
    this.#sheets.push(number === 1 ? this.#table.kind : `${this.#table.kind} (${number})`);
    this.#sheet = new PassThrough().on('error', (error) => this.#stop.abort(error));
    this.#zip.addReadStream(this.#sheet, `xl/worksheets/sheet${number}.xml`, zipEntryOptions);
    this.#row = 1;
    const headings = this.#table.columns.map(({ name }, index) =>
      formatTextCellXml(`${this.#letters[index]}1`, escapeSheetFormula(name), xlsxCellStyles.heading),
    );
    await this.#put(`${sheetHead(headings.length)}<row r="1">${headings.join('')}</row>`);
  }

  #rowXml({ normal }: ExportRecord): string {
    const cells = this.#table.columns.map(({ path, type }, index) =>
      formatCellXml(`${this.#letters[index]}${this.#row}`, readRecordValue(normal, path), type),
    );
    return `<row r="${this.#row}">${cells.join('')}</row>`;
  }

  async #put(text: string): Promise<void> {
    try {
      await written(this.#sheet, text);
    } catch (error) {
      // Throws the cause of the failure, if the pipeline has one.
      await this.#packed;
      throw error;
    }
  }

  #add(name: string, text: string): void {
    this.#zip.addBuffer(Buffer.from(text), name, zipEntryOptions);
  }
}

/** Writes text; resolves when there is room for more, rejects when the stream is closed. */
function written(stream: PassThrough, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const closed = () => reject(new Error('the workbook cannot be written any more'));
    stream.once('close', closed);
    stream.write(text, (error) => {
      stream.off('close', closed);
      if (error) reject(error);
      else resolve();
    });
  });
}

/** The limits of a sheet. */
const sheetSize = { rows: 1_048_576, columns: 16_384 };

/** The xlsx exporter: a workbook per kind with typed cells and guarded texts; a full sheet is followed by another. */
export const xlsxExporter = defineExporter({
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
    return await createFilePerKindWriter(request, 'xlsx', (path, table) =>
      XlsxFileWriter.create(path, table, sheetSize.rows),
    );
  },
});
