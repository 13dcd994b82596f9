import { dirname, isAbsolute, relative, sep } from 'node:path';
import { isLiveWorkspaceInput } from '../../app/run/input.ts';
import { createCachingYamlReader, type YamlReader } from '../../mapping/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { LoadedExportPipeline } from '../../pipeline/export-settings.ts';
import {
  type LoadedImportPipeline,
  loadExportPipeline,
  loadImportPipeline,
  type NotifySettings,
  readPipelineKind,
} from '../../pipeline/index.ts';
import { collectPlaceholderNames, createPlaceholderFiller, type PlaceholderFiller } from './fill.ts';
import type { Assignment, Fleet, FleetWorkspace } from './fleet.ts';
import type { StorageLocation } from './places-schema.ts';

interface About {
  readonly places: Fleet['places'];
  /** The names of the placeholders that have a value in any workspace. */
  readonly known: ReadonlySet<string>;
  /** The workspace and pipeline file of each export folder found so far. */
  readonly folders: Map<string, { readonly workspace: string; readonly file: string }>;
}

/** What a pipeline of one workspace was loaded from, and its alert settings. */
interface FoundPipeline {
  readonly files: readonly string[];
  readonly notify: NotifySettings | undefined;
}

/**
 * Loads a pipeline for each of its workspaces. Throws a FatalError for a mistake in its files; `note` gets the first
 * reason that a valid pipeline cannot run in this fleet.
 */
export async function loadPipelineForWorkspaces(
  file: string,
  workspaces: readonly FleetWorkspace[],
  { places, known, folders }: About,
  note: (reason: string) => void,
): Promise<
  Pick<Assignment, 'file' | 'kind'> & {
    readonly filesOf: (workspace: string) => readonly string[];
    /** Returns the alert settings of the pipeline itself. */
    readonly notifyOf: (workspace: string) => NotifySettings | undefined;
  }
> {
  let kind: Assignment['kind'] | undefined;
  const read = createCachingYamlReader();
  const found = new Map<string, FoundPipeline>();
  let last: FoundPipeline = { files: [], notify: undefined };
  for (const workspace of workspaces) {
    const filling = createPlaceholderFiller(workspace, known);
    const from = new Set<string>();
    const noting: YamlReader = (path, ...more) => {
      from.add(path);
      return read(path, ...more);
    };
    const loaded = await loadFilled(file, filling, kind, noting).catch((error: unknown) => {
      throw filling.used() ? named(error, workspace.name) : error;
    });
    kind = 'import' in loaded ? 'import' : 'export';
    const { notify } = 'import' in loaded ? loaded.import : loaded.export;
    last = { files: [...from], notify };
    found.set(workspace.name, last);
    const reason = mistakeOf(loaded, places) ?? sharedFolder(loaded, workspace.name, folders);
    if (reason !== undefined) note(reason);
    // Without placeholders an import is the same for all workspaces; an export's folder is checked for each.
    if (reason !== undefined || (kind === 'import' && !filling.used())) break;
  }
  // The schema requires at least one workspace.
  const of = (workspace: string) => found.get(workspace) ?? last;
  return {
    ...{ file, kind: kind ?? 'import' },
    filesOf: (workspace) => of(workspace).files,
    notifyOf: (workspace) => of(workspace).notify,
  };
}

/** Creates a function that loads the pipeline of an assignment with its workspace's values; each file is read once. */
export function createAssignedPipelineLoader({ workspaces }: Pick<Fleet, 'workspaces'>) {
  const named = new Map(workspaces.map((each) => [each.name, each]));
  const known = collectPlaceholderNames(workspaces);
  const read = createCachingYamlReader();
  return async ({
    file,
    workspace,
    kind,
  }: Pick<Assignment, 'file' | 'workspace' | 'kind'>): Promise<
    LoadedImportPipeline | LoadedExportPipeline
  > => {
    const own = named.get(workspace);
    if (own === undefined)
      throw new FatalError('usage', `there is no workspace ${JSON.stringify(workspace)}.`);
    return await loadFilled(file, createPlaceholderFiller(own, known), kind, read);
  };
}

async function loadFilled(
  file: string,
  { fill }: PlaceholderFiller,
  known: Assignment['kind'] | undefined,
  read: YamlReader,
): Promise<LoadedImportPipeline | LoadedExportPipeline> {
  const filled = { fill, read };
  const kind = known ?? (await readPipelineKind(file, filled));
  return kind === 'import'
    ? await loadImportPipeline(file, undefined, filled)
    : await loadExportPipeline(file, filled);
}

/**
 * Records the folder of an export; if another export has the same folder, returns the mistake as a clause of a message.
 */
function sharedFolder(
  loaded: LoadedImportPipeline | LoadedExportPipeline,
  workspace: string,
  folders: About['folders'],
): string | undefined {
  if ('import' in loaded) return undefined;
  const { file } = loaded;
  const { to } = loaded.export;
  const other = folders.get(to);
  folders.set(to, { workspace, file });
  if (other === undefined || (other.file === file && other.workspace === workspace)) return undefined;
  return other.workspace === workspace
    ? `two pipelines of ${workspace} would export into the same folder; choose another export.to`
    : `${other.workspace} and ${workspace} would export into the same folder; put {workspace} into export.to`;
}

/** Returns the reason that a pipeline cannot run in a fleet, as a clause of a message; undefined if it can. */
function mistakeOf(
  loaded: LoadedImportPipeline | LoadedExportPipeline,
  places: Fleet['places'],
): string | undefined {
  if ('export' in loaded) return outside(loaded.file, loaded.export.to, places.outputs, 'outputs');
  if (isLiveWorkspaceInput(loaded)) return undefined;
  const { path } = loaded.import.source;
  if (path === '-')
    return 'this pipeline reads standard input, which no worker has; set import.source.path to a file';
  return path === null ? undefined : outside(loaded.file, path, places.inputs, 'inputs');
}

function outside(
  file: string,
  path: string,
  place: StorageLocation | undefined,
  name: string,
): string | undefined {
  if (place === undefined || toPathInStorage(file, path) !== undefined) return undefined;
  return `with places.${name} paths begin there, and must not lead out of it: ${relative(dirname(file), path)} does`;
}

/**
 * Converts a path of a pipeline into the path in a storage of `places`: relative to the folder of the
 * pipeline file, with slashes; undefined if it is outside of that folder.
 */
export function toPathInStorage(pipelineFile: string, path: string): string | undefined {
  const inside = relative(dirname(pipelineFile), path);
  const leadsOut = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return leadsOut ? undefined : inside.split(sep).join('/');
}

function named(error: unknown, workspace: string): unknown {
  if (!(error instanceof FatalError)) return error;
  const { reason, message, place, next } = error;
  return new FatalError(reason, `${message}\nwith the values of the workspace ${workspace}`, {
    ...{ place, next },
    cause: error,
  });
}
