import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Pool } from 'pg';
import { wantedPath } from '../../app/export/folder/names.ts';
import type { Deliver } from '../../app/export/request.ts';
import { syncStateFolder, syncStatePath } from '../../app/export/sync-state/sync-state.ts';
import { endRun, findRun, journalExists, noteExported, openJournalFile } from '../../journal/index.ts';
import type { Clock, SendPermit } from '../../model/ports.ts';
import type { LoadedExportPipeline } from '../../pipeline/export-settings.ts';
import { makeOwnFolder } from '../../storage/own-folder.ts';
import {
  completeDelivery,
  type DeliveryRecord,
  deliveriesOf,
  dropDelivery,
  fenced,
  type Holding,
  noteDelivery,
  storedSyncState,
} from '../places/delivery-record.ts';
import type { OutputPlace } from '../places/place.ts';

/** Where the exports of a pipeline go, and under which lease. */
export interface Delivering extends Holding {
  readonly pool: Pool;
  readonly outputs: OutputPlace;
  /** The path of an export inside of its place, with {date}. */
  readonly to: string;
  readonly settings: LoadedExportPipeline;
  /** What the journal remembers the workspace by. */
  readonly place: string;
  readonly workDir: string;
  readonly leaseMs: number;
  readonly leave: SendPermit;
  readonly clock: Clock;
  /** Resolves once the journal is in the database, too. */
  readonly ship: () => Promise<void>;
  readonly note: (text: string) => void;
}

/**
 * Ends what earlier holders have begun: each export that may be half-way to its place is found there, or never gets there.
 * Then this machine gets what the next export needs to know of the last one.
 */
export async function settleDeliveries(delivering: Delivering): Promise<void> {
  const { pool, outputs, leaseMs } = delivering;
  for (const record of await deliveriesOf(pool, delivering)) {
    if (record.complete) continue;
    const appeared = await outputs.settle(record);
    await fenced(pool, delivering, leaseMs, (client) =>
      (appeared ? completeDelivery : dropDelivery)(client, delivering, record),
    );
  }
  const last = (await deliveriesOf(pool, delivering)).find(({ complete }) => complete);
  if (last !== undefined) await bringBack(delivering, last);
}

/** The journal and the work dir as they are after this export, whichever machine made it. */
async function bringBack(delivering: Delivering, last: DeliveryRecord): Promise<void> {
  const { workDir, settings, place, outputs, clock } = delivering;
  const path = syncStatePath(syncStateFolder(workDir, settings.pipeline, place), last.run);
  const stored = existsSync(path) ? undefined : await storedSyncState(delivering.pool, delivering, last.run);
  if (stored !== undefined) {
    makeOwnFolder(dirname(path));
    writeFileSync(`${path}.part`, stored, { mode: 0o600 });
    renameSync(`${path}.part`, path);
  }
  if (!journalExists(workDir)) return;
  const file = openJournalFile(workDir);
  try {
    const run = findRun(file, last.run);
    if (run === undefined || run.state === 'finished') return;
    noteExported(file, run.number, { counts: last.counts, folder: outputs.nameOf(last) });
    const { exitCode } = last;
    endRun(file, run.number, { state: 'finished', exitCode, message: null, endedAt: clock.now() });
  } finally {
    file.close();
  }
}

/** Puts a complete export in its place, and its sync state into the database, or neither. */
export function delivererOf(delivering: Delivering): Deliver {
  const { pool, outputs, settings, to, leaseMs } = delivering;
  return async (run, { folder: local, manifest }, syncState) => {
    await delivering.ship();
    const earlier = (await deliveriesOf(pool, delivering)).find((each) => each.run === run.id);
    const place = earlier ?? {
      run: run.id,
      token: delivering.token,
      ...(await freePlace(delivering, wantedPath(to, run.startedAt, settings.export.timezone))),
    };
    if (earlier?.complete !== true) {
      const exitCode = manifest.unreadable.length > 0 ? 3 : 0;
      const record = { ...place, counts: manifest.counts, exitCode };
      await fenced(pool, delivering, leaseMs, (client) =>
        noteDelivery(client, delivering, record, syncState),
      );
      await outputs.bring(place, local);
      await fenced(pool, delivering, leaseMs, async (client) => {
        delivering.leave.assertHeld();
        await outputs.publish(place, local);
        await completeDelivery(client, delivering, place);
      });
    }
    for (const text of await outputs.tidy(place, settings.export.keep)) delivering.note(text);
    const folder = outputs.nameOf(place);
    delivering.note(`Export ready: ${folder}`);
    rmSync(local, { recursive: true, force: true });
    return { folder, manifest };
  };
}

async function freePlace({ outputs }: Delivering, wanted: string) {
  const folder = dirname(wanted) === '.' ? '' : dirname(wanted);
  return { folder, name: await outputs.freeName(folder, basename(wanted)) };
}
