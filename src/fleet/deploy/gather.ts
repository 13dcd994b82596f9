import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Machine } from '../../runs/schedule/job.ts';
import { variablesOf } from '../../runs/schedule/variables.ts';
import { foreignVariables } from '../../wiring/variables.ts';
import { keyVariable } from '../crypt/key.ts';
import { databaseVariable } from '../database/connect.ts';
import type { Fleet } from '../fleet-file/fleet.ts';
import { assignedLoader } from '../fleet-file/pipelines.ts';
import type { FleetVariable, WorkerDeployment } from './deployment.ts';

type Asked = Pick<WorkerDeployment, 'image' | 'workers' | 'concurrency'>;

/** What the workers of a fleet need, wherever they run: files, variables, folders. */
export async function deploymentOf(fleet: Fleet, asked: Asked, machine: Machine): Promise<WorkerDeployment> {
  const paths = new Set([fleet.file]);
  const variables = new Map<string, boolean>([
    [databaseVariable, true],
    [keyVariable, true],
  ]);
  const tokens: string[] = [];
  for (const { token } of fleet.workspaces) {
    if ('env' in token) variables.set(token.env, true);
    else tokens.push(token.file);
  }
  const places = [fleet.places.inputs, fleet.places.outputs, fleet.places.results];
  for (const place of places) {
    if (place?.kind !== 'bucket') continue;
    variables.set(place.accessKeyEnv, true).set(place.secretKeyEnv, true);
  }
  if (fleet.alerts !== undefined) addOptional(variables, fleet.alerts.secretEnv);
  const loadAssigned = assignedLoader(fleet);
  for (const assignment of fleet.assignments) {
    const loaded = await loadAssigned(assignment);
    paths.add(assignment.file);
    if ('import' in loaded) paths.add(loaded.import.mapping.file);
    // The workspace is the fleet's; what is left is another one that is read, and whom to alert.
    for (const { name, required } of variablesOf(loaded, 'sandbox', () => undefined))
      if (required) variables.set(name, true);
      else addOptional(variables, name);
  }
  const folders = places.flatMap((place) => (place?.kind === 'folder' ? [place.path] : []));
  return {
    ...asked,
    machine,
    root: commonFolder([...paths, ...tokens]),
    fleetFile: fleet.file,
    files: [...paths].map((path) => ({ path, text: readFileSync(path, 'utf8') })),
    tokens,
    variables: [...variables].map(([name, required]): FleetVariable => ({ name, required })),
    allowEnv: foreignVariables([...variables.keys()]),
    folders: [...new Set(folders)],
  };
}

function addOptional(variables: Map<string, boolean>, name: string): void {
  if (!variables.has(name)) variables.set(name, false);
}

/** The nearest folder that all of these files are below. */
function commonFolder(files: readonly string[]): string {
  return files.map(dirname).reduce((common, folder) => {
    let at = common;
    while (relative(at, folder).startsWith('..')) at = dirname(at);
    return at;
  });
}
