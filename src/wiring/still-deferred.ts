import { countRows, type JournalFile, lastRunOf, type RunRecord } from '../journal/index.ts';

/** The steps that are still deferred for the rows of a run, as far as the journal can tell. */
export function stillDeferred(
  { file, run }: { readonly file: JournalFile; readonly run: RunRecord },
  deferred: readonly string[],
): readonly string[] {
  if (run.state !== 'finished' || run.selection.kind === 'deferred') return [];
  const { created, updated, merged, unchanged } = countRows(file, run);
  if (created + updated + merged > 0) return deferred;
  const caughtUp = lastRunOf(file, { ...run, selection: { kind: 'deferred' } });
  return unchanged > 0 && caughtUp?.state !== 'finished' ? deferred : [];
}
