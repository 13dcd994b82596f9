import { createHash, randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mostYaml } from '../../../mapping/index.ts';
import { readRegularFile } from '../../../storage/regular-file.ts';
import { Refusal } from '../refusal.ts';

interface Text {
  readonly text: string;
  readonly etag: string;
}

/** The text of a file, which must be UTF-8. */
export async function readText(path: string): Promise<Text> {
  const bytes = await readRegularFile(path, mostYaml);
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      etag: etagOf(bytes),
    };
  } catch {
    throw new Refusal(422, 'The file is not UTF-8 text.', { next: 'Save it as UTF-8 in an editor.' });
  }
}

/**
 * Writes a text aside and puts it in place in one move, with the mode that the file had. Throws a Refusal (409) where the
 * file is not what `etag` was of. Writes of one file are done one after the other.
 */
export async function writeText(path: string, text: string, etag: string | null): Promise<Text> {
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

/** The last write of each file that is under way: the next one compares with what it leaves behind. */
const writing = new Map<string, Promise<void>>();

async function writeNow(path: string, text: string, etag: string | null): Promise<Text> {
  const bytes = Buffer.from(text);
  if (bytes.length > mostYaml)
    throw new Refusal(413, `The text has ${bytes.length} bytes; a YAML file may have at most ${mostYaml}.`, {
      next: 'Split it into several mappings or pipelines.',
    });
  await mkdir(dirname(path), { recursive: true });
  const part = join(dirname(path), `.${randomBytes(6).toString('hex')}.part`);
  try {
    const file = await open(part, 'wx', existsSync(path) ? statSync(path).mode & 0o777 : 0o666);
    try {
      // What the umask has taken from the mode of a file that is there.
      if (existsSync(path)) await file.chmod(statSync(path).mode & 0o777);
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    // Last of all, so that as little time as can be is left for another change.
    await assertUnchanged(path, etag);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { text, etag: etagOf(bytes) };
}

async function assertUnchanged(path: string, etag: string | null): Promise<void> {
  const now = existsSync(path) ? etagOf(await readRegularFile(path, mostYaml)) : null;
  if (now === etag) return;
  throw new Refusal(
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

/** Everything else of the project is read by what knows its format, and written by commands. */
export function assertYaml(path: string): void {
  if (!/\.ya?ml$/i.test(path)) throw new Refusal(403, `${JSON.stringify(path)} is not a YAML file.`);
}
