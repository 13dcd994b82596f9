import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { nearest } from '../model/nearest.ts';

/**
 * `; did you mean "x"?` for a path where nothing is: the file beside it with the nearest name, or the one in a folder of nearly its
 * folder's name. Nothing where none is near. Hidden files are never meant.
 */
export async function didYouMeanPath(path: string): Promise<string> {
  const meant = await pathMeant(path);
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
}

async function pathMeant(path: string): Promise<string | undefined> {
  const [folder, name] = [dirname(path), basename(path)];
  const beside = await visibleNames(folder, 'files');
  if (beside !== undefined) return inFolder(folder, nearestFile(name, beside));
  const folders = await visibleNames(dirname(folder), 'folders');
  const meant = inFolder(dirname(folder), nearest(basename(folder), folders ?? []));
  const names = meant === undefined ? undefined : await visibleNames(meant, 'files');
  if (meant === undefined || names === undefined) return undefined;
  return inFolder(meant, nearestFile(name, names));
}

/** By the name alone: all that ends in `.yaml` is alike at its end. Of several with one name that with the same ending. */
function nearestFile(name: string, names: readonly string[]): string | undefined {
  const ending = extname(name);
  const alikeFirst = [...names].sort((a, b) => Number(extname(b) === ending) - Number(extname(a) === ending));
  const stem = nearest(stemOf(name), names.map(stemOf));
  return stem === undefined ? undefined : alikeFirst.find((each) => stemOf(each) === stem);
}

function stemOf(name: string): string {
  return basename(name, extname(name));
}

function inFolder(folder: string, name: string | undefined): string | undefined {
  return name === undefined ? undefined : join(folder, name);
}

/** The names in a folder, sorted, without hidden ones; undefined where it is not there or closed to us. */
export async function visibleNames(
  folder: string,
  kind: 'files' | 'folders',
): Promise<readonly string[] | undefined> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const wanted = entries.filter((entry) => (kind === 'files' ? entry.isFile() : entry.isDirectory()));
    return wanted.flatMap(({ name }) => (name.startsWith('.') ? [] : [name])).sort();
  } catch {
    return undefined;
  }
}
