import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { FatalError } from '../../../model/fatal-error.ts';
import { makeOwnFolder } from '../../../storage/own-folder.ts';
import { InputMissing, type InputPlace } from '../place.ts';
import type { Bucket } from './bucket.ts';
import type { StoredObject } from './list-page.ts';

const etagsName = '.etags.json';

/** Inputs in a bucket: an object, or all below a path that ends with a slash or is a folder there. */
export function s3Inputs(bucket: Bucket, prefix: string): InputPlace {
  return {
    async fetch(path, folder) {
      const wanted = joined(prefix, path);
      const objects = await below(bucket, wanted);
      if (objects.length === 0) {
        throw new InputMissing(`${path} in the bucket`, `Put it at ${wanted}.`);
      }
      makeOwnFolder(folder);
      const etags = readEtags(folder);
      for (const { key, etag } of objects) {
        const name = key.slice(prefix === '' ? 0 : prefix.length + 1);
        if (etags[name] === etag) continue;
        const local = inside(folder, name);
        makeOwnFolder(dirname(local));
        await bucket.fetch(key, local);
        etags[name] = etag;
        writeFileSync(join(folder, etagsName), JSON.stringify(etags), { mode: 0o600 });
      }
      return inside(folder, path);
    },
  };
}

/** The object of that name, or those below it: never one whose name only begins alike. */
async function below(bucket: Bucket, wanted: string): Promise<readonly StoredObject[]> {
  const found: StoredObject[] = [];
  const folder = wanted.endsWith('/') ? wanted : `${wanted}/`;
  for await (const page of bucket.list(wanted))
    found.push(...page.filter(({ key }) => key === wanted || (key.startsWith(folder) && !key.endsWith('/'))));
  return found;
}

/** What a key names stays below the folder. */
function inside(folder: string, name: string): string {
  const path = join(folder, name);
  if (path.startsWith(folder + sep)) return path;
  throw new FatalError('input', `the name ${JSON.stringify(name)} leads out of the inputs.`, {
    next: 'Rename the object.',
  });
}

function readEtags(folder: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(join(folder, etagsName), 'utf8'));
  } catch (error) {
    // Not there, or torn by a crash: everything is fetched once more.
    if (
      error instanceof SyntaxError ||
      (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    )
      return {};
    throw error;
  }
}

/** Parts of a key with one slash between them. */
export function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/');
}
