/** The jobs on inputs, each of which runs in a process of its own, and their events. */
export type { InputJob, InputJobEvent } from '../../app/preview/run-input.ts';
