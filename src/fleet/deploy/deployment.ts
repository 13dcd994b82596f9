import { createHash } from 'node:crypto';
import type { ScheduleFile, ScheduleHost } from '../../app/schedule/job.ts';

/** The path of a file or folder on this machine and in a container. */
export interface MountedPath {
  readonly host: string;
  readonly container: string;
}

/** The workers of a fleet, as a deployment file describes them. */
export interface WorkerDeployment {
  readonly fleetFile: MountedPath;
  /** The fleet file and what it names: pipelines, mappings. */
  readonly files: readonly MountedTextFile[];
  /** The secret files with one workspace's token each. */
  readonly tokens: readonly MountedTokenGroup[];
  /** The environment variables that a worker reads; their values are secret or differ between machines. */
  readonly variables: readonly WorkerEnvVariable[];
  /** The shared folders; none contains another one. */
  readonly places: readonly MountedStorage[];
  /** The container image; undefined for systemd. */
  readonly image: string | undefined;
  readonly workers: number;
  /** The maximum number of concurrent jobs of a worker. */
  readonly concurrency: number;
  /** The variables that the worker's --allow-env names. */
  readonly allowEnv: readonly string[];
  /** TCP ports that a worker connects to. */
  readonly ports: readonly number[];
  readonly machine: ScheduleHost;
}

export interface MountedTextFile extends MountedPath {
  readonly text: string;
}

/** Token files that are mounted together: a folder with one file for each workspace, or single files. */
export interface MountedTokenGroup {
  /** Undefined for single files. */
  readonly folder: MountedPath | undefined;
  readonly files: readonly MountedTokenFile[];
}

export interface MountedTokenFile extends MountedPath {
  readonly workspace: string;
}

export interface MountedStorage extends MountedPath {
  readonly name: 'inputs' | 'outputs' | 'results';
  readonly writable: boolean;
}

export interface WorkerEnvVariable {
  readonly name: string;
  readonly required: boolean;
}

export type DeploymentFile = ScheduleFile;

/** The user and group id of the image. */
export const containerUserId = 1_000;

/** The path of the container's volume, which has the work dir. */
export const containerVolumePath = '/work';

/**
 * The work dir in a container. It is a subfolder of the volume, because an emptyDir is world-writable and no worker
 * accepts a world-writable work dir.
 */
export const containerWorkDir = `${containerVolumePath}/longshore`;

/** The port of probes and metrics in a container; under systemd the instance name is the port. */
export const healthPort = 9_464;

/** The time limit of a drain (s), which finishes requests in flight, ships the journals and sends alerts. */
export const drainTimeoutSeconds = 120;

/** Returns the memory (MiB) that a worker needs at its maximum number of concurrent jobs. */
export function computeWorkerMemory({ concurrency }: Pick<WorkerDeployment, 'concurrency'>): number {
  return 150 + 200 * concurrency;
}

/** Returns the arguments of the command that runs a worker. */
export function createWorkerArguments(
  { concurrency, allowEnv }: Pick<WorkerDeployment, 'concurrency' | 'allowEnv'>,
  where: { readonly fleetFile: string; readonly workDir: string; readonly port: string },
): readonly string[] {
  return [
    ...['worker', where.fleetFile, '--work-dir', where.workDir, '--port', where.port],
    ...['--concurrency', String(concurrency)],
    ...(allowEnv.length === 0 ? [] : ['--allow-env', allowEnv.join(',')]),
  ];
}

/** Returns the arguments of the image's entry point; the worker listens on all interfaces for probes. */
export function createContainerArguments(deployment: WorkerDeployment): readonly string[] {
  const where = {
    fleetFile: deployment.fleetFile.container,
    workDir: containerWorkDir,
    port: String(healthPort),
  };
  return [...createWorkerArguments(deployment, where), '--host', '0.0.0.0'];
}

/** Formats an environment file with empty values to fill in; `head` is its comment lines. */
export function formatEnvFile({ variables }: WorkerDeployment, head: readonly string[]): string {
  const lines = variables.map(({ name, required }) => (required ? `${name}=` : `# ${name}=`));
  return `${[...head.map((line) => `# ${line}`), ...lines].join('\n')}\n`;
}

/** Returns a SHA-256 of files and their container paths, hexadecimal; when it changes, the workers are restarted. */
export function hashMountedFiles(files: readonly MountedTextFile[]): string {
  const hash = createHash('sha256');
  for (const { container, text } of files) hash.update(JSON.stringify([container, text]));
  return hash.digest('hex');
}
