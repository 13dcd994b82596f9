import { existsSync } from 'node:fs';
import { readManifest } from '../../app/export/folder/manifest.ts';
import { listLatestRuns, withJournal } from '../../app/run/find-run.ts';
import { createLocalProcessProbe } from '../../app/status/look-at-run.ts';
import { estimateRunInterval, type RunInterval } from '../../app/status/report/run-interval.ts';
import { toRunListEntries } from '../../app/status/report/run-list.ts';
import {
  hasJournal,
  type JournalDatabase,
  listFailingPipelines,
  listRuns,
  type RunRecord,
  readLastSuccessTime,
} from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { systemClock } from '../../workspace/index.ts';
import type {
  ExportPipelineEntry,
  ExportRun,
  FailingPipelineEntry,
  LatePipeline,
  RunHistory,
} from '../wire/history.ts';
import { listProjectFiles } from './list-files.ts';
import type { ProjectPathResolver } from './project.ts';
import type { StudioContext } from './studio.ts';

/** The maximum number of runs that the page lists. */
const mostListed = 1_000;

/** Returns the runs of the work dir, newest first, and the pipelines that fail or are late. */
export function readRunHistory(workDir: string): RunHistory {
  if (!hasJournal(workDir)) return { runs: [], more: false, failing: [], late: [] };
  return withJournal(workDir, (file) => {
    const found = listRuns(file, mostListed + 1);
    const runs = toRunListEntries(file, found.slice(0, mostListed), createLocalProcessProbe(file, workDir));
    return { runs, more: found.length > mostListed, failing: failingOf(file), late: lateIn(found) };
  });
}

function failingOf(file: JournalDatabase): readonly FailingPipelineEntry[] {
  return listFailingPipelines(file).map(({ failingSince, ...about }) => ({
    ...about,
    since: new Date(failingSince).toISOString(),
  }));
}

/**
 * Returns the exports of a pipeline among the latest 1,000 runs, newest first, exports of the local sandbox
 * included.
 */
export function listExportRuns(files: ProjectPathResolver, pipeline: string): readonly ExportRun[] {
  const { workDir } = files;
  if (!hasJournal(workDir)) return [];
  return withJournal(workDir, (file) => {
    const runs = listLatestRuns(file).filter((run) => run.kind === 'export' && run.pipeline === pipeline);
    const messages = new Map(runs.map(({ id, message }) => [id, message]));
    return toRunListEntries(file, runs, createLocalProcessProbe(file, workDir)).map((line) => {
      const { run, state, startedAt, seconds, exitCode, counts } = line;
      const about = { run, state, startedAt, seconds, exitCode, counts, message: messages.get(run) ?? null };
      return { ...about, ...writtenBy(files, line) };
    });
  });
}

/**
 * Returns the folder of an export, and its size and kind from the manifest. All are null if the folder is missing or
 * outside of the project, or holds another export by now.
 */
function writtenBy(
  files: ProjectPathResolver,
  { run, folder: path }: Pick<RunRecord, 'folder'> & { readonly run: string },
): Pick<ExportRun, 'folder' | 'bytes' | 'full'> {
  const folder = path === null ? undefined : files.nameOfInner(path);
  const manifest = folder === undefined ? undefined : readManifest(files.place(folder));
  // A later export may have replaced the folder.
  if (folder === undefined || manifest?.run !== run) return { folder: null, bytes: null, full: null };
  return {
    folder,
    bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    full: manifest.full,
  };
}

