import { join } from 'node:path';
import { findRunById, type JournalDatabase, type RunRecord } from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { ExistingWorkspaceCopy, LiveWorkspaceInput } from '../../model/ports.ts';
import { bindContactCopyToRun, resolveContactCopyPath } from '../../sources/workspace/copy-file.ts';
import { removeDatabase } from '../../storage/sqlite.ts';
import { createSourceWorkspaceReader, type SourceWorkspaceOpener } from '../run/live-workspace.ts';
import type { ImportRequest } from './request.ts';

/** The age in ms up to which a new import reuses a copy of the input that no run is bound to. */
const freshMs = 24 * 60 * 60_000;

/** Returns the input of an import that reads a live workspace; undefined where the source is a file. */
export function createLiveWorkspaceInput(
  request: ImportRequest,
  file: JournalDatabase,
): LiveWorkspaceInput | undefined {
  const { liveSource, fresh, place, stop, listen } = request;
  if (liveSource === undefined) return undefined;
  const { name, clock } = liveSource;
  return {
    name,
    purpose: purposeOf(request, liveSource),
    clock,
    async open() {
      const opened = await liveSource.open();
      if (opened.place === place) {
        await opened.close();
        throw new FatalError('usage', `the import would read ${name} and write into the same workspace.`, {
          place: { file: request.pipeline.file, key: 'import.source' },
          next: 'Name another workspace under source.baseUrl (or LONGSHORE_SOURCE_BASE_URL), or another target.',
        });
      }
      return createSourceWorkspaceReader(opened, liveSource, stop.signal);
    },
    keeps: (copy) => !fresh && isWanted(copy, file, clock.now()),
    tell: (text) => listen({ kind: 'note', text }),
  };
}

/** Returns true for the copy of an unfinished run, and for a recent copy that no run is bound to. */
function isWanted({ run, begunAt }: ExistingWorkspaceCopy, file: JournalDatabase, now: number): boolean {
  if (run === null) return now - begunAt < freshMs;
  const reader = findRunById(file, run);
  return reader !== undefined && reader.state !== 'finished';
}

/** Binds the copy of the input to the run: from now on only this run reads it. */
export function bindInputCopy(run: RunRecord, request: ImportRequest): void {
  const path = pathOf(request);
  if (path !== undefined) bindContactCopyToRun(path, run.id);
}

/** Removes the copy of a run's input; call it only for a run that will not be continued. */
export function removeInputCopy(request: ImportRequest): void {
  const path = pathOf(request);
  if (path !== undefined) removeDatabase(path);
}

function pathOf(request: ImportRequest): string | undefined {
  const { liveSource, workDir } = request;
  return liveSource && resolveContactCopyPath(join(workDir, 'spool'), purposeOf(request, liveSource));
}

/**
 * Returns a name for an import's copy of its input. Different imports need different names, because one must not change
 * the copy that another one reads.
 */
function purposeOf({ pipeline, place, selection }: ImportRequest, { name }: SourceWorkspaceOpener): string {
  const { options } = pipeline.import.source;
  return JSON.stringify([pipeline.pipeline, place, selection, name, options.messages === true]);
}
