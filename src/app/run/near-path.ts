import { isAbsolute, relative } from 'node:path';

/** Returns a path as a user in this folder would type it. */
export function nearPath(path: string): string {
  if (!isAbsolute(path)) return path;
  const near = relative('', path);
  return near.startsWith('..') ? path : near;
}
