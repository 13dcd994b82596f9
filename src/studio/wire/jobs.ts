/** The jobs that read inputs in their own processes, and their events. */
export type { InputEvent, InputJob } from '../../app/preview/run-input.ts';
