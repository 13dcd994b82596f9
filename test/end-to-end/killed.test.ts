import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { some } from '../long.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Running, start } from './command.ts';
import { run } from './in-process.ts';
import { inOrder, standing, writePeople } from './people.ts';

/** Where an import is killed: at the n-th request of that kind in its session, in that phase. */
interface Instant {
  readonly method: string;
  readonly path: RegExp;
  readonly phase: 'before' | 'appliedLate' | 'applied' | 'answered';
  readonly nth: number;
}

const contact = /^\/contact\//;

/** Twenty different instants, the first two before any row; the first ten are of every kind. */
const instants: readonly Instant[] = [
  { method: 'GET', path: /^\/space\/user/, phase: 'before', nth: 1 },
  { method: 'GET', path: contact, phase: 'before', nth: 1 },
  { method: 'POST', path: contact, phase: 'before', nth: 1 },
  { method: 'POST', path: contact, phase: 'applied', nth: 1 },
  { method: 'POST', path: contact, phase: 'answered', nth: 1 },
  { method: 'POST', path: contact, phase: 'appliedLate', nth: 1 },
  { method: 'PUT', path: contact, phase: 'before', nth: 1 },
  { method: 'PUT', path: contact, phase: 'applied', nth: 1 },
  { method: 'PUT', path: contact, phase: 'answered', nth: 1 },
  { method: 'PUT', path: contact, phase: 'appliedLate', nth: 1 },
  { method: 'GET', path: contact, phase: 'answered', nth: 30 },
  { method: 'POST', path: contact, phase: 'before', nth: 9 },
  { method: 'POST', path: contact, phase: 'applied', nth: 7 },
  { method: 'POST', path: contact, phase: 'answered', nth: 11 },
  { method: 'POST', path: contact, phase: 'appliedLate', nth: 8 },
  { method: 'PUT', path: contact, phase: 'applied', nth: 4 },
  { method: 'PUT', path: contact, phase: 'answered', nth: 3 },
  { method: 'POST', path: contact, phase: 'applied', nth: 13 },
  { method: 'GET', path: contact, phase: 'applied', nth: 40 },
  { method: 'POST', path: contact, phase: 'answered', nth: 5 },
];

/** Of many updates at once none is left for the later ones, nor are there so many reads. */
function isEarlyOrCreate({ method }: Instant, n: number): boolean {
  return n < 10 || method === 'POST';
}

/** How long after the connection is gone a late change is applied. */
const lateMs = 700;

/** Kills the process under test at its instant; starts counting again in each session. */
class ProcessKiller {
  #instant: Instant | undefined;
  #victim: Running | undefined;
  #seen = 0;
  #answering: number | undefined;

  aim(instant: Instant | undefined, victim: Running): void {
    this.#instant = instant;
    this.#victim = victim;
    this.#seen = 0;
    this.#answering = undefined;
  }

