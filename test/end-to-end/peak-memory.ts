import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Ended, Running } from './command.ts';

/** Whether this machine tells how much memory a process has used at most. */
export const tellsPeakMemory = existsSync('/proc/self/status');

/** Waits for the end of a process; `peak` is the most memory it held, in bytes. */
export async function endWithPeak({ process, ended }: Running): Promise<Ended & { peak: number }> {
  let peak = 0;
  let over = false;
  const end = ended.finally(() => {
    over = true;
  });
  while (!over) {
    peak = Math.max(peak, highWater(process.pid));
    await Promise.race([end, wait(50)]);
  }
  return { ...(await end), peak };
}

/** The high-water mark of a process's resident memory; 0 where it is gone. */
function highWater(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
  } catch (error) {
    // It ended between two looks.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return 0;
    throw error;
  }
}
