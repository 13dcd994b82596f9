import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { nearest } from '../model/nearest.ts';

/** The kinds of entry that a path may name. */
type Kind = 'files' | 'folders' | 'files and folders';

/**
 * `; did you mean "x"?` for a path where nothing is: what is beside it with the nearest name, the file of its name in a folder
 * below, or the one in a folder of nearly its folder's name. Nothing where none is near. Hidden files are never meant.
 */
export function didYouMeanPath(path: string, kind: Kind = 'files'): string {
  const meant = pathMeant(path, kind);
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
}

function pathMeant(path: string, kind: Kind): string | undefined {
  const [folder, name] = [dirname(path), basename(path)];
  const beside = visibleNames(folder, kind);
  if (beside !== undefined) return inFolder(folder, nearestName(name, beside)) ?? below(folder, name);
  const folders = visibleNames(dirname(folder), 'folders');
  const meant = inFolder(dirname(folder), nearest(basename(folder), folders ?? []));
  const names = meant === undefined ? undefined : visibleNames(meant, kind);
  if (meant === undefined || names === undefined) return undefined;
  return inFolder(meant, nearestName(name, names));
}

/** The file of this very name one folder further down: a pipeline that is typed without its folder. */
function below(folder: string, name: string): string | undefined {
  const holder = visibleNames(folder, 'folders')?.find((each) =>
    visibleNames(join(folder, each), 'files')?.includes(name),
  );
  return holder === undefined ? undefined : join(folder, holder, name);
}

/** By the name alone: all that ends in `.yaml` is alike at its end. Of several with one name that with the same ending. */
function nearestName(name: string, names: readonly string[]): string | undefined {
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
export function visibleNames(folder: string, kind: Kind): readonly string[] | undefined {
  try {
    const wanted = readdirSync(folder, { withFileTypes: true }).filter(
      (entry) => (kind !== 'folders' && entry.isFile()) || (kind !== 'files' && entry.isDirectory()),
    );
    return wanted.flatMap(({ name }) => (name.startsWith('.') ? [] : [name])).sort();
  } catch {
    return undefined;
  }
}
