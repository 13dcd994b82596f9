import { createHash } from 'node:crypto';
import { type FileHandle, stat } from 'node:fs/promises';
import { z } from 'zod';
import type { Source } from '../../model/row.ts';
import { spoolFile } from '../../storage/spool.ts';
import { hasExtension } from '../archive/choose.ts';
import { type InputMember, listInputMembers, unpackInputMembers } from '../archive/members.ts';
import { encodingOption, openTextFile, type TextFile } from '../encoding/text-file.ts';
import { createFileSource } from '../file-source.ts';
import { resolveInputFile } from '../input-file.ts';
import { createMaxRowBytesOption } from '../options.ts';
import { createInputError, type InputFile, readChunks, withInputErrors } from '../plain-file.ts';
import { defineSourceFormat, type SourceInput } from '../source-format.ts';
import { WarningCounter, type WarningFormatters } from '../warnings.ts';
import { getByteStringEncoding, readByteStringChunks } from './byte-text.ts';
import { CardItemConverter, categoriesColumn } from './card-reader.ts';
import { CardSplitter } from './card-splitter.ts';

/** The options of a vCard source besides `format` and `path`. */
const vcardOptions = z.strictObject({
  encoding: encodingOption,
  maxRowBytes: createMaxRowBytesOption(
    'A card with more bytes is a broken row; photos and other binary values do not count.',
  ),
});

type VcardOptions = z.output<typeof vcardOptions>;

/** The file extensions of address books. */
const vcardExtensions = ['vcf', 'vcard'];
const utf8Bom = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Finds the file of an address book. The files of a folder or an archive are joined into one in the spool folder, in
 * the order of their names: some programs write a file for each contact.
 */
async function addressBookFile(
  input: SourceInput,
  signal: AbortSignal,
): Promise<{ readonly file: InputFile; readonly notes: readonly string[] }> {
  const cards = await cardMembers(input, signal);
  const [only, ...others] = cards;
  if (only === undefined || others.length === 0)
    return { file: await resolveInputFile(only?.input ?? input, signal), notes: [] };
  const path = await joinedFile(cards, input.spoolDir, signal);
  const { size, mtimeMs } = await stat(path);
  const notes = [
    `${cards.length} files are read as one, in the order of their names; lines are numbered across all of them.`,
  ];
  return { file: { name: input.name ?? input.path, path, bytes: size, changedAt: mtimeMs }, notes };
}

async function cardMembers(input: SourceInput, signal: AbortSignal): Promise<readonly InputMember[]> {
  if (input.path === '-' || input.member !== undefined) return [];
  const found = await withInputErrors(input.path, stat(input.path));
  // The files in a pipe are not listed, because a pipe can be read only once.
  if (!found.isDirectory() && !found.isFile()) return [];
  const members = await listInputMembers(input, signal);
  return members.filter(({ name }) => hasExtension(name, vcardExtensions));
}

async function joinedFile(
  cards: readonly InputMember[],
  spoolDir: string,
  signal: AbortSignal,
): Promise<string> {
  await unpackInputMembers(cards, signal);
  return await spoolFile(spoolDir, async (copy) => {
    const hash = createHash('sha256');
    for (const { input } of cards) await append(await resolveInputFile(input, signal), copy, hash, signal);
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
  for await (const chunk of readChunks(file, signal)) {
    const marked = !begun && chunk.subarray(0, utf8Bom.length).equals(utf8Bom);
    begun = true;
    await write(marked ? chunk.subarray(utf8Bom.length) : chunk);
  }
  await write(Buffer.from('\r\n'));
}

const omissionWarnings: WarningFormatters<'binaries' | 'nested', number> = {
  binaries: (count, first) =>
    `Photos and other binary values are left out: ${count}, the first in the card of line ${first}.`,
  nested: (count, first) =>
    `Cards within cards (AGENT) are left out: ${count}, the first in the card of line ${first}.`,
};

interface OpenedVcard extends TextFile {
  readonly notes: readonly string[];
}

/** Creates the source of an address book; reads nothing before `inspect` or `read`. */
function vcardSource(options: VcardOptions, input: SourceInput): Source {
  const { maxRowBytes } = options;
  const readerOf = (text: OpenedVcard) => new CardItemConverter(getByteStringEncoding(text), maxRowBytes);
  async function* cardsOf(text: OpenedVcard, signal: AbortSignal) {
    const splitter = new CardSplitter(maxRowBytes);
    for await (const bytes of readByteStringChunks(text, signal)) yield splitter.push(bytes);
    yield splitter.end();
  }
  return createFileSource({
    find: (signal) => addressBookFile(input, signal),
    async open({ file, notes }, signal): Promise<OpenedVcard> {
      const text = await openTextFile(file, options.encoding, ['vcard', options], signal);
      return { ...text, notes };
    },
    records: cardsOf,
    async facts(text, signal) {
      const warnings = new WarningCounter(omissionWarnings);
      const reader = readerOf(text);
      let items = 0;
      let cards = 0;
      for await (const found of cardsOf(text, signal)) {
        items += found.length;
        for (const card of found) {
          if (card.problem !== 'stray') cards += 1;
          const { binaries, nested } = reader.read(card);
          warnings.add('binaries', card.line, binaries);
          warnings.add('nested', card.line, nested);
        }
      }
      if (cards === 0)
        throw createInputError(
          text.file.name,
          'has no vCard',
          'Set the right "format", or export the contacts again as .vcf.',
        );
      const notes = [...text.notes, ...text.encoding.notes, ...warnings.notes()];
      return { items, columns: null, lists: [{ name: categoriesColumn, columns: [''] }], notes };
    },
    items: (text) => {
      const reader = readerOf(text);
      return (cards) => cards.map((card) => reader.read(card).item);
    },
  });
}

export const vcardSourceFormat = defineSourceFormat({
  name: 'vcard',
  extensions: vcardExtensions,
  words: {
    reads: 'vCard 2.1, 3.0 and 4.0. The files of a folder or an archive are read as one address book.',
    columns:
      '`EMAIL`, `EMAIL.2`, `TEL.cell`, `N.family`, `N.given`, `ADR.country` and so on; `CATEGORIES[]` is all values of a list.',
    line: 'The line of `BEGIN`.',
  },
  options: vcardOptions,
  sparse: true,
  open: vcardSource,
});
