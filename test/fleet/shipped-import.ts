import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { newKeyText } from './fleet-database.ts';
import { folder } from './shipped-journal.ts';

const script = fileURLToPath(new URL('processes/import-shipped.mjs', import.meta.url));

const saidSchema = z.object({
  stopped: z.literal(true).optional(),
  from: z.string().optional(),
  exitCode: z.int().optional(),
  rows: z.record(z.string(), z.number()).optional(),
  error: z.object({ reason: z.string(), message: z.string() }).optional(),
});
/** What a job prints: that it stops itself now, or how it ended. */
export type Said = z.output<typeof saidSchema>;

/** How many people the import has. */
export const rows = 60;
const mapping = `mapping: people
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
comments: [{ name: origin, text: "Record {Id}" }]
`;

/** Where a job stops itself: at the n-th time that it comes there. */
export interface StopAt {
  readonly place: 'committed' | 'leaving' | 'held';
  readonly nth: number;
}

/** An import into a sandbox of its own, and the jobs that do it. */
export interface ShippedImport {
  readonly sandbox: Sandbox;
  /** Starts a job on a machine of its own. */
  readonly start: (stopAt?: StopAt) => Job;
}

/** An import of a few people into a sandbox, as a job of a fleet, on as many machines as a test likes. */
export async function shippedImport(url: string, workspace: string, leaseMs = 3_000): Promise<ShippedImport> {
  const sandbox = await startSandbox({ strict: true, rate: 'off', faults: { latency: { min: 5, max: 20 } } });
  onTestFinished(() => sandbox.close());
  const path = folder();
  const lines = Array.from({ length: rows }, (_, n) => `${n},Ada${n},ada${n}@example.com`);
  writeFileSync(join(path, 'people.csv'), `Id,Name,Email\n${lines.join('\n')}\n`);
  writeFileSync(join(path, 'mapping.yaml'), mapping);
  const pipeline = {
    pipeline: 'people',
    import: {
      source: { format: 'csv', path: 'people.csv' },
      mapping: 'mapping.yaml',
      limits: { concurrency: 4, settle: '0s' },
    },
  };
  writeFileSync(join(path, 'pipeline.yaml'), JSON.stringify(pipeline));
  const key = newKeyText();
  const begun: Job[] = [];
  onTestFinished(() => {
    for (const job of begun) job.process.kill('SIGKILL');
  });
  const start = (stopAt?: StopAt): Job => {
    const job = {
      ...{ url, workDir: folder(), workspace, key, baseUrl: sandbox.baseUrl, stopAt },
      ...{ pipeline: join(path, 'pipeline.yaml'), leaseMs },
    };
    const started = new Job(
      spawn(process.execPath, [script, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    begun.push(started);
    return started;
  };
  return { sandbox, start };
}

class Job {
  readonly process: ChildProcessByStdio<null, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(process: ChildProcessByStdio<null, Readable, null>) {
    this.process = process;
    this.#lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  }

  /** What it says next: that it stops itself now, or how it ended. */
  async said(): Promise<Said> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('the job ended without a word');
    return saidSchema.parse(JSON.parse(value));
  }
}
