import type { FilePlace } from '../place.ts';
import type { Bucket } from './bucket.ts';
import { joined } from './s3-inputs.ts';

/** Files in a bucket. */
export function s3Files(
  bucket: Bucket,
  { bucket: name, prefix }: { readonly bucket: string; readonly prefix: string },
): FilePlace {
  const keyOf = (path: string) => joined(prefix, path);
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
