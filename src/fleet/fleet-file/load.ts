import { dirname, resolve } from 'node:path';
import { loadYamlWithSchema, type YamlMistake } from '../../mapping/index.ts';
import { formatDidYouMean } from '../../model/nearest.ts';
import { resolveRelativeToFile } from '../../pipeline/workspace.ts';
import { createCachedContentsHasher } from './contents.ts';
import { collectPlaceholderNames } from './fill.ts';
import type { Fleet, FleetWorkspace, TokenFile } from './fleet.ts';
import { loadPipelineForWorkspaces } from './pipelines.ts';
import { parseStorageLocation } from './places-schema.ts';
import { type FleetDocument, fleetSchema } from './schema.ts';

/** The default name of a fleet file. */
export const defaultFleetFile = 'fleet.yaml';

/**
 * Loads fleet.yaml and its pipelines, and checks each pipeline with the values of its workspaces. Throws a FatalError
 * (usage) that lists the mistakes of a file with line, column and key.
 */
export async function loadFleet(path: string): Promise<Fleet> {
  const document = await loadYamlWithSchema(path, fleetSchema, 'fleet file', {
    ifMissing: 'Check the path. docs/reference/fleet.md has the keys of such a file.',
  });
  const { fleet: name, limits, places, alerts, ...rest } = document.value;
  const absolute = (other: string) => resolve(resolveRelativeToFile(path, other));
  const mistakes: YamlMistake[] = [];
  const note = (at: readonly (string | number)[], reason: string) =>
    void mistakes.push(document.mistake(at, reason));
  const refuse = () => {
    if (mistakes.length > 0) throw document.refusal(mistakes);
  };
  const workspaces = workspacesOf(rest, absolute, note);
  noteUnknownNames(rest, note);
  refuse();
  const about = {
    places: {
      inputs: parseStorageLocation(places.inputs, absolute),
      outputs: parseStorageLocation(places.outputs, absolute),
      results: parseStorageLocation(places.results, absolute),
    },
    known: collectPlaceholderNames(workspaces),
    folders: new Map(),
  };
  const contents = createCachedContentsHasher();
  const assignments = [];
  for (const [pipeline, settings] of Object.entries(rest.pipelines)) {
    const own = workspaces.filter((each) => settings.for === 'all' || settings.for.includes(each.name));
    const { filesOf, notifyOf, ...loaded } = await loadPipelineForWorkspaces(
      absolute(settings.file),
      own,
      about,
      (reason) => note(['pipelines', pipeline, 'file'], reason),
    );
    const { schedule, priority, onChangedInput, lateAfter } = settings;
    const inputBy =
      settings.inputBy === undefined || schedule === undefined
        ? undefined
        : { time: settings.inputBy, timezone: schedule.timezone };
    const same = { ...loaded, pipeline, schedule, priority, onChangedInput, inputBy, lateAfter };
    for (const { name: workspace } of own) {
      const files = filesOf(workspace);
      const notify = notifyOf(workspace) ?? alerts;
      assignments.push({ ...same, workspace, files, contents: await contents(files), notify });
    }
  }
  refuse();
  const { fingerprint } = document;
  const { places: found } = about;
  const { keepResults } = places;
  const rows = { workspaces, assignments, limits, places: found, keepResults, alerts };
  return { name, file: resolve(path), fingerprint, ...rows };
}

type Part = Pick<FleetDocument, 'defaults' | 'workspaces' | 'pipelines'>;
type NoteAt = (at: readonly (string | number)[], reason: string) => void;

function workspacesOf(
  { defaults, workspaces }: Part,
  absolute: (path: string) => string,
  note: NoteAt,
): FleetWorkspace[] {
  const seen = new Map<string, string>();
  return Object.entries(workspaces).flatMap(([name, own]) => {
    const at = ['workspaces', name];
    const baseUrl = own.baseUrl ?? defaults.baseUrl;
    const file = own.tokenEnv === undefined ? (own.tokenFile ?? defaults.tokenFile) : undefined;
    if (baseUrl === undefined) note(at, 'no baseUrl is set, here or under defaults');
    if (own.tokenEnv === undefined && file === undefined) {
      note(at, 'no token is named; set tokenEnv or tokenFile, or tokenFile under defaults');
    }
    if (baseUrl === undefined || (own.tokenEnv === undefined && file === undefined)) return [];
    const token = file === undefined ? { env: own.tokenEnv ?? '' } : tokenFile(file, name, absolute);
    const print = JSON.stringify([baseUrl, 'file' in token ? { file: token.file } : token]);
    const other = seen.get(print);
    if (other !== undefined)
      note(at, `this is the workspace of "${other}": it has the same address and token`);
    seen.set(print, name);
    return [{ name, baseUrl, token, values: own.values }];
  });
}

const workspaceName = '{workspace}';

function tokenFile(written: string, workspace: string, absolute: (path: string) => string): TokenFile {
  const file = absolute(written.replaceAll(workspaceName, workspace));
  const [before = ''] = written.split(workspaceName, 1);
  // `x` stands for any file name: only the folder is used, which has the tokens of all workspaces.
  return before === written ? { file } : { file, shared: dirname(absolute(`${before}x`)) };
}

function noteUnknownNames({ pipelines, workspaces }: Part, note: NoteAt): void {
  const names = Object.keys(workspaces);
  for (const [pipeline, { for: chosen }] of Object.entries(pipelines)) {
    if (chosen === 'all') continue;
    for (const [index, name] of chosen.entries()) {
      if (names.includes(name)) continue;
      const reason = `there is no workspace ${JSON.stringify(name)}${formatDidYouMean(name, names)}`;
      note(['pipelines', pipeline, 'for', index], reason);
    }
  }
}
