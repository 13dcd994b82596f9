import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { shellQuoted } from '../model/shell-quoted.ts';

/** What decides how this command is typed. */
export interface ProcessSurroundings {
  /** The file that Node runs. */
  readonly main: string;
  readonly cwd: string;
  /** The folders of PATH. */
  readonly path: readonly string[];
}

/**
 * What is typed to run this very program again: `npx longshore` only where npx finds it in a project above the current
 * folder (elsewhere npx would fetch whatever the registry has under that name), else the global command, else its path.
 */
export function programName({ main, cwd, path }: ProcessSurroundings): string {
  const real = realPath(main);
  if (real === undefined) return `node ${shellQuoted(main)}`;
  if (isLocal(real, cwd)) return 'npx longshore';
  // What npm and npx put in front of PATH for their own child is not there in the user's shell.
  const own = path.filter((folder) => !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder));
  const [first] = own.flatMap((folder) => realPath(join(folder, 'longshore')) ?? []);
  return first === real ? 'longshore' : `node ${shellQuoted(real)}`;
}

export function readSurroundings(): ProcessSurroundings {
  const [, main = ''] = process.argv;
  return { main, cwd: process.cwd(), path: (process.env.PATH ?? '').split(delimiter).filter(Boolean) };
}

/** Whether npx, which looks in the nearest folder above with a package.json or node_modules, finds this program. */
function isLocal(main: string, cwd: string): boolean {
  const root = dirname(dirname(dirname(main)));
  for (let folder = cwd; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (realPath(folder) === root) return true;
    if (existsSync(modules) || existsSync(join(folder, 'package.json'))) {
      const installed = realPath(join(modules, 'longshore', 'dist', 'command', 'main.js'));
      return realPath(join(modules, '.bin', 'longshore')) === main || installed === main;
    }
    if (dirname(folder) === folder) return false;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // It is not there, or not for this user: then this is not how the program was found.
    return undefined;
  }
}
