import { join } from 'node:path';
import { FatalError } from '../../../model/fatal-error.ts';
import type { LoadedExportPipeline } from '../../../pipeline/export-settings.ts';
import { runExport } from '../export.ts';
import { type Manifest, readManifest } from '../folder/manifest.ts';
import type { ExportRequest } from '../request.ts';
import { RecordComparison, type RecordComparisonCounts } from './compare-records.ts';
import { findNotComparableReason, readExportRecords } from './records-of.ts';

/** The result of comparing a file of an export with the current workspace. */
export interface FileComparison {
  readonly name: string;
  readonly kind: string;
  /** Null if the file was not compared. */
  readonly counts: RecordComparisonCounts | null;
  /** The reason, in a clause, if the file was not compared; otherwise null. */
  readonly reason: string | null;
}

/** The result of comparing an export with the current workspace. */
export interface ExportComparison {
  /** The time at which reading the workspace began (ms since 1970). */
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly files: readonly FileComparison[];
  /** The database with every difference; the caller must close it. */
  readonly comparison: RecordComparison;
}

/**
 * Exports the pipeline again into a scratch folder and compares the result, record by record, with the export in
 * `folder`. Nothing is changed in the workspace. `isIntact` returns true for a file that was not changed after its
 * export; other files are not compared.
 */
export async function compareExportWithWorkspace(
  request: ExportRequest,
  folder: string,
  scratch: string,
  isIntact: (name: string) => boolean,
): Promise<ExportComparison> {
  const { clock, stop, pipeline } = request;
  const exported = manifestOf(folder);
  const startedAt = clock.now();
  const again = { fresh: true, resumed: false, full: true, accept: true, workDir: scratch };
  const end = await runExport({ ...request, ...again, pipeline: everything(pipeline, scratch) });
  end.file.close();
  if (end.error !== undefined) throw end.error;
  const now = end.complete;
  if (now === undefined) throw new Error('an export that did not fail is not complete');
  const comparison = new RecordComparison(join(scratch, 'compare.db'));
  try {
    const files: FileComparison[] = [];
    for (const { name, kind, format } of exported.files) {
      const other = now.manifest.files.find((file) => file.kind === kind);
      const reason =
        findNotComparableReason(kind) ?? (isIntact(name) ? undefined : 'it is not as it was exported');
      if (reason !== undefined || other === undefined) {
        files.push({
          name,
          kind,
          counts: null,
          reason: reason ?? 'the pipeline does not export it any more',
        });
        continue;
      }
      const read = (from: string, file: typeof other) =>
        readExportRecords(from, file, pipeline.export, scratch, stop.signal);
      const [before, after] = [read(folder, { ...other, name, format }), read(now.folder, other)];
      const counts = await comparison.compare(kind, before, after, exported.full);
      files.push({ name, kind, counts, reason: null });
    }
    return { startedAt, finishedAt: clock.now(), files, comparison };
  } catch (error) {
    comparison.file.close();
    throw error;
  }
}

function manifestOf(folder: string): Manifest {
  const manifest = readManifest(folder);
  if (manifest !== undefined) return manifest;
  throw new FatalError('input', 'the manifest of this export is damaged or of another version.', {
    place: { file: folder },
    next: 'Export again.',
  });
}

/**
 * Returns the pipeline changed to a full export into the scratch folder, without `incremental`, `refresh` and `keep`.
 */
function everything(pipeline: LoadedExportPipeline, scratch: string): LoadedExportPipeline {
  const { keep: _, contacts, messages, ...settings } = pipeline.export;
  return {
    ...pipeline,
    export: {
      ...settings,
      to: join(scratch, 'now'),
      contacts: contacts && { ...contacts, incremental: false },
      messages: messages && { ...messages, incremental: false, refresh: undefined },
    },
  };
}
