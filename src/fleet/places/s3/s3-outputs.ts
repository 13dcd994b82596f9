import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestName } from '../../../app/export/folder/manifest.ts';
import type { Delivery, OutputPlace } from '../place.ts';
import type { Bucket } from './bucket.ts';
import { joined } from './s3-inputs.ts';

interface Address {
  readonly bucket: string;
  readonly prefix: string;
}

/**
 * Exports in a bucket. The manifest goes last, and only where there is none: an export that was given up has an object in
 * its place that says so, which whoever comes too late does not overwrite.
 */
export function s3Outputs(bucket: Bucket, { bucket: name, prefix }: Address): OutputPlace {
  const keyOf = ({ folder, name }: Pick<Delivery, 'folder' | 'name'>, file = '') =>
    joined(prefix, folder, name, file);
  const manifestAt = async (delivery: Delivery) => await bucket.text(keyOf(delivery, manifestName));
  return {
    nameOf: (delivery) => `s3://${name}/${keyOf(delivery)}`,

    async freeName(folder, wanted) {
      for (let n = 1; ; n += 1) {
        const name = n === 1 ? wanted : `${wanted}-${n}`;
        if ((await bucket.text(keyOf({ folder, name }, manifestName))) === undefined) return name;
      }
    },

    async bring(delivery, from) {
      for (const file of filesOf(from)) await bucket.putFile(keyOf(delivery, file), join(from, file));
    },

    async publish(delivery, from) {
      const manifest = readFileSync(join(from, manifestName), 'utf8');
      if (await bucket.putNew(keyOf(delivery, manifestName), manifest)) return;
      // An answer that was lost: it is there already.
      if (runOf(await manifestAt(delivery)) !== delivery.run) {
        throw new Error(`${keyOf(delivery)} was given up, or is another export's`);
      }
    },

    async settle(delivery) {
      const there = await manifestAt(delivery);
      if (there !== undefined) return runOf(there) === delivery.run;
      const given = JSON.stringify({ abandoned: delivery.run });
      if (!(await bucket.putNew(keyOf(delivery, manifestName), given)))
        return runOf(await manifestAt(delivery)) === delivery.run;
      const manifest = keyOf(delivery, manifestName);
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
    .filter((entry) => entry.isFile() && entry.name !== manifestName)
    .map(({ name }) => name);
}

/** The run of a manifest; undefined for what is none. */
function runOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null && 'run' in found ? found.run : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
