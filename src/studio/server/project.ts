import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { HttpError } from './http-error.ts';

const signs = ['pipelines', 'mappings', '.longshore'];

/**
 * Returns the project folder of a file or a folder. The search goes from its folder upwards and ends below
 * the home folder: the first folder with pipelines, mappings or a work dir is the project; if there is none,
 * the folder where the search began.
 */
export function findProjectFolder(from: string, home = homedir()): string {
  const path = realpathSync(from);
  const start = statSync(path).isDirectory() ? path : dirname(path);
  for (let folder = start; folder !== home && dirname(folder) !== folder; folder = dirname(folder)) {
    if (signs.some((sign) => existsSync(join(folder, sign)))) return folder;
  }
  return start;
}

/**
 * Resolves the paths that a page sends; refuses those that lead out of the project and its work dir, also through
 * symbolic links.
 */
export class ProjectPathResolver {
  /** The absolute path of the project folder, without symbolic links. */
  readonly folder: string;
  /** The absolute path of the work dir, which may be missing. */
  readonly workDir: string;

  constructor(folder: string, workDir: string) {
    this.folder = realpathSync(folder);
    this.workDir = resolve(workDir);
  }

  /**
   * Returns the absolute path of an existing file, without symbolic links. Throws an HttpError for a missing one (404)
   * or one outside (403).
   */
  existing(path: string): string {
    const place = this.place(path);
    if (existsSync(place)) return place;
    throw new HttpError(404, `There is no ${path}.`, {
      next: 'It may have been moved or renamed: choose it again.',
    });
  }

  /**
   * Returns the absolute path of a file that may be missing, without symbolic links. Throws an HttpError (403) for one
   * outside.
   */
  place(path: string): string {
    if (path.includes('\0') || isAbsolute(path) || /^[A-Za-z]:|\\/.test(path)) throw outside(path);
    const place = this.#inner(path);
    if (place === undefined) throw outside(path);
    return place;
  }

  /** Returns a path as the page names it: relative to the project folder, with slashes. */
  named(path: string): string {
    return relative(this.folder, path).split(sep).join('/');
  }

  /**
   * Returns a path that comes from a file or the journal as the page names it; undefined for one outside of
   * the project and its work dir.
   */
  nameOfInner(path: string): string | undefined {
    const place = this.#inner(path);
    return place === undefined ? undefined : this.named(place);
  }

  #inner(path: string): string | undefined {
    const place = real(resolve(this.folder, path));
    const workDir = real(this.workDir) ?? this.workDir;
    return place !== undefined && [this.folder, workDir].some((each) => isInside(each, place))
      ? place
      : undefined;
  }
}

/** Returns a path without symbolic links, as far as it exists; undefined for a dangling link. */
function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // If the path is missing or unreadable, only the part of it that exists is resolved.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
    const above = dirname(path);
    const found = above === path ? path : real(above);
    return found === undefined ? undefined : join(found, path.slice(above.length));
  }
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function outside(path: string): HttpError {
  return new HttpError(403, `${JSON.stringify(path)} is not in the project folder.`, {
    next: 'Move it there, or start the studio in the folder that has it.',
  });
}
