import { setMaxListeners } from 'node:events';
import {
  type CommitShipper,
  type JournalFile,
  type NamedLock,
  openJournalFile,
  takeLock,
} from '../../journal/index.ts';
import type { Clock } from '../../model/ports.ts';

/**
 * Opens the journal and works under the lock of that name; the journal stays open for the report. Throws a FatalError
 * 'locked' where another process holds the lock.
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
  work: (file: JournalFile, lock: NamedLock) => Promise<T>,
): Promise<T> {
  // Every wait of a run listens to this signal: thousands of listeners are no leak.
  setMaxListeners(0, stop.signal);
  const file = openJournalFile(workDir, {
    ...(durable !== undefined && { durable }),
    shipped: shipping !== undefined,
  });
  let lock: NamedLock | undefined;
  try {
    lock = takeLock(file, workDir, name, clock, { ofFleet: shipping !== undefined });
    const end = await work(file, lock);
    lock.release();
    // The record of the run's end is not awaited by its writer, so it is made durable here.
    await shipping?.ship();
    return end;
  } catch (error) {
    lock?.release();
    file.close();
    throw error;
  }
}
