import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandWithoutFlags, hint } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';

/** The content of the file that marks a work dir as a fleet's. */
export interface FleetMarker {
  /** The name of the workspace in the fleet. */
  readonly workspace: string;
  /**
   * The ids of all removals by `forget` that this work dir reflects. All are kept, because a database that was restored
   * from a backup may know only some of them.
   */
  readonly forgotten: readonly string[];
}

const nameIn = (workDir: string) => join(workDir, 'fleet-workspace');

/** The file that marks a work dir as a fleet's; removing it takes the work dir out of the fleet. */
export const fleetMarkerStore = {
  /** Returns the marker; undefined for a work dir that belongs to no fleet. */
  read(workDir: string): FleetMarker | undefined {
    const path = nameIn(workDir);
    if (!existsSync(path)) return undefined;
    const [workspace = '', ...forgotten] = readFileSync(path, 'utf8').trim().split('\n');
    return { workspace, forgotten };
  },
  write(workDir: string, { workspace, forgotten }: FleetMarker): void {
    const part = `${nameIn(workDir)}.part`;
    writeFileSync(part, `${[workspace, ...forgotten].join('\n')}\n`, { mode: 0o600 });
    renameSync(part, nameIn(workDir));
  },
};

/**
 * Throws a FatalError('usage') if a work dir belongs to a fleet. The fleet's next job may replace this journal by the
 * database's copy, so work that a command recorded only here would be lost and done again.
 */
export function assertNotFleetWorkDir(workDir: string): void {
  const mark = fleetMarkerStore.read(workDir);
  if (mark === undefined) return;
  const { workspace } = mark;
  throw new FatalError(
    'usage',
    'this work dir belongs to a fleet, and only the jobs of its workers change anything here: what a command does here is lost with the next job, and is then done again. Nothing was changed.',
    {
      place: { file: workDir },
      next: hint`To run a pipeline: ${commandWithoutFlags('fleet', 'run', workspace, 'PIPELINE')}
To forget a person: ${commandWithoutFlags('fleet', 'forget', 'PERSON', workspace)}
To take the work dir out of the fleet: docs/fleet.md, "Commands in a worker's work dir"`,
    },
  );
}
