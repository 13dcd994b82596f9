import { isAbsolute, relative } from 'node:path';

/** Returns a path as a user would type it in the current folder: relative where the file is inside it. */
export function toDisplayPath(path: string): string {
  if (!isAbsolute(path)) return path;
  const near = relative('', path);
  return near.startsWith('..') ? path : near;
}
