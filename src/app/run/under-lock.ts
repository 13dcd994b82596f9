import { setMaxListeners } from 'node:events';
import {
  type CommitShipper,
  type JournalDatabase,
  type NamedLock,
  openJournalDatabase,
  takeLock,
} from '../../journal/index.ts';
import type { Clock } from '../../model/ports.ts';

/**
 * Opens the journal and runs `work` while this process holds the lock `name`. The journal stays open for the
 * report, unless this throws. Throws a FatalError (locked) if another process holds the lock.
 */
export async function withRunLock<T>(
  {
    workDir,
    clock,
    stop,
    durable,
    shipping,
  }: {
    readonly workDir: string;
    readonly clock: Clock;
    readonly stop: AbortController;
    readonly durable?: boolean;
    readonly shipping?: CommitShipper | undefined;
  },
  name: string,
  work: (file: JournalDatabase, lock: NamedLock) => Promise<T>,
): Promise<T> {
  // Every wait of a run listens to this signal, so thousands of listeners are not a leak.
  setMaxListeners(0, stop.signal);
  const file = openJournalDatabase(workDir, {
    ...(durable !== undefined && { durable }),
    shipped: shipping !== undefined,
  });
  let lock: NamedLock | undefined;
  try {
    lock = takeLock(file, workDir, name, clock, { ofFleet: shipping !== undefined });
    const end = await work(file, lock);
    lock.release();
    // The end of the run is recorded without waiting until the record is shipped, so it is shipped here.
    await shipping?.ship();
    return end;
  } catch (error) {
    lock?.release();
    file.close();
    throw error;
  }
}
