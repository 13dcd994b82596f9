import { createHash } from 'node:crypto';
import { type FileHandle, stat } from 'node:fs/promises';
import type { InputFacts, Source, SourceItem } from '../../model/row.ts';
import { spooled } from '../../storage/spool.ts';
import { fits } from '../archive/choose.ts';
import { type Member, membersOf, unpackMembers } from '../archive/members.ts';
import { type TextFile, textFile } from '../encoding/text-file.ts';
import { type InputFile, inputFile, pieces, refused } from '../input-file.ts';
import { orExplain } from '../plain-file.ts';
import type { SourceInput } from '../source-format.ts';
import { byteEncoding, byteTexts } from './byte-text.ts';
import { CardSplitter, type RawCard } from './card-splitter.ts';
import { CardReader, listed } from './items.ts';
import type { VcardOptions } from './options.ts';

const extensions = ['vcf', 'vcard'];
const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The file of an address book. Phones and mail programs also write a file for each contact: those of a folder or an archive
 * are one, joined in the spool folder in the order of their names.
 */
async function cardFile(
  input: SourceInput,
  signal: AbortSignal,
): Promise<{ readonly file: InputFile; readonly notes: readonly string[] }> {
  const cards = await cardMembers(input, signal);
  const [only, ...others] = cards;
  if (only === undefined || others.length === 0)
    return { file: await inputFile(only?.input ?? input, signal), notes: [] };
  const path = await joined(cards, input.spoolDir, signal);
  const { size, mtimeMs } = await stat(path);
  const notes = [
    `${cards.length} files are read as one, in the order of their names; lines are numbered across all of them.`,
  ];
  return { file: { name: input.name ?? input.path, path, bytes: size, changedAt: mtimeMs }, notes };
}

async function cardMembers(input: SourceInput, signal: AbortSignal): Promise<readonly Member[]> {
  if (input.path === '-' || input.member !== undefined) return [];
  const found = await orExplain(input.path, stat(input.path));
  // A pipe can be read only once.
  if (!found.isDirectory() && !found.isFile()) return [];
  const members = await membersOf(input, signal);
  return members.filter(({ name }) => fits(name, extensions));
}

async function joined(cards: readonly Member[], spoolDir: string, signal: AbortSignal): Promise<string> {
  await unpackMembers(cards, signal);
  return await spooled(spoolDir, async (copy) => {
    const hash = createHash('sha256');
    for (const { input } of cards) await append(await inputFile(input, signal), copy, hash, signal);
    return `cards-${hash.digest('hex').slice(0, 16)}`;
  });
}

async function append(
  file: InputFile,
  copy: FileHandle,
  hash: ReturnType<typeof createHash>,
  signal: AbortSignal,
): Promise<void> {
  const write = async (bytes: Buffer): Promise<void> => {
    hash.update(bytes);
    await copy.writeFile(bytes);
  };
  let begun = false;
  for await (const piece of pieces(file, signal)) {
    const marked = !begun && piece.subarray(0, mark.length).equals(mark);
    begun = true;
    await write(marked ? piece.subarray(mark.length) : piece);
  }
  await write(Buffer.from('\r\n'));
}

/** Counts what cards hold that no row has, to be said aloud. */
class LeftOut {
  #binaries = 0;
  #firstBinary = 0;
  #nested = 0;
  #firstNested = 0;

  add(line: number, binaries: number, nested: number): void {
    if (this.#binaries === 0 && binaries > 0) this.#firstBinary = line;
    if (this.#nested === 0 && nested > 0) this.#firstNested = line;
    this.#binaries += binaries;
    this.#nested += nested;
  }

  notes(): readonly string[] {
    const notes: string[] = [];
    if (this.#binaries > 0)
      notes.push(
        `Photos and other binary values are left out: ${this.#binaries}, the first in the card of line ${this.#firstBinary}.`,
      );
    if (this.#nested > 0)
      notes.push(
        `Cards within cards (AGENT) are left out: ${this.#nested}, the first in the card of line ${this.#firstNested}.`,
      );
    return notes;
  }
}

const batchRows = 256;

/** An address book as a source; nothing is touched before `inspect` or `read`. */
export function vcardSource(options: VcardOptions, input: SourceInput): Source {
  return new VcardSource(options, input);
}

interface Opened extends TextFile {
  readonly notes: readonly string[];
}

class VcardSource implements Source {
  readonly #options: VcardOptions;
  readonly #input: SourceInput;
  #opened: Opened | null = null;

  constructor(options: VcardOptions, input: SourceInput) {
    this.#options = options;
    this.#input = input;
  }

  async inspect(signal: AbortSignal): Promise<InputFacts> {
    this.#opened = await this.#open(signal);
    const { file, encoding, fingerprint, notes: said } = this.#opened;
    const leftOut = new LeftOut();
    const reader = new CardReader(byteEncoding(this.#opened), this.#options.maxRowBytes);
    let items = 0;
    let cards = 0;
    for await (const found of this.#cards(this.#opened, signal)) {
      items += found.length;
      for (const card of found) {
        if (card.trouble !== 'stray') cards += 1;
        const { binaries, nested } = reader.read(card);
        leftOut.add(card.line, binaries, nested);
      }
    }
    if (cards === 0)
      throw refused(
        file.name,
        'has no vCard',
        'Set the right "format", or export the contacts again as .vcf.',
      );
    const notes = [...said, ...encoding.notes, ...leftOut.notes()];
    const lists = [{ name: listed, columns: [''] }];
    return { name: file.name, bytes: file.bytes, fingerprint, items, columns: null, lists, notes };
  }

  async *read(from: number, signal: AbortSignal): AsyncGenerator<readonly SourceItem[], void, undefined> {
    this.#opened ??= await this.#open(signal);
    const reader = new CardReader(byteEncoding(this.#opened), this.#options.maxRowBytes);
    let toSkip = from;
    for await (const cards of this.#cards(this.#opened, signal)) {
      const wanted = toSkip === 0 ? cards : cards.slice(toSkip);
      toSkip -= Math.min(toSkip, cards.length);
      for (let at = 0; at < wanted.length; at += batchRows) {
        signal.throwIfAborted();
        const batch = wanted.slice(at, at + batchRows);
        yield batch.map((card) => reader.read(card).item);
      }
    }
  }

  async #open(signal: AbortSignal): Promise<Opened> {
    const { file, notes } = this.#opened ?? (await cardFile(this.#input, signal));
    const text = await textFile(file, this.#options.encoding, ['vcard', this.#options], signal);
    return { ...text, notes };
  }

  async *#cards(file: TextFile, signal: AbortSignal): AsyncGenerator<readonly RawCard[], void, undefined> {
    const splitter = new CardSplitter(this.#options.maxRowBytes);
    for await (const bytes of byteTexts(file, signal)) yield splitter.push(bytes);
    yield splitter.end();
  }
}
