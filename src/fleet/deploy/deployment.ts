import type { Machine, ScheduleFile } from '../../runs/schedule/job.ts';

/** Workers of a fleet, as whoever runs them has to know them. */
export interface WorkerDeployment {
  /** The folder of the fleet file; every path of `files` is below it. */
  readonly root: string;
  readonly fleetFile: string;
  /** The fleet file and what it names: pipelines, mappings. */
  readonly files: readonly FleetText[];
  /** Files with a token each; they are secret, and read where they are. */
  readonly tokens: readonly string[];
  /** Environment variables that a worker reads: all are secret or depend on the machine. */
  readonly variables: readonly FleetVariable[];
  /** Shared folders that a worker reads from or writes into. */
  readonly folders: readonly string[];
  readonly image: string;
  readonly workers: number;
  /** Jobs at once in a worker; undefined for what the fleet file says. */
  readonly concurrency: number | undefined;
  /** Those of its variables that --allow-env has to name. */
  readonly allowEnv: readonly string[];
  readonly machine: Machine;
}

export interface FleetText {
  readonly path: string;
  readonly text: string;
}

export interface FleetVariable {
  readonly name: string;
  readonly required: boolean;
}

export type DeployFile = ScheduleFile;

/** Where a worker answers probes and Prometheus, unless its port is its own name. */
export const healthPort = 9_464;

/** A drain lets requests in flight finish, ships the journals, and sends alerts. */
export const drainSeconds = 120;

/** What is typed behind the command's main file. */
export function workerWords(
  { concurrency, allowEnv }: Pick<WorkerDeployment, 'concurrency' | 'allowEnv'>,
  where: { readonly fleetFile: string; readonly workDir: string; readonly port: string },
): readonly string[] {
  return [
    ...['worker', where.fleetFile, '--work-dir', where.workDir, '--port', where.port],
    ...(concurrency === undefined ? [] : ['--concurrency', String(concurrency)]),
    ...(allowEnv.length === 0 ? [] : ['--allow-env', allowEnv.join(',')]),
  ];
}
