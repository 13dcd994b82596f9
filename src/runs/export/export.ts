import { setMaxListeners } from 'node:events';
import {
  endRun,
  type JournalFile,
  type Lock,
  openJournalFile,
  openRunJournal,
  type RunRecord,
  takeLock,
} from '../../journal/index.ts';
import type { FatalError } from '../../model/fatal-error.ts';
import { asFatal } from '../as-fatal.ts';
import { exitCodeOf } from '../exit-code.ts';
import { startHeartbeat } from '../heartbeat.ts';
import { startTimeLimit } from '../time-limit.ts';
import { type BegunExport, begin, discard, isRecent, type Leftover, look } from './begin.ts';
import { beginCompaction, fillFromIncrements } from './compact/compact.ts';
import { type CompleteExport, close, complete, refreshFrom } from './complete.ts';
import { fetchAll } from './fetch/fetch.ts';
import { readManifest } from './folder/manifest.ts';
import type { ExportEnd, ExportRequest } from './request.ts';
import type { MessageMark } from './staging/staging.ts';

const graceMs = 10_000;
const beatMs = 1_000;

/** Exports a workspace into a folder that appears whole or not at all, or goes on with an export that was interrupted. */
export async function runExport(request: ExportRequest): Promise<ExportEnd> {
  return await locked(request, async (file, lock) => {
    const found = await look(request, file, 'all');
    const { leftover } = found;
    const go = (rest: typeof found) =>
      carryOut(request, file, lock, begin(request, file, rest), (begun) => exportNow(request, begun));
    if (leftover === undefined) return await go(found);
    const ended = await closeLeftover(request, file, leftover);
    const isWanted = request.resumed || isRecent(request, leftover.run);
    if (isWanted && !request.fresh && !request.full) return ended;
    return await go({ ...found, last: undefined, staging: undefined });
  });
}

/** Puts a full export together from the last complete one and those that it follows. */
export async function runCompaction(request: ExportRequest): Promise<ExportEnd> {
  return await locked(request, async (file, lock) => {
    const found = await look(request, file, 'compact');
    if (found.leftover !== undefined) return await closeLeftover(request, file, found.leftover);
    found.staging?.close();
    if (found.last !== undefined && found.last.state !== 'finished') discard(request, found.last);
    const compaction = beginCompaction(request, file, found);
    return await carryOut(request, file, lock, compaction.begun, async (begun) => {
      await fillFromIncrements(request, compaction);
      return await complete(request, begun, {
        compacted: compaction.chain.map(({ manifest }) => manifest.run),
      });
    });
  });
}

async function exportNow(request: ExportRequest, begun: BegunExport): Promise<CompleteExport> {
  const { pipeline, workspace, clock, stop } = request;
  const { staging, before, run } = begun;
  const since = refreshFrom(pipeline.export, run);
  const incremental = pipeline.export.messages?.incremental === true;
  const markOf = (id: number): MessageMark =>
    incremental && before !== undefined ? before.messageMark(id, since) : { known: 0, floor: 0 };
  await fetchAll(
    {
      workspace,
      staging,
      clock,
      signal: stop.signal,
      knownContent: (message) => before?.recentContent(message),
      abort: (error) => {
        if (!stop.signal.aborted) stop.abort(asFatal(error));
      },
    },
    pipeline.export,
    markOf,
  );
  return await complete(request, begun);
}

async function locked(
  request: ExportRequest,
  work: (file: JournalFile, lock: Lock) => Promise<ExportEnd>,
): Promise<ExportEnd> {
  const { workDir, pipeline, clock, stop } = request;
  // Every wait of the run listens to it: thousands of them are no leak.
  setMaxListeners(0, stop.signal);
  const file = openJournalFile(workDir);
  let lock: Lock | undefined;
  try {
    lock = takeLock(file, workDir, `the export "${pipeline.pipeline}"`, clock);
    const end = await work(file, lock);
    lock.release();
    return end;
  } catch (error) {
    lock?.release();
    file.close();
    throw error;
  }
}

async function carryOut(
  request: ExportRequest,
  file: JournalFile,
  lock: Lock,
  begun: BegunExport,
  work: (begun: BegunExport) => Promise<CompleteExport>,
): Promise<ExportEnd> {
  const { clock, listen, workspace, stop, pipeline } = request;
  const { run, staging, before, continued } = begun;
  const journal = openRunJournal(file, run, clock);
  listen({ kind: 'begun', run: run.id, continued, full: before === undefined });
  const stopBeat = startHeartbeat(clock, beatMs, () => {
    lock.beat();
    journal.beat(workspace.requests());
    listen({ kind: 'fetched', ...staging.progress() });
  });
  const closeWhenStopped = () => void workspace.close(graceMs);
  stop.signal.addEventListener('abort', closeWhenStopped, { once: true });
  const stopTimer = startTimeLimit(clock, pipeline.export.timeout, stop);
  let done: CompleteExport | undefined;
  let error: FatalError | undefined;
  try {
    done = await work(begun);
  } catch (thrown) {
    error = asFatal(thrown);
    if (!stop.signal.aborted) stop.abort(error);
    listen({ kind: 'stopping', reason: error.message });
  }
  stopTimer();
  stop.signal.removeEventListener('abort', closeWhenStopped);
  await workspace.close(graceMs);
  await stopBeat();
  journal.flush();
  staging.close();
  before?.close();
  if (done !== undefined) {
    const ended = await close(request, file, run, done);
    return { file, run: ended, exitCode: ended.exitCode ?? 0, error: undefined, complete: done };
  }
  return failed(request, file, run, error ?? asFatal(new Error('the export ended without a word')));
}

function failed(request: ExportRequest, file: JournalFile, run: RunRecord, error: FatalError): ExportEnd {
  const exitCode = exitCodeOf(error.reason, error.signal);
  const end = {
    state: stateOf(error),
    exitCode,
    message: error.message,
    endedAt: request.clock.now(),
  };
  endRun(file, run.number, end);
  // What a guard refuses is not wanted a second time: the next export looks anew.
  if (error.reason === 'guard' || run.selection.kind === 'compact') discard(request, run);
  return { file, run: { ...run, ...end }, exitCode, error, complete: undefined };
}

function stateOf(error: FatalError): 'interrupted' | 'failed' | 'stopped' {
  if (error.reason === 'interrupted') return 'interrupted';
  return error.reason === 'unexpected' ? 'failed' : 'stopped';
}

async function closeLeftover(
  request: ExportRequest,
  file: JournalFile,
  { run, staging, folder }: Leftover,
): Promise<ExportEnd> {
  const manifest = readManifest(folder);
  if (manifest === undefined) throw asFatal(new Error(`${folder} has no manifest any more`));
  staging.close();
  request.listen({
    kind: 'note',
    text: `Run ${run.id} was complete but for its last lines: ${folder}.`,
  });
  const ended = await close(request, file, run, { folder, manifest });
  return {
    file,
    run: ended,
    exitCode: ended.exitCode ?? 0,
    error: undefined,
    complete: { folder, manifest },
  };
}
