import { countRows, type JournalFile, lastRunOf, type RunRecord } from '../journal/index.ts';
import { loadKind } from '../runs/pipeline/load-kind.ts';

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

/** The steps that the pipeline of a run defers; none where it cannot be read any more, of which a start would say why. */
export async function deferredBy({
  file,
  kind,
}: Pick<RunRecord, 'file' | 'kind'>): Promise<readonly string[]> {
  if (kind !== 'import') return [];
  try {
    return (await loadKind(file, 'import')).settings.deferred;
  } catch {
    return [];
  }
}
