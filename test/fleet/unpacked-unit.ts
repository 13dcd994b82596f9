import { join } from 'node:path';
import type { ContainerOptions, Mount } from './container.ts';
import { variablesIn } from './unpacked-compose.ts';

export interface InstalledUnit {
  readonly unit: string;
  /** What is in its EnvironmentFile. */
  readonly variables: string;
  /** What stands for /var/lib; it has the folder of the instance. */
  readonly state: string;
  readonly instance: number;
  /** What stands for the user of the unit. */
  readonly user: number;
}

/** What systemd would start of this unit: this machine's files, read-only but for its state and ReadWritePaths. */
export function unitContainer({ unit, variables, state, instance, user }: InstalledUnit): ContainerOptions {
  const all = (key: string) =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value ?? '');
  const one = (key: string) => {
    const [value, ...more] = all(key);
    if (value === undefined || more.length > 0) throw new Error(`the unit has not one ${key}=`);
    return value;
  };
  const specified = (text: string) =>
    text.replaceAll(/%(.)/g, (whole, letter: string) => {
      const value = { '%': '%', i: String(instance), S: state }[letter];
      if (value === undefined) throw new Error(`what is ${whole}?`);
      return value;
    });
  const writable = all('ReadWritePaths').flatMap((line) => wordsOf(line).map(specified));
  const own = join(state, specified(one('StateDirectory')));
  const mounts = [...writable, own].map((path): Mount => ({ source: path, target: path, readOnly: false }));
  const set = all('Environment').map(specified);
  // Only the words of a command line double the dollar.
  const command = wordsOf(one('ExecStart')).map((each) => specified(each).replaceAll('$$', '$'));
  return {
    ownRoot: true,
    ...{ mounts, user, command },
    env: { PATH: '/usr/bin:/bin', ...variablesIn(set.join('\n')), ...variablesIn(variables) },
    workingDir: specified(one('WorkingDirectory')),
  };
}

/** The words of a line, in which quotes keep spaces and a backslash keeps what follows it. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll(/\\(.)/g, '$1'),
  );
}
