import type { Tone } from '../../wire/project.ts';
import type { RunListEntry } from '../../wire/runs.ts';

/** The tone of each state of a run. */
export const runStateTones: Readonly<Record<RunListEntry['state'], Tone>> = {
  finished: 'good',
  running: 'good',
  elsewhere: 'quiet',
  interrupted: 'look',
  stopped: 'look',
  failed: 'bad',
};

/** Returns true for an import that has stopped after the number of rows that it was started for. */
export function isStoppedAtLimit({ state, exitCode }: Pick<RunListEntry, 'state' | 'exitCode'>): boolean {
  return state === 'stopped' && (exitCode === 0 || exitCode === 3);
}
