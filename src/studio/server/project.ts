import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Refusal } from './refusal.ts';

const signs = ['pipelines', 'mappings', '.longshore'];

/**
 * The project that a file or a folder is in: the nearest folder above with pipelines, mappings or a work dir, else the
 * folder itself. The search ends at the home folder, of which nobody wants to show everything.
 */
export function projectFolder(from: string, home = homedir()): string {
  const path = realpathSync(from);
  const start = statSync(path).isDirectory() ? path : dirname(path);
  for (let folder = start; folder !== home && dirname(folder) !== folder; folder = dirname(folder)) {
    if (signs.some((sign) => existsSync(join(folder, sign)))) return folder;
  }
  return start;
}

/** The one way to a file: nothing outside of the project and its work dir is found, wherever a link leads. */
export class ProjectFiles {
  /** Absolute, without links. */
  readonly folder: string;
  /** Absolute; it need not be there yet. */
  readonly workDir: string;

  constructor(folder: string, workDir: string) {
    this.folder = realpathSync(folder);
    this.workDir = resolve(workDir);
  }

  /** The absolute path, without links, of what is there; throws a Refusal where that is outside or not there. */
  existing(path: string): string {
    const place = this.place(path);
    if (existsSync(place)) return place;
    throw new Refusal(404, `There is no ${path}.`, { next: 'It may have been moved: reload the page.' });
  }

  /** The same for what may be about to be written. */
  place(path: string): string {
    if (path.includes('\0') || isAbsolute(path) || /^[A-Za-z]:|\\/.test(path)) throw outside(path);
    const place = this.#inner(path);
    if (place === undefined) throw outside(path);
    return place;
  }

  /** A path as the page names it: from the project folder, with slashes. */
  named(path: string): string {
    return relative(this.folder, path).split(sep).join('/');
  }

  /** The same for a path that a file or the journal names; undefined for one that is outside. */
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

/** Without links, as far as it is there; undefined where a link leads to nothing, and nobody knows to where it will. */
function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Not there, or not for this user: then what is above it decides.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
    const above = dirname(path);
    const found = above === path ? path : real(above);
    return found === undefined ? undefined : join(found, path.slice(above.length));
  }
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function outside(path: string): Refusal {
  return new Refusal(403, `${JSON.stringify(path)} is not in the project folder.`, {
    next: 'Move it there, or start the studio in the folder that has it.',
  });
}
