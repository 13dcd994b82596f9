import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { FatalError } from '../../model/fatal-error.ts';
import { Room } from '../../storage/room.ts';
import { spooled } from '../../storage/spool.ts';
import { guarded, openSqlite } from '../../storage/sqlite.ts';
import { fingerprintOf } from '../input-file.ts';
import type { DumpTables } from './dump-tables.ts';
import type { Child } from './plan.ts';
import { StagedRows } from './staged-rows.ts';
import { openStaged, type StagedFacts, type StagedTable } from './staged-table.ts';

/** Where child tables are staged: in which folder, and out of which input. */
export interface Stage {
  readonly input: string;
  readonly spoolDir: string;
  readonly tables: DumpTables;
}

/** A child table that is staged. */
export interface Staged {
  readonly facts: StagedFacts;
  /** Opens it anew each time. */
  open(): StagedTable;
}

/** A child table with the file that it is staged in. */
interface Place {
  readonly child: Child;
  readonly name: string;
  readonly path: string;
  readonly fingerprint: string;
}

interface Writing {
  readonly table: string;
  readonly path: string;
  readonly rows: StagedRows;
}

/** Stages child tables, but for those that are there already, complete and of this input. */
export async function staged(
  stage: Stage,
  children: readonly Child[],
  signal: AbortSignal,
): Promise<ReadonlyMap<Child, Staged>> {
  const places = new Map(children.map((child) => [child, placeOf(stage, child)]));
  const missing = new Map<string, Place>();
  for (const place of places.values()) {
    const there = openStaged(place.path, place.fingerprint);
    if (there === null) missing.set(place.name, place);
    there?.close();
  }
  const tables = [...missing.values()].map(({ child }) => child.table.name);
  for (const group of await stage.tables.together(tables, signal)) {
    const ofGroup = [...missing.values()].filter(({ child }) => group.includes(child.table.name));
    await stageTogether(stage, group, ofGroup, [], signal);
  }
  return new Map([...places].map(([child, place]) => [child, openedAt(place)]));
}

/** Opens a file for the first of these, and so on for the rest; when all are open the tables are read, once. */
async function stageTogether(
  stage: Stage,
  tables: readonly string[],
  [place, ...others]: readonly Place[],
  writing: readonly Writing[],
  signal: AbortSignal,
): Promise<void> {
  if (place === undefined) return await fill(stage, tables, writing, signal);
  await spooled(stage.spoolDir, async (_, part) => {
    const file = guarded(part, () => openSqlite(part));
    try {
      const rows = guarded(part, () => new StagedRows(file, place.child));
      const own: Writing = { table: place.child.table.name, path: part, rows };
      await stageTogether(stage, tables, others, [...writing, own], signal);
      signal.throwIfAborted();
      guarded(part, () => rows.finish(place.fingerprint));
    } finally {
      file.close();
    }
    return place.name;
  });
}

async function fill(
  { input, spoolDir, tables }: Stage,
  names: readonly string[],
  writing: readonly Writing[],
  signal: AbortSignal,
): Promise<void> {
  const lack = `joins ${names.join(', ')}, and there is no disk space for that`;
  const room = new Room(spoolDir, input, undefined, lack);
  await room.assert(0);
  for await (const { table, items } of tables.readTogether(names, signal)) {
    signal.throwIfAborted();
    for (const { table: of, path, rows } of writing)
      if (of === table) await room.written(guarded(path, () => rows.add(items)));
  }
}

/** The same child of the same input has the same name, whatever the input holds: a newer one takes the older one's place. */
function placeOf({ input, spoolDir }: Stage, child: Child): Place {
  const { table, key, where } = child;
  const hash = createHash('sha256').update(JSON.stringify([input, table.name, key, where]));
  const name = `staged-${hash.digest('hex').slice(0, 16)}`;
  const fingerprint = fingerprintOf(['staged', table.name, table.fingerprint]).digest('hex');
  return { child, name, path: join(spoolDir, name), fingerprint };
}

function openedAt({ path, fingerprint }: Place): Staged {
  const open = () => openStaged(path, fingerprint) ?? lost(path);
  const table = open();
  table.close();
  return { facts: table.facts, open };
}

function lost(path: string): never {
  const next = 'Run it again: the file is created again.';
  throw new FatalError('unexpected', `${path} is gone or was changed.`, { place: { file: path }, next });
}
