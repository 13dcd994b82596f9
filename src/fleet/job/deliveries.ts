import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Pool } from 'pg';
import { expandExportPath } from '../../app/export/folder/names.ts';
import type { DeliverExport } from '../../app/export/request.ts';
import { buildSyncStateFolderPath, buildSyncStatePath } from '../../app/export/sync-state/sync-state.ts';
import {
  endRun,
  findRunById,
  hasJournal,
  openJournalDatabase,
  recordExportCompletion,
} from '../../journal/index.ts';
import type { Clock, SendPermit } from '../../model/ports.ts';
import type { LoadedExportPipeline } from '../../pipeline/export-settings.ts';
import { makeOwnerOnlyFolder } from '../../storage/own-folder.ts';
import {
  type DeliveryRecord,
  type DeliveryScope,
  inFencedTransaction,
  listDeliveries,
  markDeliveryComplete,
  readStoredSyncState,
  recordDelivery,
  removeDeliveryRecord,
} from '../places/delivery-record.ts';
import type { OutputStorage } from '../places/place.ts';

/** The storage of a pipeline's exports, and the lease under which they are delivered. */
export interface DeliveryContext extends DeliveryScope {
  readonly pool: Pool;
  readonly outputs: OutputStorage;
  /** The path of an export in the storage, with {date}. */
  readonly to: string;
  readonly settings: LoadedExportPipeline;
  /** The workspace as the journal identifies it. */
  readonly place: string;
  readonly workDir: string;
  readonly leaseMs: number;
  readonly leave: SendPermit;
  readonly clock: Clock;
  /** Ships the journal; resolves when the database has it. */
  readonly ship: () => Promise<void>;
  readonly note: (text: string) => void;
}

/**
 * Settles the incomplete deliveries of earlier lease holders, so that each is published or never will be; then fetches
 * the sync state of the last complete one.
 */
export async function settleDeliveries(delivering: DeliveryContext): Promise<void> {
  const { pool, outputs, leaseMs } = delivering;
  for (const record of await listDeliveries(pool, delivering)) {
    if (record.complete) continue;
    const appeared = await outputs.settle(record);
    await inFencedTransaction(pool, delivering, leaseMs, (client) =>
      (appeared ? markDeliveryComplete : removeDeliveryRecord)(client, delivering, record),
    );
  }
  const last = (await listDeliveries(pool, delivering)).find(({ complete }) => complete);
  if (last !== undefined) await bringBack(delivering, last);
}

/** Updates the local journal and sync state to the last export, which another machine may have made. */
async function bringBack(delivering: DeliveryContext, last: DeliveryRecord): Promise<void> {
  const { workDir, settings, place, outputs, clock } = delivering;
  const path = buildSyncStatePath(buildSyncStateFolderPath(workDir, settings.pipeline, place), last.run);
  const stored = existsSync(path)
    ? undefined
    : await readStoredSyncState(delivering.pool, delivering, last.run);
  if (stored !== undefined) {
    makeOwnerOnlyFolder(dirname(path));
    writeFileSync(`${path}.part`, stored, { mode: 0o600 });
    renameSync(`${path}.part`, path);
  }
  if (!hasJournal(workDir)) return;
  const file = openJournalDatabase(workDir);
  try {
    const run = findRunById(file, last.run);
    if (run === undefined || run.state === 'finished') return;
    recordExportCompletion(file, run.number, { counts: last.counts, folder: outputs.nameOf(last) });
    const { exitCode } = last;
    endRun(file, run.number, { state: 'finished', exitCode, message: null, endedAt: clock.now() });
  } finally {
    file.close();
  }
}

/** Returns a function that publishes an export and saves its sync state, both or neither. */
export function createExportDeliverer(delivering: DeliveryContext): DeliverExport {
  const { pool, outputs, settings, to, leaseMs } = delivering;
  return async (run, { folder: local, manifest }, syncState) => {
    await delivering.ship();
    const earlier = (await listDeliveries(pool, delivering)).find((each) => each.run === run.id);
    const place = earlier ?? {
      run: run.id,
      token: delivering.token,
      ...(await freePlace(delivering, expandExportPath(to, run.startedAt, settings.export.timezone))),
    };
    if (earlier?.complete !== true) {
      const exitCode = manifest.unreadable.length > 0 ? 3 : 0;
      const record = { ...place, counts: manifest.counts, exitCode };
      await inFencedTransaction(pool, delivering, leaseMs, (client) =>
        recordDelivery(client, delivering, record, syncState),
      );
      await outputs.bring(place, local);
      await inFencedTransaction(pool, delivering, leaseMs, async (client) => {
        delivering.leave.assertHeld();
        await outputs.publish(place, local);
        await markDeliveryComplete(client, delivering, place);
      });
    }
    for (const text of await outputs.tidy(place, settings.export.keep)) delivering.note(text);
    const folder = outputs.nameOf(place);
    delivering.note(`Export ready: ${folder}`);
    rmSync(local, { recursive: true, force: true });
    return { folder, manifest };
  };
}

async function freePlace({ outputs }: DeliveryContext, wanted: string) {
  const folder = dirname(wanted) === '.' ? '' : dirname(wanted);
  return { folder, name: await outputs.freeName(folder, basename(wanted)) };
}
