import { constants, setPriority } from 'node:os';
import { type InputJob, type InputJobEvent, runInputJob } from '../../../app/preview/run-input.ts';
import type { Hint } from '../../../model/command.ts';

/** The short jobs that a user waits for; all others read the whole input. */
const isQuick = new Set<InputJob['kind']>(['look', 'row']);

/** Runs one job and sends its events; an unexpected error ends the process, with its text on standard error. */
async function work(job: InputJob): Promise<void> {
  // A long job has a lower priority than the editor.
  if (!isQuick.has(job.kind)) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  let sent = Promise.resolve();
  const send = (event: InputJobEvent<Hint>): void => {
    sent = new Promise((resolve) => process.send?.(JSON.stringify(event), () => resolve()));
  };
  await runInputJob(job, send, new AbortController().signal);
  // Events arrive in order: after the last one all have arrived.
  await sent;
}

// Ends the process once the studio closes the channel.
const endAtOnce = (): void => process.exit();

process.once('disconnect', endAtOnce);
process.once('message', async (text) => {
  await work(JSON.parse(String(text)));
  process.off('disconnect', endAtOnce);
  process.disconnect();
});
