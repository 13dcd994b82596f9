import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FleetDatabase, fleetDatabase } from './fleet-database.ts';
import { rows, type Said, type StopAt, shippedImport } from './shipped-import.ts';

/** How long jobs are stopped; `npm run fleet:stops -- --seconds 3,60,600` stops them for longer. */
const lengths = (process.env.LONGSHORE_STOP_SECONDS ?? '3').split(',').map(Number);

/** Shorter than the stop: another machine has the workspace then. */
const leaseOf = (seconds: number) => Math.min(10_000, (seconds * 1_000 * 2) / 3);

/** How many are played at once: a machine that is busy with too many lets a short lease go by itself. */
const atOnceFor = (seconds: number) => (seconds < 30 ? 4 : Number.POSITIVE_INFINITY);

/** Between the commit of a request's intent and its bytes at the operating system. */
const stops: readonly StopAt[] = [
  ...[4, 11, 18].map((nth) => ({ place: 'committed' as const, nth })),
  ...[30, 60, 90].map((nth) => ({ place: 'leaving' as const, nth })),
];

/** Behind the last look at the lease: what is written then is the request that it was for. */
const behindTheLook: readonly StopAt[] = Array.from({ length: 8 }, (_, n) => ({
  place: 'held',
  nth: 30 + 10 * n,
}));

let database: FleetDatabase;
beforeAll(async () => {
  database = await fleetDatabase();
});
afterAll(() => database.remove());

/** What was written to a workspace, by its log. */
interface Stopped {
  /** Sent by the job that was stopped, once it continued. */
  readonly late: readonly string[];
  /** How it ended. */
  readonly message: string | undefined;
  /** Comments that the journal lists as uncertain. */
  readonly uncertain: number;
}

/** Stops a job for so long; meanwhile another machine does all that is left. Then it continues, to its end. */
async function playStop(stopAt: StopAt, seconds: number, attempt = 1): Promise<Stopped> {
  const workspace = `${stopAt.place} ${stopAt.nth} ${seconds} ${attempt}`;
  const { sandbox, start } = await shippedImport(database.postgres.url, workspace, leaseOf(seconds));
  const stopped = start(stopAt);
  const first = await stopped.said();
  if (hasLost(first) && attempt < mostAttempts) return await playStop(stopAt, seconds, attempt + 1);
  expect(first, workspace).toEqual({ stopped: true });
  const length = wait(seconds * 1_000);
  let ended = await start().said();
  for (let more = 1; hasLost(ended) && more < mostAttempts; more += 1) ended = await start().said();
  expect(ended.from, workspace).toBe('restored');
  await length;
  const before = sandbox.log.length;
  stopped.process.kill('SIGCONT');
  const { error } = await stopped.said();
  // What nobody waits for any more has its effect, too, and is in the log then: the sandbox takes 20 ms at most.
  await wait(500);
  const late = sandbox.log.slice(before).map(({ method, path, status }) => `${method} ${path} ${status}`);
  const uncertain = ended.rows?.uncertain ?? 0;
  expect(sandbox.contacts(), workspace).toHaveLength(rows);
  const comments = sandbox.contacts().map(({ id }) => sandbox.comments(id).length);
  expect(Math.max(...comments), workspace).toBe(1);
  expect(comments.filter((n) => n === 0).length, workspace).toBeLessThanOrEqual(uncertain);
  expect(ended.exitCode, workspace).toBe(uncertain === 0 ? 0 : 3);
  return { late, message: error?.message, uncertain };
}

/** On a busy machine a short lease may end before the job has come to where it is stopped, or to its end. */
const hasLost = ({ error }: Said): boolean => error?.message.includes('has lost its lease') ?? false;
const mostAttempts = 5;

const lost = expect.stringContaining('has lost its lease on the workspace, so nothing more was sent');

async function playAll(all: readonly StopAt[], seconds: number): Promise<readonly Stopped[]> {
  const played: Stopped[] = [];
  while (played.length < all.length) {
    const next = all.slice(played.length, played.length + atOnceFor(seconds));
    played.push(...(await Promise.all(next.map((stopAt) => playStop(stopAt, seconds)))));
  }
  for (const [n, { late, uncertain }] of played.entries()) {
    const { place, nth } = all[n] ?? {};
    const sent = late.length === 0 ? 'nothing' : late.join(', ');
    process.stdout.write(`${seconds} s at ${place} ${nth}: sent ${sent}; ${uncertain} uncertain\n`);
  }
  return played;
}

const patience = (seconds: number) => (seconds + 240) * 1_000;

for (const seconds of lengths) {
  it(
    `a job that is stopped for ${seconds} s before it looks at its lease sends nothing more`,
    async () => {
      for (const { late, message } of await playAll(stops, seconds)) {
        expect(late).toEqual([]);
        expect(message).toEqual(lost);
      }
    },
    patience(seconds),
  );

  it(
    `a job that is stopped for ${seconds} s behind that look sends that one request, and nothing is there twice`,
    async () => {
      for (const { late, message } of await playAll(behindTheLook, seconds)) {
        expect(late.length).toBeLessThanOrEqual(1);
        expect(message).toEqual(lost);
      }
    },
    patience(seconds),
  );
}
