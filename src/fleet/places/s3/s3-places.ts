import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import * as z from 'zod';
import { manifestFileName } from '../../../app/export/folder/manifest.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import { makeOwnerOnlyFolder } from '../../../storage/own-folder.ts';
import {
  type Delivery,
  type InputStorage,
  MissingInputError,
  type OutputStorage,
  type ResultStorage,
} from '../place.ts';
import type { BucketClient } from './bucket.ts';
import type { BucketObject } from './list-page.ts';

const etagsName = '.etags.json';
const etagsSchema = z.record(z.string(), z.string());
const manifestSchema = z.object({ run: z.string() });

/** Creates the storage of inputs in a bucket: a path is an object, or a folder with all objects below it. */
export function createS3InputStorage(bucket: BucketClient, prefix: string): InputStorage {
  return {
    async fetch(path, folder) {
      const wanted = joinObjectKey(prefix, path);
      const objects = await below(bucket, wanted);
      if (objects.length === 0) {
        throw new MissingInputError(`${path} in the bucket`, `Put it at ${wanted}.`);
      }
      makeOwnerOnlyFolder(folder);
      const etags = readEtags(folder);
      for (const { key, etag } of objects) {
        const name = key.slice(prefix === '' ? 0 : prefix.length + 1);
        if (etags[name] === etag) continue;
        const local = inside(folder, name);
        makeOwnerOnlyFolder(dirname(local));
        await bucket.fetch(key, local);
        etags[name] = etag;
        writeFileSync(join(folder, etagsName), JSON.stringify(etags), { mode: 0o600 });
      }
      return inside(folder, path);
    },
  };
}

/**
 * Returns the object with the key `wanted` and the objects in the folder `wanted`, but no object whose key only begins
 * with this text.
 */
async function below(bucket: BucketClient, wanted: string): Promise<readonly BucketObject[]> {
  const found: BucketObject[] = [];
  const folder = wanted.endsWith('/') ? wanted : `${wanted}/`;
  for await (const page of bucket.list(wanted))
    found.push(...page.filter(({ key }) => key === wanted || (key.startsWith(folder) && !key.endsWith('/'))));
  return found;
}

/** Returns the local path of a key; throws a FatalError (input) if it leads out of the folder. */
function inside(folder: string, name: string): string {
  const path = join(folder, name);
  if (path.startsWith(folder + sep)) return path;
  throw new FatalError('input', `the name ${JSON.stringify(name)} leads out of the inputs.`, {
    next: 'Rename the object.',
  });
}

function readEtags(folder: string): Record<string, string> {
  try {
    return etagsSchema.parse(JSON.parse(readFileSync(join(folder, etagsName), 'utf8')));
  } catch (error) {
    // Missing, or truncated by a crash: everything is fetched again.
    if (
      error instanceof SyntaxError ||
      error instanceof z.ZodError ||
      (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    )
      return {};
    throw error;
  }
}

/** Joins the nonempty parts of a key with slashes. */
export function joinObjectKey(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/');
}

/** Creates the storage of result files in a bucket. */
export function createS3ResultStorage(
  bucket: BucketClient,
  { bucket: name, prefix }: { readonly bucket: string; readonly prefix: string },
): ResultStorage {
  const keyOf = (path: string) => joinObjectKey(prefix, path);
  return {
    nameOf: (path) => `s3://${name}/${keyOf(path)}`,
    async list(folder) {
      const found: string[] = [];
      for await (const page of bucket.list(`${keyOf(folder)}/`))
        found.push(...page.map(({ key }) => key.slice(prefix === '' ? 0 : prefix.length + 1)));
      return found;
    },
    fetch: (path, to) => bucket.fetch(keyOf(path), to),
    put: (path, from) => bucket.putFile(keyOf(path), from),
    remove: (path) => bucket.remove(keyOf(path)),
  };
}

interface Address {
  readonly bucket: string;
  readonly prefix: string;
}

/**
 * Creates the storage of exports in a bucket. The manifest is written last, and only if no object has its name: for an
 * abandoned export `settle` creates a placeholder with that name, so that a late writer cannot publish it.
 */
export function createS3OutputStorage(
  bucket: BucketClient,
  { bucket: name, prefix }: Address,
): OutputStorage {
  const keyOf = ({ folder, name }: Pick<Delivery, 'folder' | 'name'>, file = '') =>
    joinObjectKey(prefix, folder, name, file);
  const manifestAt = async (delivery: Delivery) => await bucket.text(keyOf(delivery, manifestFileName));
  return {
    nameOf: (delivery) => `s3://${name}/${keyOf(delivery)}`,

    async freeName(folder, wanted) {
      for (let n = 1; ; n += 1) {
        const name = n === 1 ? wanted : `${wanted}-${n}`;
        if ((await bucket.text(keyOf({ folder, name }, manifestFileName))) === undefined) return name;
      }
    },

    async bring(delivery, from) {
      for (const file of filesOf(from)) await bucket.putFile(keyOf(delivery, file), join(from, file));
    },

    async publish(delivery, from) {
      const manifest = readFileSync(join(from, manifestFileName), 'utf8');
      if (await bucket.putNew(keyOf(delivery, manifestFileName), manifest)) return;
      // The response to an earlier attempt may have been lost.
      if (runOf(await manifestAt(delivery)) !== delivery.run) {
        throw new Error(`${keyOf(delivery)} was given up, or is another export's`);
      }
    },

    async settle(delivery) {
      const there = await manifestAt(delivery);
      if (there !== undefined) return runOf(there) === delivery.run;
      const given = JSON.stringify({ abandoned: delivery.run });
      if (!(await bucket.putNew(keyOf(delivery, manifestFileName), given)))
        return runOf(await manifestAt(delivery)) === delivery.run;
      const manifest = keyOf(delivery, manifestFileName);
      for await (const page of bucket.list(`${keyOf(delivery)}/`))
        for (const { key } of page) if (key !== manifest) await bucket.remove(key);
      return false;
    },

    tidy: (_delivery, keep) =>
      Promise.resolve(
        keep === undefined ? [] : ['`keep` removes nothing in a bucket: every export stays there.'],
      ),
  };
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== manifestFileName)
    .map(({ name }) => name);
}

/** Returns the run of a manifest; undefined for a missing or invalid one. */
function runOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data?.run;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
