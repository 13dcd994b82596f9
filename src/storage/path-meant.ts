import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { findNearestWord } from '../model/nearest.ts';

/** The kinds of entry that a path may name. */
type Kind = 'files' | 'folders' | 'files and folders';

/**
 * Returns `; did you mean "x"?` for a path that does not exist, or an empty text where nothing has a similar name. It
 * suggests an entry of the same folder, a file of that name one folder below, or one in a folder with a similar name.
 */
export function formatDidYouMeanPath(path: string, kind: Kind = 'files'): string {
  const meant = pathMeant(path, kind);
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
}

function pathMeant(path: string, kind: Kind): string | undefined {
  const [folder, name] = [dirname(path), basename(path)];
  const beside = listVisibleFolderEntries(folder, kind);
  if (beside !== undefined) return inFolder(folder, nearestName(name, beside)) ?? below(folder, name);
  const folders = listVisibleFolderEntries(dirname(folder), 'folders');
  const meant = inFolder(dirname(folder), findNearestWord(basename(folder), folders ?? []));
  const names = meant === undefined ? undefined : listVisibleFolderEntries(meant, kind);
  if (meant === undefined || names === undefined) return undefined;
  return inFolder(meant, nearestName(name, names));
}

/** Returns the file of that name one folder below, such as a pipeline that is typed without its folder. */
function below(folder: string, name: string): string | undefined {
  const holder = listVisibleFolderEntries(folder, 'folders')?.find((each) =>
    listVisibleFolderEntries(join(folder, each), 'files')?.includes(name),
  );
  return holder === undefined ? undefined : join(folder, holder, name);
}

/**
 * Returns the name whose stem is most similar to that of `name`. Endings are not compared, because a common one such as
 * `.yaml` makes all names alike; but of several names with the found stem, one with the same ending is preferred.
 */
function nearestName(name: string, names: readonly string[]): string | undefined {
  const ending = extname(name);
  const alikeFirst = [...names].sort((a, b) => Number(extname(b) === ending) - Number(extname(a) === ending));
  const stem = findNearestWord(stemOf(name), names.map(stemOf));
  return stem === undefined ? undefined : alikeFirst.find((each) => stemOf(each) === stem);
}

function stemOf(name: string): string {
  return basename(name, extname(name));
}

function inFolder(folder: string, name: string | undefined): string | undefined {
  return name === undefined ? undefined : join(folder, name);
}

/**
 * Returns the sorted names of a folder's entries, without hidden ones; undefined where it is missing or cannot be read.
 */
export function listVisibleFolderEntries(folder: string, kind: Kind): readonly string[] | undefined {
  try {
    const wanted = readdirSync(folder, { withFileTypes: true }).filter(
      (entry) => (kind !== 'folders' && entry.isFile()) || (kind !== 'files' && entry.isDirectory()),
    );
    return wanted.flatMap(({ name }) => (name.startsWith('.') ? [] : [name])).sort();
  } catch {
    return undefined;
  }
}
