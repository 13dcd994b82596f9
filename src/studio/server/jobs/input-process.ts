import { constants, setPriority } from 'node:os';
import { type PreviewJob, type PreviewJobEvent, runPreviewJob } from '../../../app/preview/run-input.ts';
import type { Hint } from '../../../model/command.ts';

/** The kinds of short jobs, which the user waits for; the other jobs read the whole input. */
const isQuick = new Set<PreviewJob['kind']>(['look', 'row']);

/** Runs one job and sends its events; an unexpected error ends the process, with its text on standard error. */
async function work(job: PreviewJob): Promise<void> {
  // A long job must not slow down the short ones.
  if (!isQuick.has(job.kind)) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  let sent = Promise.resolve();
  const send = (event: PreviewJobEvent<Hint>): void => {
    sent = new Promise((resolve) => process.send?.(JSON.stringify(event), () => resolve()));
  };
  await runPreviewJob(job, send, new AbortController().signal);
  // Events are sent in order: once the last one is sent, all are.
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
