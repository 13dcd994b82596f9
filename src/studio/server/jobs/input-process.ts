import { constants, setPriority } from 'node:os';
import { type InputEvent, type InputJob, runInput } from '../../../app/preview/run-input.ts';

/** What is there in a moment, and waited for; everything else reads all of its input. */
const isQuick = new Set<InputJob['kind']>(['look', 'row']);

/** Does one job and tells what it finds; what nobody expected ends the process, with its text on standard error. */
async function work(job: InputJob): Promise<void> {
  // Whoever types meanwhile comes first.
  if (!isQuick.has(job.kind)) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  let sent = Promise.resolve();
  const tell = (event: InputEvent): void => {
    sent = new Promise((resolve) => process.send?.(JSON.stringify(event), () => resolve()));
  };
  await runInput(job, tell, new AbortController().signal);
  // They arrive in their order: with the last one all have.
  await sent;
}

// Nobody hears it any more.
const endAtOnce = (): void => process.exit();

process.once('disconnect', endAtOnce);
process.once('message', async (text) => {
  await work(JSON.parse(String(text)));
  process.off('disconnect', endAtOnce);
  process.disconnect();
});
