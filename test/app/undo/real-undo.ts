import { join } from 'node:path';
import type { RunEnd } from '../../../src/app/run/run-pipeline.ts';
import { readUnrevertedItems, type UnrevertedItem } from '../../../src/app/undo/not-reverted.ts';
import { previewUndo, type UndoPreview } from '../../../src/app/undo/preview.ts';
import { withReturnedIdentifiers } from '../../../src/app/undo/returned-identifiers.ts';
import { runUndo, type UndoRequest } from '../../../src/app/undo/undo.ts';
import {
  findRunById,
  listImportsAndUndos,
  openJournalDatabase,
  type RunRecord,
} from '../../../src/journal/index.ts';
import { toCommand } from '../../../src/model/command.ts';
import { systemClock } from '../../../src/workspace/index.ts';
import type { RealImport } from '../import/real-import.ts';

/** What an undo came to, with what it kept. */
export interface Undone {
  readonly end: RunEnd;
  readonly run: RunRecord;
  readonly exitCode: number;
  readonly kept: readonly UnrevertedItem[];
}

/** The run that wrote last. */
export function lastRun(real: RealImport): RunRecord {
  const journal = openJournalDatabase(join(real.folder, 'work'));
  try {
    const run = listImportsAndUndos(journal, 1).at(-1);
    if (run === undefined) throw new Error('there is no run');
    return run;
  } finally {
    journal.close();
  }
}

/** Undoes a run (the last unless another is named) in this process, with everything that needs a flag unless said. */
export async function undo(
  real: RealImport,
  run: Pick<RunRecord, 'id'> = lastRun(real),
  more: Partial<UndoRequest> & { readonly conversations?: boolean; readonly deleteTags?: boolean } = {},
): Promise<Undone> {
  const { conversations = true, deleteTags = true, ...rest } = more;
  const stop = new AbortController();
  const end = await runUndo({
    undo: { run: run.id, conversations, deleteTags },
    workspace: more.workspace ?? real.open(stop.signal),
    place: `sandbox:${real.sandbox.id}`,
    target: real.sandbox.baseUrl,
    workDir: join(real.folder, 'work'),
    limits: { settle: 2_000, attempts: 3, concurrency: 8 },
    command: toCommand,
    clock: systemClock,
    listen: () => undefined,
    stop,
    ...rest,
  });
  const kept: UnrevertedItem[] = [];
  const undone = findRunById(end.file, run.id);
  if (undone === undefined) throw new Error(`run ${run.id} is not in the journal`);
  await withReturnedIdentifiers(end.file, join(real.folder, 'work'), undone, async (returned) => {
    for await (const page of readUnrevertedItems(end.file, end.run, returned)) kept.push(...page);
  });
  end.file.close();
  return { end, run: end.run, exitCode: end.exitCode, kept };
}

/** The preview of an undo of the last run. */
export async function preview(real: RealImport): Promise<UndoPreview> {
  const stop = new AbortController();
  const workspace = real.open(stop.signal);
  try {
    return await previewUndo({
      undo: { run: lastRun(real).id, conversations: true, deleteTags: true },
      workspace,
      place: `sandbox:${real.sandbox.id}`,
      target: real.sandbox.baseUrl,
      workDir: join(real.folder, 'work'),
      ...{ concurrency: 8, sample: 3, command: toCommand, progress: () => undefined },
    });
  } finally {
    await workspace.close(0);
  }
}
