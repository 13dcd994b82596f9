import { fork } from 'node:child_process';
import { type JobParameters, type JobWait, jobMessageSchema, type WorkerMessage } from '../job/messages.ts';
import type { JobResult } from '../queue/job.ts';

/** The maximum number of characters of standard error that are kept; they are logged if the process crashes. */
const mostStderr = 4_000;

/** A running process of a job. */
export interface JobProcess {
  send(message: Exclude<WorkerMessage, { kind: 'job' }>): void;
  /** Kills the process with SIGKILL. */
  kill(): void;
  /**
   * Resolves when the job is prepared and its run starts to work on the workspace; never if the job ends
   * before that.
   */
  readonly prepared: Promise<void>;
  readonly ended: Promise<JobProcessEnd>;
}

export interface JobProcessEnd {
  /** The job's result. */
  readonly end: JobResult;
  /** True if the process reported its result itself, so that none of its requests is in flight. */
  readonly orderly: boolean;
}

/** Receives what the process of a job reports while it runs. */
export interface JobListener {
  note(text: string): void;
  /** Called when the job begins or stops waiting for its workspace. */
  waits(wait: JobWait | null): void;
}

/** Starts the process of a job with its parameters. */
export function startJobProcess(
  entry: string,
  order: JobParameters,
  { note, waits }: JobListener,
): JobProcess {
  const child = fork(entry, [], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let markPrepared = (): void => undefined;
  const prepared = new Promise<void>((resolve) => {
    markPrepared = resolve;
  });
  let run: string | null = null;
  let end: JobResult | undefined;
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-mostStderr);
  });
  child.on('message', (text) => {
    const message = jobMessageSchema.parse(JSON.parse(String(text)));
    if (message.kind === 'note') note(message.text);
    else if (message.kind === 'prepared') markPrepared();
    else if (message.kind === 'waits') waits(message.wait);
    else if (message.kind === 'began') run = message.run;
    else end = { ...message.end, run: message.end.run ?? run };
  });
  const send = (message: WorkerMessage) => {
    // A process that is ending receives no more messages; `ended` resolves when it exits.
    if (child.connected) child.send(JSON.stringify(message), () => undefined);
  };
  const ended = new Promise<JobProcessEnd>((resolve) => {
    const brokenDown = (by: string): JobProcessEnd => {
      const message = `the process of the job ended unexpectedly (${by}).`;
      if (stderr !== '') note(stderr.trimEnd());
      return { end: { run, exitCode: null, message, next: null }, orderly: false };
    };
    child.once('error', (error) => resolve(brokenDown(error.message)));
    child.once('close', (code, signal) =>
      resolve(end === undefined ? brokenDown(signal ?? `exit code ${code}`) : { end, orderly: true }),
    );
  });
  send({ kind: 'job', order });
  return { send, kill: () => void child.kill('SIGKILL'), prepared, ended };
}
