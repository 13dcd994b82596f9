/** How an input is packed: one of the ways that are read, or the name of one that is not. */
export type Packing = 'plain' | 'gzip' | 'zip' | 'tar' | { readonly unread: string };

/** So many bytes of an input show how it is packed. */
export const packingBytes = 512;

const unread: readonly (readonly [name: string, ...marks: string[]])[] = [
  // The digits of pi, or the end at once: a text may begin with "BZh", too.
  ['bzip2', ...[1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((n) => [`BZh${n}1AY&SY`, `BZh${n}\x17rE8P\x90`])],
  ['xz', '\xfd7zXZ\0'],
  ['zstd', '\x28\xb5\x2f\xfd'],
  ['7-Zip', "7z\xbc\xaf'\x1c"],
  ['RAR', 'Rar!\x1a\x07'],
];

const zipMarks = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];

/** How the input that begins with these bytes is packed; its name says nothing. */
export function packingOf(head: Buffer): Packing {
  const signs = head.toString('latin1');
  if (signs.startsWith('\x1f\x8b\x08')) return 'gzip';
  if (zipMarks.some((mark) => signs.startsWith(mark))) return 'zip';
  if (signs.startsWith('ustar', 257)) return 'tar';
  const found = unread.find(([, ...marks]) => marks.some((mark) => signs.startsWith(mark)));
  return found === undefined ? 'plain' : { unread: found[0] };
}
