import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { RequestRefusal } from './refusal.ts';

const signs = ['pipelines', 'mappings', '.longshore'];

/**
 * Returns the project of a file or a folder: the nearest folder above with pipelines, mappings or a work dir, else the
 * folder itself. The search ends below the home folder.
 */
export function projectFolder(from: string, home = homedir()): string {
  const path = realpathSync(from);
  const start = statSync(path).isDirectory() ? path : dirname(path);
  for (let folder = start; folder !== home && dirname(folder) !== folder; folder = dirname(folder)) {
    if (signs.some((sign) => existsSync(join(folder, sign)))) return folder;
  }
  return start;
}

/** Resolves the paths that a page sends: none leads out of the project and its work dir, through links neither. */
export class ProjectFiles {
  /** Absolute, without links. */
  readonly folder: string;
  /** Absolute; it need not be there yet. */
  readonly workDir: string;

  constructor(folder: string, workDir: string) {
    this.folder = realpathSync(folder);
    this.workDir = resolve(workDir);
  }

  /** Returns the absolute path, without links, of an existing file; throws a Refusal for a missing one or one outside. */
  existing(path: string): string {
    const place = this.place(path);
    if (existsSync(place)) return place;
    throw new RequestRefusal(404, `There is no ${path}.`, {
      next: 'It may have been moved: reload the page.',
    });
  }

  /** Does the same for a file that need not exist. */
  place(path: string): string {
    if (path.includes('\0') || isAbsolute(path) || /^[A-Za-z]:|\\/.test(path)) throw outside(path);
    const place = this.#inner(path);
    if (place === undefined) throw outside(path);
    return place;
  }

  /** Returns a path as the page names it: from the project folder, with slashes. */
  named(path: string): string {
    return relative(this.folder, path).split(sep).join('/');
  }

  /** Does the same for a path that a file or the journal names; undefined for one outside. */
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

/** Returns a path without links, as far as it exists; undefined where a link leads to nothing yet. */
function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Missing, or not for this user: the folder above decides.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
    const above = dirname(path);
    const found = above === path ? path : real(above);
    return found === undefined ? undefined : join(found, path.slice(above.length));
  }
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function outside(path: string): RequestRefusal {
  return new RequestRefusal(403, `${JSON.stringify(path)} is not in the project folder.`, {
    next: 'Move it there, or start the studio in the folder that has it.',
  });
}
