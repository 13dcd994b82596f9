/** What is found out of inputs in processes of their own, and what comes of it. */
export type { InputEvent, InputJob } from '../../app/preview/run-input.ts';
