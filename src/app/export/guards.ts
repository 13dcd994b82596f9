import type { RunRecord } from '../../journal/index.ts';
import type { Hint } from '../../model/command.ts';
import type { ExportKind } from '../../model/export-record.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { LoadedExportSettings } from '../../pipeline/export-settings.ts';

const opening = 'the export is not what the pipeline expects';

/** Returns true if the run was stopped by `expect`; such a run cannot be continued. */
export function isStoppedByExpectation({ state, message }: Pick<RunRecord, 'state' | 'message'>): boolean {
  return state === 'stopped' && message?.startsWith(opening) === true;
}

export type ExportCounts = Readonly<Record<string, number>>;

/** Throws a FatalError (guard) if a count fails `expect`; `before` are the counts of the last complete export. */
export function assertExpectationsMet(
  { expect }: LoadedExportSettings,
  counts: ExportCounts,
  before: ExportCounts | undefined,
  next: Hint,
): void {
  const unmet = Object.entries(expect).flatMap(([kind, expectation]) =>
    expectation === undefined ? [] : problems(kind, expectation, counts[kind] ?? 0, before?.[kind]),
  );
  if (unmet.length === 0) return;
  throw new FatalError('guard', `${opening}: ${unmet.join('; ')}.`, {
    next,
  });
}

function problems(
  kind: ExportKind | string,
  { min, dropMax }: NonNullable<LoadedExportSettings['expect'][keyof LoadedExportSettings['expect']]>,
  count: number,
  before: number | undefined,
): string[] {
  const found: string[] = [];
  if (min !== undefined && count < min) found.push(`${count} ${kind}, expected at least ${min}`);
  if (dropMax !== undefined && before !== undefined) {
    const most = 'share' in dropMax ? before * dropMax.share : dropMax.rows;
    const allowed = 'share' in dropMax ? `${dropMax.share * 100}%` : String(dropMax.rows);
    if (before - count > most) {
      found.push(`${count} ${kind} after ${before} in the export before, at most ${allowed} fewer allowed`);
    }
  }
  return found;
}
