import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { findLastRun, type JournalDatabase, type RunBinding, type RunRecord } from '../../journal/index.ts';
import { removeDatabase } from '../../storage/sqlite.ts';
import { readManifest } from './folder/manifest.ts';
import { buildTemporaryExportPath } from './folder/names.ts';
import type { ExportRequest } from './request.ts';
import { StagedExport } from './staging/staging.ts';

/** An unfinished export whose folder is already in place: only `finishExport` is left to do. */
export interface ExportToFinish {
  readonly run: RunRecord;
  readonly staging: StagedExport;
  readonly folder: string;
}

/** The last export or compaction of a pipeline, and its files if it is unfinished. */
export interface ExportLeftovers {
  readonly last: RunRecord | undefined;
  /** The data it has fetched; undefined if the run is finished or its data is gone. */
  readonly staging: StagedExport | undefined;
  /** Set if its folder is in place and only `finishExport` is left to do. */
  readonly leftover: ExportToFinish | undefined;
}

export function buildStagingPath({ workDir }: ExportRequest, run: RunRecord): string {
  return join(workDir, 'runs', run.id, 'staging.db');
}

/** Finds the last run of a binding and its files; removes the fetched data of a finished run. */
export function findExportLeftovers(
  request: ExportRequest,
  file: JournalDatabase,
  binding: RunBinding,
): ExportLeftovers {
  const last = findLastRun(file, binding);
  if (last === undefined || last.state === 'finished') {
    if (last !== undefined) removeDatabase(buildStagingPath(request, last));
    return { last, staging: undefined, leftover: undefined };
  }
  const staging = StagedExport.open(buildStagingPath(request, last));
  const folder = staging?.state.get().folder ?? null;
  const isThere = folder !== null && readManifest(folder)?.run === last.id;
  const leftover = isThere && staging !== undefined ? { run: last, staging, folder } : undefined;
  return { last, staging, leftover };
}

/** Removes the fetched and written files of an export that will not be continued. */
export function discardExport(request: ExportRequest, run: RunRecord): void {
  const staging = buildStagingPath(request, run);
  const folder = StagedExport.open(staging);
  const path = folder?.state.get().folder ?? null;
  folder?.close();
  if (path !== null) rmSync(buildTemporaryExportPath(path, run.id), { recursive: true, force: true });
  removeDatabase(staging);
}
