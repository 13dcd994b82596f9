import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolveInputFile } from '../input-file.ts';
import {
  createFingerprintHash,
  createInputError,
  hasErrorCode,
  type InputFile,
  readChunks,
  readFileHead,
} from '../plain-file.ts';
import type { SourceInput } from '../source-format.ts';

const magic = 'SQLite format 3\0';
const headerBytes = 100;

/** A SQLite file, and its write-ahead log or rollback journal if it has one. */
export interface SqliteInputFile {
  readonly file: InputFile;
  readonly log: InputFile | null;
  /** True if SQLite would have to write files beside this one in order to read it; then a copy is read. */
  readonly needsCopy: boolean;
}

/** Finds a SQLite file. Throws a FatalError('input') if it is not one, is encrypted, or is cut off. */
export async function resolveSqliteInputFile(
  input: SourceInput,
  signal: AbortSignal,
): Promise<SqliteInputFile> {
  const file = await resolveInputFile(input, signal);
  const head = await readFileHead(file.path, headerBytes);
  if (head.toString('latin1', 0, magic.length) !== magic) throw notSqlite(file.name);
  const log = (await beside(file, '-wal')) ?? (await beside(file, '-journal'));
  if (log === null) assertWhole(file, head);
  // In write-ahead mode SQLite creates files beside the database even to read it.
  return { file, log, needsCopy: log !== null || head[18] === 2 || head[19] === 2 };
}

/** Returns the fingerprint of the bytes and `settings`. Throws if a file changed since it was found. */
export async function computeSqliteFingerprint(
  found: SqliteInputFile,
  settings: unknown,
  signal: AbortSignal,
): Promise<string> {
  const hash = createFingerprintHash(settings);
  for (const part of [found.file, found.log]) {
    if (part === null) continue;
    for await (const chunk of readChunks(part, signal)) hash.update(chunk);
  }
  return hash.digest('hex');
}

/** Throws a FatalError('input') if the file changed since it was found. */
export async function assertSqliteFileUnchanged({ file, log }: SqliteInputFile): Promise<void> {
  for (const part of [file, log]) {
    if (part === null) continue;
    const now = await stats(part.path);
    if (now?.size === part.bytes && now.mtimeMs === part.changedAt) continue;
    const next = 'Wait until nothing writes to it, and run it again.';
    throw createInputError(file.name, 'changed while it was being read', next);
  }
}

async function beside(file: InputFile, ending: string): Promise<InputFile | null> {
  const found = await stats(file.path + ending);
  if (found === null || found.size === 0) return null;
  return { name: file.name + ending, path: file.path + ending, bytes: found.size, changedAt: found.mtimeMs };
}

async function stats(path: string): Promise<Stats | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? found : null;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Throws if the file is shorter than its header states; old versions of SQLite state no size. */
function assertWhole(file: InputFile, head: Buffer): void {
  if (head.length < headerBytes) throw cutOff(file, headerBytes);
  const pageBytes = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
  const stated = head.readUInt32BE(24) === head.readUInt32BE(92) ? head.readUInt32BE(28) : 0;
  if (stated * pageBytes > file.bytes) throw cutOff(file, stated * pageBytes);
}

function cutOff(file: InputFile, bytes: number) {
  const what = `is cut off: it has ${file.bytes} bytes of at least ${bytes}`;
  return createInputError(file.name, what, 'Copy it again.');
}

function notSqlite(name: string) {
  const next =
    'If it is encrypted, make a plain copy of it first (with SQLCipher: sqlcipher_export). If it is a dump of SQL text, set "format: sql".';
  return createInputError(name, 'is not a SQLite file, or it is encrypted', next);
}
