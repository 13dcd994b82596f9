import { createHash } from 'node:crypto';
import { type FileHandle, stat } from 'node:fs/promises';
import { spooled } from '../../storage/spool.ts';
import { fits } from '../archive/choose.ts';
import { type Member, membersOf, unpackMembers } from '../archive/members.ts';
import { type InputFile, inputFile, pieces } from '../input-file.ts';
import { orExplain } from '../plain-file.ts';
import type { SourceInput } from '../source-format.ts';

const extensions = ['vcf', 'vcard'];
const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The file of an address book. Phones and mail programs also write a file for each contact: those of a folder or an archive
 * are one, joined in the spool folder in the order of their names.
 */
export async function cardFile(
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
