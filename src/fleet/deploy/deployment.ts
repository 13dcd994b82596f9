import { createHash } from 'node:crypto';
import type { Machine, ScheduleFile } from '../../app/schedule/job.ts';

/** A file or folder of this machine, and where a container has it. */
export interface MountedPath {
  readonly host: string;
  readonly container: string;
}

/** The workers of a fleet, as a deployment file describes them. */
export interface WorkerDeployment {
  readonly fleetFile: MountedPath;
  /** The fleet file and what it names: pipelines, mappings. */
  readonly files: readonly FleetText[];
  /** Files with a token each; they are secret. */
  readonly tokens: readonly TokenFiles[];
  /** Environment variables that a worker reads: all are secret or depend on the machine. */
  readonly variables: readonly FleetVariable[];
  /** The shared folders; none is below another one. */
  readonly places: readonly MountedPlace[];
  /** Undefined for systemd, which needs none. */
  readonly image: string | undefined;
  readonly workers: number;
  /** Jobs at once in a worker. */
  readonly concurrency: number;
  /** Those of its variables that --allow-env has to name. */
  readonly allowEnv: readonly string[];
  /** TCP ports that a worker connects to. */
  readonly ports: readonly number[];
  readonly machine: Machine;
}

export interface FleetText extends MountedPath {
  readonly text: string;
}

/** Tokens that are mounted together: one folder with a file for each workspace, or single files anywhere. */
export interface TokenFiles {
  /** Undefined for single files. */
  readonly folder: MountedPath | undefined;
  readonly files: readonly TokenFile[];
}

export interface TokenFile extends MountedPath {
  readonly workspace: string;
}

export interface MountedPlace extends MountedPath {
  readonly name: 'inputs' | 'outputs' | 'results';
  readonly writable: boolean;
}

export interface FleetVariable {
  readonly name: string;
  readonly required: boolean;
}

export type DeployFile = ScheduleFile;

/** The user of the image. */
export const containerUser = 1_000;

/** The volume of a container that has its work dir. */
export const containerVolume = '/work';

/** A folder of the worker's own: everybody may write to an emptyDir, and no worker uses such a work dir. */
export const containerWorkDir = `${containerVolume}/longshore`;

/** Where a worker answers probes and Prometheus, unless its port is its own name. */
export const healthPort = 9_464;

/** A drain lets requests in flight finish, ships the journals, and sends alerts. */
export const drainSeconds = 120;

/** Returns the memory of a worker with all its jobs at work, in MiB, as docs/fleet.md sizes it. */
export function workerMemory({ concurrency }: Pick<WorkerDeployment, 'concurrency'>): number {
  return 150 + 200 * concurrency;
}

/** Returns the arguments of the command's main file. */
export function workerArguments(
  { concurrency, allowEnv }: Pick<WorkerDeployment, 'concurrency' | 'allowEnv'>,
  where: { readonly fleetFile: string; readonly workDir: string; readonly port: string },
): readonly string[] {
  return [
    ...['worker', where.fleetFile, '--work-dir', where.workDir, '--port', where.port],
    ...['--concurrency', String(concurrency)],
    ...(allowEnv.length === 0 ? [] : ['--allow-env', allowEnv.join(',')]),
  ];
}

/** Returns the arguments of the image's command; probes come from outside of the container. */
export function containerArguments(deployment: WorkerDeployment): readonly string[] {
  const where = {
    fleetFile: deployment.fleetFile.container,
    workDir: containerWorkDir,
    port: String(healthPort),
  };
  return [...workerArguments(deployment, where), '--host', '0.0.0.0'];
}

/** A file of the variables, to be filled in; `head` are its comments. */
export function variablesText({ variables }: WorkerDeployment, head: readonly string[]): string {
  const lines = variables.map(({ name, required }) => (required ? `${name}=` : `# ${name}=`));
  return `${[...head.map((line) => `# ${line}`), ...lines].join('\n')}\n`;
}

/** Returns a hash of the files, by which new files start new workers. */
export function hashOf(files: readonly FleetText[]): string {
  const hash = createHash('sha256');
  for (const { container, text } of files) hash.update(JSON.stringify([container, text]));
  return hash.digest('hex');
}
