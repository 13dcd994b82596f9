import { hostname } from 'node:os';
import type { RunRecord } from '../journal/index.ts';
import type { SessionSpan } from './sessions.ts';

/** The machine that looks: it can only tell of its own processes whether they are there. */
export interface Machine {
  readonly host: string;
  /** Whether the process that had this number at `at` (ms) may still be there. */
  alive(pid: number, at: number): boolean;
}

export const thisMachine: Machine = {
  host: hostname(),
  alive(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      // Not ours to signal, but there.
      return error instanceof Error && 'code' in error && error.code === 'EPERM';
    }
  },
};

/** `elsewhere`: it began on another machine, and nobody here can say whether it still runs. */
export type RunPresence = Exclude<RunRecord['state'], 'running'> | 'running' | 'elsewhere';

/** What a run really is: one that is `running` in the journal is `interrupted` where its process is gone. */
export function presenceOf(run: RunRecord, last: SessionSpan | undefined, machine: Machine): RunPresence {
  if (run.state !== 'running') return run.state;
  if (last === undefined) return 'interrupted';
  if (last.host !== machine.host) return 'elsewhere';
  return machine.alive(last.pid, last.from) ? 'running' : 'interrupted';
}
