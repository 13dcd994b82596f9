import { createHash, randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { maxYamlLength } from '../../../mapping/index.ts';
import { readRegularFile } from '../../../storage/regular-file.ts';
import { HttpError } from '../http-error.ts';

interface Text {
  readonly text: string;
  readonly etag: string;
}

/** Reads a text file with its etag. Throws an HttpError (422) if it is not UTF-8. */
export async function readTextFile(path: string): Promise<Text> {
  const bytes = await readRegularFile(path, maxYamlLength);
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      etag: etagOf(bytes),
    };
  } catch {
    throw new HttpError(422, 'The file is not UTF-8 text.', { next: 'Save it as UTF-8 in an editor.' });
  }
}

/**
 * Replaces a file by a rename, and keeps its mode; writes of the same file wait for each other. `etag` is
 * that of the file as the caller read it, null for a missing file. Throws an HttpError if the file has
 * another etag by now (409), or the text is too long (413).
 */
export async function writeTextFile(path: string, text: string, etag: string | null): Promise<Text> {
  const written = (writing.get(path) ?? Promise.resolve()).then(() => writeNow(path, text, etag));
  const settled = written.then(
    () => undefined,
    () => undefined,
  );
  writing.set(path, settled);
  try {
    return await written;
  } finally {
    if (writing.get(path) === settled) writing.delete(path);
  }
}

/** The pending write of each file; the next one waits for it. */
const writing = new Map<string, Promise<void>>();

async function writeNow(path: string, text: string, etag: string | null): Promise<Text> {
  const bytes = Buffer.from(text);
  if (bytes.length > maxYamlLength)
    throw new HttpError(
      413,
      `The text has ${bytes.length} bytes; a YAML file may have at most ${maxYamlLength}.`,
      {
        next: 'Split it into several mappings or pipelines.',
      },
    );
  await mkdir(dirname(path), { recursive: true });
  const part = join(dirname(path), `.${randomBytes(6).toString('hex')}.part`);
  try {
    const file = await open(part, 'wx', existsSync(path) ? statSync(path).mode & 0o777 : 0o666);
    try {
      // The umask may have removed bits from the mode.
      if (existsSync(path)) await file.chmod(statSync(path).mode & 0o777);
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    // The etag is checked right before the rename, so that hardly any time is left for another change.
    await assertUnchanged(path, etag);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { text, etag: etagOf(bytes) };
}

async function assertUnchanged(path: string, etag: string | null): Promise<void> {
  const now = existsSync(path) ? etagOf(await readRegularFile(path, maxYamlLength)) : null;
  if (now === etag) return;
  throw new HttpError(
    409,
    'The file was changed meanwhile, in an editor or by another page. Nothing was written.',
    {
      next: 'Load it again, then make your change once more.',
    },
  );
}

function etagOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Throws an HttpError (403) for a file name without a YAML extension, so that the routes of YAML files reach no other
 * files.
 */
export function assertYamlPath(path: string): void {
  if (!/\.ya?ml$/i.test(path)) throw new HttpError(403, `${JSON.stringify(path)} is not a YAML file.`);
}
