import { dirname, isAbsolute, posix, relative, sep } from 'node:path';
import type { FleetText, Placed } from './deployment.ts';

/** Where a container has the folder of the fleet file, unless it has to be where it is on this machine. */
const usualHome = '/fleet';

/** The path of a file from a folder that it is below, with slashes; undefined where it is not below it. */
export function pathBelow(folder: string, path: string): string | undefined {
  const inside = relative(folder, path);
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    return undefined;
  return inside.split(sep).join('/');
}

/**
 * Where a container has the paths of a fleet: what is below the folder of the fleet file is below /fleet, whichever checkout
 * it comes from, and everything else is where it is on this machine. So each path leads to the same file for a worker there.
 * Where it would not, as `../pipelines` in the fleet file, its folder is where it is on this machine, too.
 */
export function containerPaths(
  fleetFile: string,
  files: readonly Pick<FleetText, 'host' | 'text'>[],
): (host: string) => Placed {
  const home = dirname(fleetFile);
  const containerHome = files.every((file) => staysBelow(home, file)) ? usualHome : home;
  return (host) => {
    if (host === home) return { host, container: containerHome };
    const inside = pathBelow(home, host);
    return { host, container: inside === undefined ? host : posix.join(containerHome, inside) };
  };
}

/** Whether the paths in a file would lead to the same files if `home` were another folder; rather no than a wrong yes. */
function staysBelow(home: string, { host, text }: Pick<FleetText, 'host' | 'text'>): boolean {
  const depth = (pathBelow(home, host) ?? '').split('/').length - 1;
  const ups = [...text.matchAll(/(?:\.\.[\\/])+/g)].map(([run]) => run.length / '../'.length);
  return !text.includes(home) && ups.every((up) => up <= depth);
}
