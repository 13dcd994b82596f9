import { type MessagePort, parentPort } from 'node:worker_threads';
import { FatalError } from '../../../model/fatal-error.ts';
import { toFatalSystemError } from '../../../storage/system-error.ts';
import { yamlJobs } from './yaml-jobs.ts';

/** A job with its parameter, and the port for its result. */
interface JobRequest {
  readonly name: keyof typeof yamlJobs;
  readonly sent: never;
  readonly port: MessagePort;
}

parentPort?.on('message', async ({ name, sent, port }: JobRequest) => {
  try {
    port.postMessage({ result: await yamlJobs[name](sent) });
  } catch (thrown) {
    const error = toFatalSystemError(thrown) ?? thrown;
    if (error instanceof FatalError) {
      const { reason, message, place, next } = error;
      port.postMessage({ refused: { reason, message, more: { place, next } } });
    } else
      port.postMessage({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
