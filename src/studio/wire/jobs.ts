/** What is found out of inputs in processes of their own, and what comes of it. */
export type { InputEvent, InputJob } from '../../runs/preview/run-input.ts';
