import type { RunListEntry } from './runs.ts';

/**
 * Returns the later runs that sent more rows of an import, the earliest first: its retries, and of an import of all
 * rows also the answered questions, approved merges and deferred steps up to the next import by that pipeline.
 */
export function listLaterRuns(runs: readonly RunListEntry[], run: string): readonly RunListEntry[] {
  const own = runs.find((each) => each.run === run);
  if (own === undefined || own.kind !== 'import') return [];
  const others = own.selection.kind === 'all' ? listOtherLaterRuns(runs, own) : [];
  const retries = [own, ...others].flatMap((each) => listRetries(runs, each.run));
  return [...others, ...retries].sort(byStart);
}

/** Returns the import that a run belongs to as one of its later runs; the run itself where it is an import of its own. */
export function findImportOfRun(runs: readonly RunListEntry[], run: string): string {
  const own = runs.find((each) => each.run === run);
  if (own === undefined) return run;
  const earlier = runs.filter((each) => each.pipeline === own.pipeline && each.startedAt < own.startedAt);
  const found = earlier.sort(byStart).find((each) => listLaterRuns(runs, each.run).includes(own));
  return found?.run ?? run;
}

/**
 * Returns the number of rows of an import and of its later runs that still need a retry. A retry adds none: a row that
 * it did not finish is still open in the run that it has retried.
 */
export function countOpenRowsOfImport(runs: readonly RunListEntry[], run: string): number {
  const own = runs.filter((each) => each.run === run);
  const later = listLaterRuns(runs, run).filter(({ selection }) => selection.kind !== 'retry');
  return [...own, ...later].reduce((n, { open }) => n + open, 0);
}

/**
 * Returns the earlier imports of all rows by the same pipeline into the same workspace that were not undone, each
 * followed by its later runs; the earliest first.
 */
export function listEarlierImports(runs: readonly RunListEntry[], run: string): readonly RunListEntry[] {
  const own = runs.find((each) => each.run === run);
  if (own === undefined || own.kind !== 'import' || own.selection.kind !== 'all') return [];
  return runs
    .filter(({ kind, selection }) => kind === 'import' && selection.kind === 'all')
    .filter(({ pipeline, workspace }) => pipeline === own.pipeline && workspace === own.workspace)
    .filter((each) => each.startedAt < own.startedAt && !isUndone(runs, each.run))
    .sort(byStart)
    .flatMap((each) => [each, ...listLaterRuns(runs, each.run)]);
}

/** Returns true if a run was undone. */
export function isUndone(runs: readonly RunListEntry[], run: string): boolean {
  return runs.some(({ undo }) => undo?.run === run);
}

/** Returns the runs between an import of all rows and the next one by that pipeline, without retries. */
function listOtherLaterRuns(runs: readonly RunListEntry[], own: RunListEntry): readonly RunListEntry[] {
  const later = runs
    .filter(({ kind, pipeline }) => kind === 'import' && pipeline === own.pipeline)
    .filter(({ startedAt, selection }) => startedAt > own.startedAt && selection.kind !== 'retry')
    .sort(byStart);
  const next = later.findIndex(({ selection }) => selection.kind === 'all');
  return next < 0 ? later : later.slice(0, next);
}

function byStart(one: RunListEntry, other: RunListEntry): number {
  return one.startedAt < other.startedAt ? -1 : 1;
}

function listRetries(runs: readonly RunListEntry[], run: string): readonly RunListEntry[] {
  const direct = runs.filter(
    ({ kind, selection }) => kind === 'import' && selection.kind === 'retry' && selection.run === run,
  );
  return direct.flatMap((retry) => [retry, ...listRetries(runs, retry.run)]);
}