/** Returns the export pipelines of the project with their last run and the usual interval of their runs. */
export async function listExportPipelines({
  files,
  yaml,
}: StudioContext): Promise<readonly ExportPipelineEntry[]> {
  const listed = listProjectFiles(files).files.filter(({ kind }) => kind === 'export');
  const loaded = await Promise.all(
    listed.map(async ({ path }) => ({ path, ...(await loadedOrProblem(files.place(path), yaml)) })),
  );
  const { workDir } = files;
  if (!hasJournal(workDir)) return loaded.map((each) => ({ ...described(each, files), ...neverRun }));
  return withJournal(workDir, (file) => {
    const failing = failingOf(file);
    const runs = listLatestRuns(file).filter(({ kind }) => kind === 'export');
    const machine = createLocalProcessProbe(file, workDir);
    return loaded.map((each) => {
      const about = described(each, files);
      const last = runs.find(({ pipeline }) => pipeline === about.pipeline);
      return {
        ...about,
        lastSuccessAt: about.pipeline === null ? null : lastSuccessAt(file, about.pipeline),
        failing:
          failing.find(({ kind, pipeline }) => kind === 'export' && pipeline === about.pipeline) ?? null,
        lastRun: last === undefined ? null : (toRunListEntries(file, [last], machine)[0] ?? null),
        rhythm: last === undefined ? null : rhythmIn(runs, last),
      };
    });
  });
}

const neverRun = { lastSuccessAt: null, failing: null, lastRun: null, rhythm: null };

function lastSuccessAt(file: JournalDatabase, pipeline: string): string | null {
  const times = [false, true].flatMap(
    (rehearsal) => readLastSuccessTime(file, { pipeline, kind: 'export', rehearsal }) ?? [],
  );
  return times.length === 0 ? null : new Date(Math.max(...times)).toISOString();
}

interface Loaded {
  readonly path: string;
  readonly loaded: Awaited<ReturnType<typeof exportFacts>> | undefined;
  readonly problem: string | null;
}

const exportFacts = (file: string, yaml: StudioContext['yaml']) => yaml.run('export', { file });

async function loadedOrProblem(path: string, yaml: StudioContext['yaml']): Promise<Omit<Loaded, 'path'>> {
  try {
    return { loaded: await exportFacts(path, yaml), problem: null };
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    return { loaded: undefined, problem: error.message };
  }
}

function described(
  { path, loaded, problem }: Loaded,
  files: ProjectPathResolver,
): Pick<ExportPipelineEntry, 'path' | 'pipeline' | 'problem' | 'what' | 'to'> {
  if (loaded === undefined) return { path, pipeline: null, problem, what: [], to: '' };
  const { to } = loaded;
  const kinds = loaded.kinds.map(
    ({ kind, format, incremental }) => `${kind} (${format}${incremental ? ', incremental' : ''})`,
  );
  // A name such as customFields is shown as words.
  const objects = loaded.objects.map((name) =>
    name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  );
  const what = [...kinds, ...objects];
  return { path, pipeline: loaded.pipeline, problem, what, to: files.nameOfInner(to) ?? to };
}

/** Returns the usual interval between the runs of a pipeline; null if none is recognised. `runs` are newest first. */
function rhythmIn(
  runs: readonly RunRecord[],
  { kind, pipeline }: Pick<RunRecord, 'kind' | 'pipeline'>,
): RunInterval | null {
  const times = runs
    .filter((run) => run.kind === kind && run.pipeline === pipeline && isOrdinary(run))
    .map(({ startedAt }) => startedAt);
  return estimateRunInterval(times, systemClock.now());
}

/** Returns the pipelines whose next run is overdue and whose file still exists; `runs` are newest first. */
function lateIn(runs: readonly RunRecord[]): readonly LatePipeline[] {
  // The newest run of each pipeline has its current path: the file may have been moved.
  const all = new Map(runs.toReversed().map((run) => [`${run.kind} ${run.pipeline}`, run]));
  return [...all.values()].flatMap(({ kind, pipeline, file }) => {
    const rhythm = rhythmIn(runs, { kind, pipeline });
    return rhythm !== null && rhythm.late > 0 && existsSync(file) ? [{ kind, pipeline, rhythm }] : [];
  });
}

/** Returns true if a schedule may have started a run: it covers all rows, and is no rehearsal, retry or undo. */
function isOrdinary({ target, selection, undo }: RunRecord): boolean {
  return target !== 'sandbox' && selection.kind === 'all' && undo === undefined;
}
