import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Invocation } from '../app/run/command-line.ts';
import { quoteForShell } from '../model/shell-quoted.ts';

/** The environment that determines how this program is typed. */
export interface InvocationEnvironment {
  /** The file that Node runs. */
  readonly main: string;
  readonly cwd: string;
  /** The folders of PATH. */
  readonly path: readonly string[];
}

/**
 * Returns the text that runs this program again: `npx longshore` where npx finds it in a project above the current
 * folder (elsewhere npx would fetch a package of that name), else the global command, else `node` with its path.
 */
export function resolveProgramCommand({ main, cwd, path }: InvocationEnvironment): string {
  const real = realPath(main);
  if (real === undefined) return `node ${quoteForShell(main)}`;
  if (isLocal(real, cwd)) return 'npx longshore';
  // npm and npx prepend folders to PATH for their child processes; the PATH of the user's shell lacks these.
  const own = path.filter((folder) => !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder));
  const [first] = own.flatMap((folder) => realPath(join(folder, 'longshore')) ?? []);
  return first === real ? 'longshore' : `node ${quoteForShell(real)}`;
}

/** Returns the program name and the typed words of this call, without the options, which are not parsed yet. */
export function readUnparsedInvocation(typed: readonly string[]): Invocation {
  return { program: resolveProgramCommand(readInvocationEnvironment()), words: typed, allowEnv: [] };
}

/** Returns the environment of this process. */
export function readInvocationEnvironment(): InvocationEnvironment {
  const [, main = ''] = process.argv;
  return { main, cwd: process.cwd(), path: (process.env.PATH ?? '').split(delimiter).filter(Boolean) };
}

/**
 * Returns true if npx finds this program from `cwd`: it looks in the nearest folder above with a package.json or
 * node_modules.
 */
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
    // A path that is missing or cannot be read does not lead to this program.
    return undefined;
  }
}
