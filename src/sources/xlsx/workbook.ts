import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { FatalError } from '../../model/fatal-error.ts';
import { UnpackLimiter } from '../archive/packed-file.ts';
import { readZipEntryBytes } from '../archive/zip.ts';
import { createInputError, type InputFile, readChunks } from '../plain-file.ts';
import { parseXml, type XmlAttributes, XmlError, type XmlHandler } from './xml.ts';

const mostParts = 100_000;
const again = 'Copy or export it again, or open it in a spreadsheet program and save it.';

/** An open workbook file, whose parts are read by path. */
export class WorkbookPackage {
  readonly #zip: ZipFile;
  readonly #file: InputFile;
  readonly #limit: UnpackLimiter;
  readonly #parts = new Map<string, Entry>();

  private constructor(zip: ZipFile, file: InputFile, limit: UnpackLimiter) {
    this.#zip = zip;
    this.#file = file;
    this.#limit = limit;
  }

  /** Opens a workbook file. Throws a FatalError('input') if it is cut off, damaged or not a zip archive. */
  static async open(
    file: InputFile,
    maxUnpacked: number | undefined,
    signal: AbortSignal,
  ): Promise<WorkbookPackage> {
    const zip = await asDamaged(file, openPromise(file.path, { lazyEntries: true, autoClose: false }));
    const opened = new WorkbookPackage(zip, file, new UnpackLimiter(file.name, file.bytes, maxUnpacked));
    try {
      await opened.#list(signal);
      return opened;
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  /** True if a part exists. */
  has(path: string): boolean {
    return this.#parts.has(key(path));
  }

  /** Returns the unpacked size of a part in bytes; 0 for a missing one. */
  unpackedBytes(path: string): number {
    return this.#parts.get(key(path))?.uncompressedSize ?? 0;
  }

  /**
   * Parses a part, if it exists; yields after each chunk. `row` returns the number of the last row, for error messages.
   */
  async *parse(
    path: string,
    handler: XmlHandler,
    signal: AbortSignal,
    row: () => number = () => 0,
  ): AsyncGenerator<void, void, undefined> {
    const entry = this.#parts.get(key(path));
    if (entry === undefined) return;
    try {
      yield* parseXml(this.#bytes(entry, signal), handler);
    } catch (error) {
      if (!(error instanceof XmlError || error instanceof PartError)) throw error;
      const last = row();
      const what = `in ${path} ${error.message}`;
      if (last === 0) throw createInputError(this.#file.name, `cannot be read: ${what}`, again);
      throw createInputError(this.#file.name, `cannot be read after row ${last}: ${what}`, again, last);
    }
  }

  /** Parses a whole part, if it exists. */
  async read(path: string, handler: XmlHandler, signal: AbortSignal): Promise<void> {
    for await (const _ of this.parse(path, handler, signal));
  }

  close(): void {
    this.#zip.close();
  }

  async #list(signal: AbortSignal): Promise<void> {
    if (this.#zip.entryCount > mostParts)
      throw createInputError(
        this.#file.name,
        `has ${this.#zip.entryCount} parts, more than any workbook`,
        again,
      );
    await asDamaged(this.#file, this.#listed(signal));
    signal.throwIfAborted();
  }

  async #listed(signal: AbortSignal): Promise<void> {
    for await (const entry of this.#zip.eachEntry()) {
      if (signal.aborted) return;
      const name = key(entry.fileName);
      if (this.#parts.has(name)) throw new PartError(`it has the part ${entry.fileName} twice`);
      this.#parts.set(name, entry);
    }
  }

  async *#bytes(entry: Entry, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    if (entry.isEncrypted()) throw new PartError('the bytes are encrypted');
    this.#limit.assertFits(entry.uncompressedSize);
    try {
      yield* readZipEntryBytes(this.#zip, entry, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw new PartError(`the bytes are damaged (${reasonOf(error)})`, { cause: error });
    }
  }
}

/** Thrown if the bytes of a part cannot be read, or if the workbook has two parts of one name. */
class PartError extends Error {}

async function asDamaged<T>(file: InputFile, attempt: Promise<T>): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    throw damaged(file, reasonOf(error));
  }
}

function damaged(file: InputFile, reason: string): FatalError {
  return createInputError(file.name, `is cut off or damaged, or is not a workbook: ${reason}`, again);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}

/** Returns the key of a part: its path in lower case, because spreadsheet programs ignore case. */
function key(path: string): string {
  return path.replace(/^\//, '').toLowerCase();
}

/** A worksheet, as the workbook's main part lists it. */
export interface Sheet {
  readonly name: string;
  readonly visible: boolean;
  /** The path of its part in the package. */
  readonly part: string;
}

/** The contents of a workbook's main part. */
interface Workbook {
  readonly sheets: readonly Sheet[];
  /** True if dates count from 1904, as on old Macs. */
  readonly from1904: boolean;
  readonly stringsPart: string;
  readonly stylesPart: string;
}

/** Reads the main part and its relations; returns null if the package has no workbook. */
export async function readWorkbook(parts: WorkbookPackage, signal: AbortSignal): Promise<Workbook | null> {
  const root = await relations(parts, '', signal);
  const path = root.find(({ type }) => type === 'officeDocument')?.target;
  if (path === undefined || !parts.has(path)) return null;
  const book = new WorkbookPart();
  await parts.read(path, book, signal);
  if (!book.isWorkbook) return null;
  const related = await relations(parts, path, signal);
  const partOf = (type: string) => related.find((relation) => relation.type === type)?.target ?? '';
  const sheets = book.sheets.flatMap(({ name, visible, relation }) => {
    const found = related.find(({ id, type }) => id === relation && type === 'worksheet');
    return found === undefined ? [] : [{ name, visible, part: found.target }];
  });
  return {
    sheets,
    from1904: book.from1904,
    stringsPart: partOf('sharedStrings'),
    stylesPart: partOf('styles'),
  };
}

interface Relation {
  readonly id: string;
  /** The last segment of its type, the same in both editions of the standard. */
  readonly type: string;
  /** The path of the related part. */
  readonly target: string;
}

async function relations(
  parts: WorkbookPackage,
  of: string,
  signal: AbortSignal,
): Promise<readonly Relation[]> {
  const cut = of.lastIndexOf('/') + 1;
  const folder = of.slice(0, cut);
  const found: Relation[] = [];
  await parts.read(
    `${folder}_rels/${of.slice(cut)}.rels`,
    {
      open(name, { Id: id, Type: type, Target: target }) {
        if (name !== 'Relationship' || id === undefined || type === undefined || target === undefined) return;
        found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: resolved(folder, target) });
      },
    },
    signal,
  );
  return found;
}

function resolved(folder: string, target: string): string {
  const path: string[] = [];
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') path.pop();
    else if (step !== '.' && step !== '') path.push(step);
  }
  return path.join('/').replaceAll('%20', ' ');
}

class WorkbookPart implements XmlHandler {
  readonly sheets: { name: string; visible: boolean; relation: string }[] = [];
  from1904 = false;
  isWorkbook = false;
  #depth = 0;

  open(name: string, attributes: XmlAttributes): void {
    if (this.#depth === 0) this.isWorkbook = name === 'workbook';
    this.#depth += 1;
    if (name === 'workbookPr') this.from1904 = /^(1|true|on)$/i.test(attributes.date1904 ?? '');
    if (name !== 'sheet') return;
    const relation = Object.entries(attributes).find(([key]) => /:id$/.test(key))?.[1] ?? '';
    const visible = !/hidden/i.test(attributes.state ?? '');
    this.sheets.push({ name: attributes.name ?? '', visible, relation });
  }

  close(): void {
    this.#depth -= 1;
  }
}

const saveAs = 'Open it in a spreadsheet program and save it as .xlsx';

/**
 * Returns the error for a file that is not a zip archive, and so cannot be a workbook; null for a zip archive. `head`
 * is the beginning of the file.
 */
export async function findNonWorkbookError(
  file: InputFile,
  head: Buffer,
  signal: AbortSignal,
): Promise<FatalError | null> {
  if (head.subarray(0, 2).toString('latin1') === 'PK') return null;
  if (head.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1') {
    return (await holds(file, Buffer.from('EncryptedPackage', 'utf16le'), signal))
      ? createInputError(file.name, 'is protected with a password', `${saveAs} without one.`)
      : createInputError(file.name, 'is an old workbook (.xls)', `${saveAs}.`);
  }
  const text = head.subarray(0, 512).toString('latin1').trimStart();
  if (text.startsWith('<'))
    return createInputError(file.name, 'is not a workbook (.xlsx) but an HTML or XML page', `${saveAs}.`);
  return createInputError(
    file.name,
    'is not a workbook (.xlsx)',
    'If it is plain text, set "format: csv"; otherwise export it again.',
  );
}

/** Creates the error for a zip archive without a workbook. */
export function createZipWithoutWorkbookError(file: InputFile, has: (part: string) => boolean): FatalError {
  if (has('xl/workbook.bin'))
    return createInputError(file.name, 'is a binary workbook (.xlsb)', `${saveAs}.`);
  if (has('content.xml') && has('META-INF/manifest.xml'))
    return createInputError(file.name, 'is an OpenDocument file (.ods)', `${saveAs}.`);
  return createInputError(
    file.name,
    'is a zip archive, but there is no workbook in it',
    'If it is an export of several files, set "format: dump".',
  );
}

async function holds(file: InputFile, wanted: Buffer, signal: AbortSignal): Promise<boolean> {
  let before: Buffer = Buffer.alloc(0);
  for await (const chunk of readChunks(file, signal)) {
    const both = Buffer.concat([before, chunk]);
    if (both.includes(wanted)) return true;
    before = both.subarray(Math.max(0, both.length - wanted.length));
  }
  return false;
}
