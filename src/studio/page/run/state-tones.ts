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
