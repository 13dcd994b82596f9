import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { FatalError } from '../../model/fatal-error.ts';
import { Room } from '../archive/allowance.ts';
import { fingerprintOf } from '../input-file.ts';
import { spooled } from '../spool.ts';
import type { TableSet } from '../tables.ts';
import type { Child } from './plan.ts';
import { StagedRows } from './staged-rows.ts';
import { openStaged, type StagedFacts, type StagedTable } from './staged-table.ts';

/** Where child tables are staged: in which folder, and out of which input. */
export interface Stage {
  readonly input: string;
  readonly spoolDir: string;
  readonly tables: TableSet;
}

/** A child table that is staged. */
export interface Staged {
  readonly facts: StagedFacts;
  /** Opens it anew each time. */
  open(): StagedTable;
}

/** Stages a child table, unless it is there already, complete and of this input. */
export async function staged(stage: Stage, child: Child, signal: AbortSignal): Promise<Staged> {
  const name = nameOf(stage.input, child);
  const path = join(stage.spoolDir, name);
  const fingerprint = fingerprintFor(child);
  const there = openStaged(path, fingerprint);
  if (there === null) {
    await spooled(stage.spoolDir, async (_, part) => {
      await write(part, stage, child, fingerprint, signal);
      return name;
    });
  }
  const open = () => openStaged(path, fingerprint) ?? lost(path);
  const table = there ?? open();
  table.close();
  return { facts: table.facts, open };
}

function lost(path: string): never {
  const next = 'Start again: it is made anew.';
  throw new FatalError('unexpected', `${path} is gone or was changed.`, { place: { file: path }, next });
}

async function write(
  part: string,
  { tables, input, spoolDir }: Stage,
  child: Child,
  fingerprint: string,
  signal: AbortSignal,
): Promise<void> {
  const room = new Room(
    spoolDir,
    input,
    undefined,
    `joins ${child.table.name}, and there is no room to keep it`,
  );
  await room.assert(0);
  const file = guarded(part, input, () => new Database(part));
  try {
    const rows = guarded(part, input, () => new StagedRows(file, child));
    for await (const batch of tables.read(child.table.name, 0, signal)) {
      signal.throwIfAborted();
      await room.written(guarded(part, input, () => rows.add(batch)));
    }
    guarded(part, input, () => rows.finish(fingerprint));
  } finally {
    file.close();
  }
}

/** The same child of the same input has the same name, whatever the input holds: a newer one takes the older one's place. */
function nameOf(input: string, { table, key, where }: Child): string {
  const hash = createHash('sha256').update(JSON.stringify([input, table.name, key, where]));
  return `staged-${hash.digest('hex').slice(0, 16)}`;
}

function fingerprintFor({ table }: Child): string {
  return fingerprintOf(['staged', table.name, table.fingerprint]).digest('hex');
}

function guarded<T>(path: string, input: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    const what = `the tables that ${input} joins cannot be kept on disk: ${error.message}.`;
    throw new FatalError('unexpected', what, {
      place: { file: path },
      next: 'Make room on the disk, or choose another --work-dir, and start again.',
      cause: error,
    });
  }
}