  async at(
    phase: string,
    request: { readonly n: number; readonly method: string; readonly path: string },
  ): Promise<void> {
    const instant = this.#instant;
    if (instant === undefined) return;
    if (phase === 'answered' && this.#answering === request.n) return this.#kill();
    if (request.method !== instant.method || !instant.path.test(request.path)) return;
    const isEarly = instant.phase === 'before' || instant.phase === 'appliedLate';
    // A read is never 'applied': it is taken when it has come.
    const turn = isEarly || request.method === 'GET' ? 'received' : 'applied';
    if (phase !== turn) return;
    this.#seen += 1;
    if (this.#seen !== instant.nth) return;
    if (instant.phase !== 'answered') {
      this.#kill();
      if (instant.phase === 'appliedLate') await wait(lateMs);
      return;
    }
    // Stopped first, so that the answer reaches its socket and nobody reads it: between answer and journal.
    this.#victim?.process.kill('SIGSTOP');
    this.#answering = request.n;
  }

  #kill(): void {
    this.#instant = undefined;
    this.#victim?.process.kill('SIGKILL');
  }
}

const shared = { workspace: 'shared', rows: 400, concurrency: '16' } as const;
/**
 * Fewer reads a row: it takes more rows until the last instants come. What is under way at a kill may take effect, so
 * that 20 at once leave 280 of 600 creates and 20 of 200 updates for the instants after them, whatever the machine does.
 */
const exclusive = { workspace: 'exclusive', rows: 800, concurrency: '20' } as const;

const modes = [
  { existing: 'refuse', processingMs: 0, settle: '2s', ...shared },
  { existing: 'duplicate', processingMs: 0, settle: '2s', ...shared },
  { existing: 'refuse', processingMs: 3_000, settle: '6s', ...shared },
  { existing: 'duplicate', processingMs: 3_000, settle: '6s', ...shared },
  { existing: 'refuse', processingMs: 0, settle: '2s', ...exclusive },
  { existing: 'duplicate', processingMs: 3_000, settle: '6s', ...exclusive },
] as const;

const tried = some(instants, 6);

describe(`an import killed with SIGKILL at ${tried.length} instants and continued each time`, () => {
  it.concurrent.each(some(modes))(
    'ends exact, with a second create: $existing and $processingMs ms of processing, $workspace',
    async ({ existing, processingMs, settle, workspace, rows, concurrency }) => {
      const folder = temporaryFolder();
      const limits = `{ settle: ${settle}, concurrency: ${concurrency} }`;
      const lookup = workspace === 'exclusive' ? 'snapshot' : 'auto';
      const people = writePeople(folder.path, rows, limits, `{ workspace: ${workspace}, lookup: ${lookup} }`);
      const killer = new ProcessKiller();
      const sandbox = await startSandbox({
        seed: people.seed,
        existing,
        processingMs,
        onPhase: (phase, request) => killer.at(phase, request),
      });
      const args = [
        'import',
        people.pipeline,
        '--json',
        '--workspace',
        sandbox.baseUrl,
        '--work-dir',
        `${folder.path}/work`,
      ];
      const env = { LONGSHORE_TOKEN: 'sandbox' };
      try {
        const all = workspace === 'exclusive' ? tried.filter(isEarlyOrCreate) : tried;
        for (const [n, instant] of all.entries()) {
          const victim = start(args, env);
          killer.aim(instant, victim);
          const { signal, code, stderr } = await victim.ended;
          expect({ n, signal, code, stderr }).toMatchObject({ n, signal: 'SIGKILL' });
        }
        const last = start(args, env);
        killer.aim(undefined, last);
        const { code, stdout, stderr } = await last.ended;
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expectWhole(JSON.parse(stdout), people.rows);
        expect(inOrder(standing(sandbox))).toEqual(inOrder(people.expected));
        await expectQuiet(args, env, sandbox, rows);
      } finally {
        await sandbox.close();
        folder.remove();
      }
    },
    600_000,
  );
});

function expectWhole(
  { rows, outcome }: { rows: Record<string, number>; outcome: string },
  total: number,
): void {
  const { read, ...byOutcome } = rows;
  const sum = Object.values(byOutcome).reduce((all, n) => all + n, 0);
  expect({ outcome, read, sum, created: byOutcome.created, notReached: byOutcome.notReached }).toEqual({
    outcome: 'finished',
    read: total,
    sum: total,
    created: (total * 3) / 4,
    notReached: 0,
  });
}

/** The same import once more sends no write. */
async function expectQuiet(
  args: readonly string[],
  env: Record<string, string>,
  sandbox: Sandbox,
  unchanged: number,
): Promise<void> {
  sandbox.resetLog();
  const { code, stdout } = await run(args, env);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).rows).toMatchObject({ unchanged, created: 0, updated: 0 });
  const writes = sandbox.log.filter(({ method }) => method !== 'GET');
  expect(writes).toEqual([]);
}
