import type { Tone } from '../../wire/project.ts';
import type { RunLine } from '../../wire/runs.ts';

/** How well a run is, by its state. */
export const stateTones: Readonly<Record<RunLine['state'], Tone>> = {
  finished: 'good',
  running: 'good',
  elsewhere: 'quiet',
  interrupted: 'look',
  stopped: 'look',
  failed: 'bad',
};
