import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { endWithPeak, tellsPeakMemory } from './peak-memory.ts';
import { atScene, type Scene } from './scene.ts';

const mapping = `mapping: people
key: Id
contact:
  firstName: { from: Name }
  lastName: { from: Last }
  email: { from: Email }
customFields:
  Score: { from: Score, type: number }
`;

const seed = { customFields: [{ id: 1, name: 'Score', dataType: 'number' as const }] };

const first = { Id: '1', Name: 'First1', Last: 'Last1', Email: 'p1@example.com', Score: '7' };

/** Verifies without the rate limit, which would take minutes. */
const verifier = fileURLToPath(new URL('verify-unlimited.mjs', import.meta.url));

const pageSize = 99;
const pieces = 5_000;

/** What the workspace has once every row is imported; one of each thousand has somebody changed. */
function fill(sandbox: Sandbox, count: number): number {
  const [one] = sandbox.contacts();
  const firstId = one?.id ?? 0;
  for (let begin = 1; begin < count; begin += pieces) {
    const numbers = Array.from({ length: Math.min(pieces, count - begin) }, (_, n) => begin + n);
    sandbox.add({
      contacts: numbers.map((n) => ({
        id: firstId + n,
        firstName: 'First1',
        lastName: n % 1_000 === 0 ? 'Edited' : 'Last1',
        email: `p${n + 1}@example.com`,
        custom_fields: [{ name: 'Score', value: 7 }],
      })),
    });
  }
  return firstId;
}

/** Writes into the journal that the run imported `count` people and not one: importing them would take minutes. */
function journalOf(scene: Scene, count: number, firstId: number): void {
  const journal = new Database(join(scene.path, 'work', 'journal.db'));
  const numbers = `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count - 1})`;
  journal.exec(`
    ${numbers} INSERT INTO row (run, seq, line, outcome, key, contact, identifier)
      SELECT run, n, n + 2, outcome, n + 1, ${firstId} + n, 'email:p' || (n + 1) || '@example.com'
      FROM row, number WHERE seq = 0;
    ${numbers} INSERT INTO step (run, seq, name, item, state, intent, before, sent_at)
      SELECT run, n, name, item, state, replace(intent, 'p1@', 'p' || (n + 1) || '@'), before, sent_at
      FROM step, number WHERE seq = 0;
    UPDATE workspace SET contacts = ${count};`);
  journal.close();
}

/** Verifies an import of so many people: what it found, what it asked for, and the most memory it held. */
async function verified(count: number) {
  let found = { peak: 0, requests: 0, report: {} as unknown };
  await atScene({ mapping, rows: [first], seed, rate: 'off', logSize: 5_000 }, async (scene) => {
    const { run } = await scene.import();
    journalOf(scene, count, fill(scene.sandbox, count));
    scene.sandbox.resetLog();
    const args = [verifier, join(scene.path, 'work'), run, scene.sandbox.baseUrl];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.on('data', (piece: Buffer) => {
      stdout += piece.toString();
    });
    const ended = once(child, 'close').then(([code]) => ({
      code: Number(code),
      signal: null,
      stdout,
      stderr: '',
    }));
    const { peak } = await endWithPeak({ process: child, ended });
    expect(scene.writes()).toEqual([]);
    found = { peak, requests: scene.sandbox.log.length, report: JSON.parse(stdout) };
  });
  return found;
}

it('verifies 100,000 contacts by the pages of the list, in the memory of 50,000', async () => {
  const small = await verified(50_000);
  const large = await verified(100_000);
  expect(large.report).toMatchObject({
    way: 'list',
    written: 100_000,
    contacts: { matched: 99_901, different: 99, missing: 0 },
  });
  // Beside the pages: the custom fields.
  expect(large.requests).toBeLessThanOrEqual(Math.ceil(100_000 / pageSize) + 2);
  if (!tellsPeakMemory) return;
  expect(small.peak).toBeGreaterThan(0);
  expect(large.peak - small.peak).toBeLessThan(60e6);
});
