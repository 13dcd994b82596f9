import { fork } from 'node:child_process';
import { fromJob, type JobOrder, type ToJob } from '../job/messages.ts';
import type { JobEnd } from '../queue/job.ts';

/** As much as is kept of what a process says when it breaks down. */
const mostSaid = 4_000;

/** The process of a job. */
export interface JobChild {
  tell(message: Exclude<ToJob, { kind: 'job' }>): void;
  /** Ends it at once, as a power failure would. */
  kill(): void;
  readonly ended: Promise<ChildEnd>;
}

export interface ChildEnd {
  /** What the job came to. */
  readonly end: JobEnd;
  /** Whether it said so itself: then nothing of it is on its way any more. */
  readonly orderly: boolean;
}

/** Starts the process of a job and gives it its order. */
export function startJob(entry: string, order: JobOrder, note: (text: string) => void): JobChild {
  const child = fork(entry, [], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let run: string | null = null;
  let end: JobEnd | undefined;
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-mostSaid);
  });
  child.on('message', (text) => {
    const message = fromJob.parse(JSON.parse(String(text)));
    if (message.kind === 'note') note(message.text);
    else if (message.kind === 'began') run = message.run;
    else end = { ...message.end, run: message.end.run ?? run };
  });
  const tell = (message: ToJob) => {
    // One that is ending hears nothing any more; how it ended is told by its end.
    if (child.connected) child.send(JSON.stringify(message), () => undefined);
  };
  const ended = new Promise<ChildEnd>((resolve) => {
    const brokenDown = (by: string): ChildEnd => {
      const message = `the process of the job ended unexpectedly (${by}).`;
      if (said !== '') note(said.trimEnd());
      return { end: { run, exitCode: null, message, next: null }, orderly: false };
    };
    child.once('error', (error) => resolve(brokenDown(error.message)));
    child.once('close', (code, signal) =>
      resolve(end === undefined ? brokenDown(signal ?? `exit code ${code}`) : { end, orderly: true }),
    );
  });
  tell({ kind: 'job', order });
  return { tell, kill: () => void child.kill('SIGKILL'), ended };
}
