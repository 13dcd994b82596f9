/** The jobs on inputs, each of which runs in a process of its own, and their events. */
export type { PreviewJob, PreviewJobEvent } from '../../app/preview/run-input.ts';
