import { hostname } from 'node:os';
import type { RunRecord } from '../journal/index.ts';
import type { SessionSpan } from './sessions.ts';

/** Checks processes of the machine on which the status is read; those of other machines cannot be checked. */
export interface ProcessProbe {
  readonly host: string;
  /** Returns true if the process that had this id at `at` (ms since 1970) may still run. */
  alive(pid: number, at: number): boolean;
}

/** The local machine; every process with the id counts, whenever it started. */
export const localProcessProbe: ProcessProbe = {
  host: hostname(),
  alive(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      // The process exists and belongs to another user.
      return error instanceof Error && 'code' in error && error.code === 'EPERM';
    }
  },
};

/** `elsewhere`: the last session ran on another machine, so this machine cannot tell whether it still runs. */
export type ObservedRunState = Exclude<RunRecord['state'], 'running'> | 'running' | 'elsewhere';

/** Returns the state of a run; one that is `running` in the journal is `interrupted` if its process has died. */
export function deriveRunState(
  run: RunRecord,
  last: SessionSpan | undefined,
  machine: ProcessProbe,
): ObservedRunState {
  if (run.state !== 'running') return run.state;
  if (last === undefined) return 'interrupted';
  if (last.host !== machine.host) return 'elsewhere';
  return machine.alive(last.pid, last.from) ? 'running' : 'interrupted';
}
