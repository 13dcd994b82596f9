import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, posix, relative, sep } from 'node:path';
import { isLiveWorkspaceInput } from '../../app/run/input.ts';
import { listEnvVariablesToAllow } from '../../app/run/variables.ts';
import type { ScheduleHost } from '../../app/schedule/job.ts';
import { listPipelineEnvVariables } from '../../app/schedule/variables.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { tryParseUrl } from '../../model/parse-url.ts';
import type { LoadedExportPipeline } from '../../pipeline/export-settings.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { parseWorkspaceAccessOptions } from '../../sources/workspace/options.ts';
import type { Fleet } from '../fleet-file/fleet.ts';
import { createAssignedPipelineLoader } from '../fleet-file/pipelines.ts';
import { fleetDatabaseVariable, fleetKeyVariable } from '../variables.ts';
import type {
  MountedPath,
  MountedStorage,
  MountedTextFile,
  MountedTokenFile,
  MountedTokenGroup,
  WorkerDeployment,
  WorkerEnvVariable,
} from './deployment.ts';

type Asked = Pick<WorkerDeployment, 'image' | 'workers'> & { readonly concurrency: number | undefined };

/**
 * Collects the files, variables and folders that the workers of a fleet need. `database` is the database's URL, whose
 * port workers connect to; undefined for the default port. Throws a FatalError (usage) if a pipeline has inputs or
 * exports that only this machine has.
 */
export async function buildWorkerDeployment(
  fleet: Fleet,
  { image, workers, concurrency }: Asked,
  machine: ScheduleHost,
  database: string | undefined,
): Promise<WorkerDeployment> {
  const { paths, variables, addresses } = await needsOf(fleet);
  const texts = [...paths].map((host) => ({ host, text: readFileSync(host, 'utf8') }));
  const place = containerPaths(fleet.file, texts);
  const files = texts.map(({ host, text }) => ({ ...place(host), text }));
  const places = placeFolders(fleet, place);
  return {
    ...{ image, workers, machine, files, places },
    concurrency: concurrency ?? fleet.limits.perMachine,
    fleetFile: place(fleet.file),
    tokens: tokenFiles(fleet, place, [...paths, ...places.map(({ host }) => host)]),
    variables: [...variables].map(([name, required]): WorkerEnvVariable => ({ name, required })),
    allowEnv: listEnvVariablesToAllow([...variables.keys()]),
    ports: [...new Set([443, databasePort(database), ...addresses.map(portOf)])].sort((a, b) => a - b),
  };
}

interface Needs {
  readonly paths: Set<string>;
  /** The variables by name, true for a required one. */
  readonly variables: Map<string, boolean>;
  readonly addresses: string[];
}

async function needsOf(fleet: Fleet): Promise<Needs> {
  const needs: Needs = {
    paths: new Set([fleet.file]),
    variables: new Map([
      [fleetDatabaseVariable, true],
      [fleetKeyVariable, true],
    ]),
    addresses: fleet.workspaces.map(({ baseUrl }) => baseUrl),
  };
  const { paths, variables, addresses } = needs;
  for (const { token } of fleet.workspaces) if ('env' in token) variables.set(token.env, true);
  for (const place of Object.values(fleet.places)) {
    if (place?.kind !== 'bucket') continue;
    variables.set(place.accessKeyEnv, true).set(place.secretKeyEnv, true);
    addresses.push(place.endpoint);
  }
  if (fleet.alerts !== undefined) {
    addOptional(variables, fleet.alerts.secretEnv);
    addresses.push(fleet.alerts.url);
  }
  const loadAssigned = createAssignedPipelineLoader(fleet);
  for (const assignment of fleet.assignments) {
    const loaded = await loadAssigned(assignment);
    paths.add(assignment.file);
    addPipeline(needs, loaded, fleet);
  }
  return needs;
}

function addPipeline(
  { paths, variables, addresses }: Needs,
  loaded: LoadedImportPipeline | LoadedExportPipeline,
  { file, places }: Fleet,
): void {
  assertPlaced(loaded, file, places);
  if ('import' in loaded) {
    paths.add(loaded.import.mapping.file);
    if (isLiveWorkspaceInput(loaded))
      addresses.push(parseWorkspaceAccessOptions(loaded.import.source.options).baseUrl ?? '');
  }
  const { notify } = 'import' in loaded ? loaded.import : loaded.export;
  if (notify !== undefined) addresses.push(notify.url);
  // With the target `sandbox`, the list omits the variables of a target workspace: the fleet itself sets that
  // workspace.
  for (const { name, required } of listPipelineEnvVariables(loaded, 'sandbox', () => undefined))
    if (required) variables.set(name, true);
    else addOptional(variables, name);
}

