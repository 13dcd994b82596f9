import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newKeyText } from './fleet-database.ts';
import { type FleetSite, type OtherMachine, ownFiles } from './fleet-site.ts';
import type { Machine } from './worker-process.ts';

/** A fleet file of JSON, and the folder with it and what it names. */
type FleetFiles = Pick<FleetSite, 'folder' | 'fleetFile'>;

/** A machine that cannot do the jobs of its fleet. */
export interface BadMachine {
  readonly what: string;
  /** What is wrong with the machine; undefined where it cannot be made so here. */
  readonly make: (files: FleetFiles) => OtherMachine | undefined;
  /** What its worker prints of it. */
  readonly says: RegExp;
  /** Fixes it, where that is possible while it runs. */
  readonly fix?: (files: FleetFiles) => void;
}

/** The clock of this process, an hour ahead. */
const anHourAhead = 'const now = Date.now; Date.now = () => now() + 3_600_000;';

const elsewhere = (files: FleetFiles) => join(files.folder, 'other-fleet.yaml');

/** Each takes no job at all. */
export const badMachines: readonly BadMachine[] = [
  {
    what: 'without the token',
    make: () => ({ env: { LONGSHORE_TOKEN: '' } }),
    says: /no token can be used: .*LONGSHORE_TOKEN/,
  },
  {
    what: 'with another key',
    make: () => ({ env: { LONGSHORE_FLEET_KEY: newKeyText() } }),
    says: /LONGSHORE_FLEET_KEY is not the key that the fleet was applied with/,
  },
  {
    what: 'whose clock is an hour ahead',
    make: () => ({
      env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(anHourAhead)}` },
    }),
    says: /the clock of this machine and that of the database differ by 60 minutes/,
  },
  {
    what: 'whose place is not mounted',
    // The same place by its name, on a machine where nothing is mounted there.
    make: (files) => ({ file: ownFiles(files, 'unmounted') }),
    says: /cannot (read|write) places\.(inputs|outputs) \(ENOENT\)/,
    fix: (files) => mkdirSync(join(files.folder, 'unmounted/out')),
  },
  {
    what: 'with a fleet file of other places',
    make: (files) => {
      const text = readFileSync(files.fleetFile, 'utf8');
      writeFileSync(elsewhere(files), text.replace(/"outputs":\s*"out"/, '"outputs":"."'));
      return { file: elsewhere(files) };
    },
    says: /the places of its fleet file differ from the applied ones/,
    fix: (files) => {
      writeFileSync(`${elsewhere(files)}.new`, readFileSync(files.fleetFile));
      renameSync(`${elsewhere(files)}.new`, elsewhere(files));
    },
  },
  {
    what: 'whose disk is full',
    make: (files) => {
      const workDir = join(files.folder, 'small-disk');
      mkdirSync(workDir);
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', workDir], {
          stdio: 'ignore',
        });
      } catch {
        return undefined;
      }
      return { workDir };
    },
    says: /the disk of .* is nearly full/,
  },
];

/** Removes the small disk of a machine, where it has one. */
export function unmount(machine: Machine): void {
  try {
    execFileSync('umount', [machine.workDir], { stdio: 'ignore' });
  } catch {
    // It was not mounted.
  }
}