function addOptional(variables: Map<string, boolean>, name: string): void {
  if (!variables.has(name)) variables.set(name, false);
}

/**
 * Throws a FatalError (usage) if a pipeline reads input files or writes exports and `places` sets no storage for them:
 * other machines lack the pipeline's folder.
 */
function assertPlaced(
  loaded: LoadedImportPipeline | LoadedExportPipeline,
  fleetFile: string,
  { inputs, outputs }: Fleet['places'],
): void {
  const missing =
    'export' in loaded
      ? outputs === undefined && 'outputs'
      : inputs === undefined &&
        !isLiveWorkspaceInput(loaded) &&
        loaded.import.source.path !== null &&
        'inputs';
  if (missing === false) return;
  throw new FatalError('usage', `places.${missing} is not set, and ${loaded.file} has files there.`, {
    place: { file: fleetFile },
    next: `Set places.${missing} to a folder that all workers share, or to a bucket.`,
  });
}

/**
 * Returns the shared folders to mount: those that are not inside another one. A mount is writable if its folder, or a
 * shared folder inside it, must be writable.
 */
function placeFolders({ places }: Fleet, place: (host: string) => MountedPath): readonly MountedStorage[] {
  const folders = (['inputs', 'outputs', 'results'] as const).flatMap((name) => {
    const found = places[name];
    return found?.kind === 'folder' ? [{ ...place(found.path), name, writable: name !== 'inputs' }] : [];
  });
  return folders.flatMap((folder, index) => {
    const reached = (other: MountedStorage) =>
      other.host === folder.host || findRelativePathBelow(folder.host, other.host) !== undefined;
    const above = folders.some(
      ({ host }, at) =>
        findRelativePathBelow(host, folder.host) !== undefined || (at < index && host === folder.host),
    );
    return above ? [] : [{ ...folder, writable: folders.some((other) => other.writable && reached(other)) }];
  });
}

/**
 * Groups the token files by mount: a folder with the tokens of all workspaces if it has no other file of the fleet,
 * otherwise single files.
 */
function tokenFiles(
  { workspaces }: Fleet,
  place: (host: string) => MountedPath,
  others: readonly string[],
): readonly MountedTokenGroup[] {
  const holds = (folder: string) =>
    others.some((path) => path === folder || findRelativePathBelow(folder, path) !== undefined);
  const groups = new Map<string | undefined, MountedTokenFile[]>();
  for (const { name: workspace, token } of workspaces) {
    if ('env' in token) continue;
    const folder = token.shared === undefined || holds(token.shared) ? undefined : token.shared;
    const group = groups.get(folder) ?? [];
    group.push({ ...place(token.file), workspace });
    groups.set(folder, group);
  }
  return [...groups].map(([folder, files]) => ({
    folder: folder === undefined ? undefined : place(folder),
    files,
  }));
}

const usualDatabasePort = 5_432;

function databasePort(url: string | undefined): number {
  return Number(tryParseUrl(url ?? '')?.port || usualDatabasePort);
}

function portOf(address: string): number {
  const url = tryParseUrl(address);
  return Number(url?.port || (url?.protocol === 'http:' ? 80 : 443));
}

/** The path of the fleet file's folder in a container, unless the folder must have the same path as on this machine. */
const usualHome = '/fleet';

/** Returns a path relative to a folder, with slashes; undefined if it is not below that folder. */
export function findRelativePathBelow(folder: string, path: string): string | undefined {
  const inside = relative(folder, path);
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    return undefined;
  return inside.split(sep).join('/');
}

/**
 * Returns a function that maps a path to its path in a container: paths below the folder of the fleet file
 * move to /fleet, all others are unchanged. If a file has a path that the move would break, such as
 * `../pipelines`, the folder of the fleet file is unchanged, too.
 */
function containerPaths(
  fleetFile: string,
  files: readonly Pick<MountedTextFile, 'host' | 'text'>[],
): (host: string) => MountedPath {
  const home = dirname(fleetFile);
  const containerHome = files.every((file) => staysBelow(home, file)) ? usualHome : home;
  return (host) => {
    if (host === home) return { host, container: containerHome };
    const inside = findRelativePathBelow(home, host);
    return { host, container: inside === undefined ? host : posix.join(containerHome, inside) };
  };
}

/** True if the paths in a file lead to the same files after `home` is moved; false if that is uncertain. */
function staysBelow(home: string, { host, text }: Pick<MountedTextFile, 'host' | 'text'>): boolean {
  const depth = (findRelativePathBelow(home, host) ?? '').split('/').length - 1;
  const ups = [...text.matchAll(/(?:\.\.[\\/])+/g)].map(([run]) => run.length / '../'.length);
  return !text.includes(home) && ups.every((up) => up <= depth);
}
