import { expect, it } from 'vitest';
import { findLongestWait, StandstillReporter } from '../../../src/app/import/row-waits.ts';
import type { RunEvent } from '../../../src/app/run/events.ts';
import { systemClock } from '../../../src/workspace/index.ts';
import { realImport } from './real-import.ts';

const mapping = 'mapping: people\nkey: Id\ncontact: { firstName: { from: Name }, email: { from: Email } }\n';
const lines = ['Id,Name,Email', '1,Ada,ada@example.com'];
const settle = ['  limits: { settle: 1h }'];
/** Asks again without a long pause; however busy the machine is, an hour is not over meanwhile. */
const waits = {
  ...systemClock,
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(Math.min(ms, 100), signal),
};

/** Lets an import wait for Ada until it says what it waits for; then she shows. Gives what it said. */
async function waitedFor(scene: Awaited<ReturnType<typeof realImport>>) {
  const said: (RunEvent & { kind: 'waiting' })[] = [];
  const begun = Date.now();
  const listen = (event: RunEvent) => {
    if (event.kind !== 'waiting') return;
    said.push(event);
    scene.sandbox.add({ contacts: [{ firstName: 'Ada', email: 'ada@example.com' }] });
  };
  const { exitCode } = await scene.import({ waits, listen });
  expect(exitCode).toBe(0);
  expect(said).toHaveLength(1);
  expect(said[0]?.until).toBeGreaterThan(begun + 50 * 60_000);
  expect(said[0]?.until).toBeLessThanOrEqual(Date.now() + 60 * 60_000);
  return said[0]?.reason;
}

it('a create without an answer says what is waited for, and until when', async () => {
  const scene = await realImport(mapping, lines, settle, '', { processingMs: 3_600_000 });
  scene.sandbox.scriptFault({ method: 'POST', path: '/contact/email*', kind: 'dropAfter' });
  expect(await waitedFor(scene)).toBe(
    'the contact of one row may have been created without an answer, and is created again only if it does not show by then (limits.settle)',
  );
});

it('a later import that waits for a contact which was created lately says why', async () => {
  const scene = await realImport(mapping, lines, [...settle, '  policy: { onDeleted: recreate }'], '', {
    processingMs: 3_600_000,
  });
  await scene.import();
  scene.write(['Id,Name,Email', '2,Ada,ada@example.com']);
  expect(await waitedFor(scene)).toBe(
    'the contact of one row was created lately and cannot be read yet (limits.settle)',
  );
});

const minute = 60_000;
const waiting = (until: number) => findLongestWait([{ for: 'newContact', until }]);

it('is said once rows stand still for two looks, once for a wait, and never with an end that is past', () => {
  const said: number[] = [];
  const notices = new StandstillReporter((event) => {
    if (event.kind === 'waiting') said.push(event.until);
  });
  expect(notices.look(waiting(2 * minute), 0)).toBeUndefined();
  expect(notices.look(undefined, 1_000)).toBeUndefined();
  expect(notices.look(waiting(2 * minute), 2_000)).toBeUndefined();
  expect(notices.look(waiting(2 * minute), 3_000)).toMatchObject({ until: 2 * minute });
  expect(notices.look(waiting(2.5 * minute), 4_000)).toMatchObject({ until: 2.5 * minute });
  expect(said).toEqual([2 * minute]);
  notices.look(waiting(10 * minute), 5_000);
  expect(said).toEqual([2 * minute, 10 * minute]);
  expect(notices.look(waiting(10 * minute), 10 * minute)).toBeUndefined();
  expect(notices.look(waiting(11 * minute), 11 * minute - 5_000)).toBeUndefined();
  expect(said).toHaveLength(2);
});

it('counts the rows of the longest wait', () => {
  const waits = [
    { for: 'sentCreate', until: 1 },
    { for: 'sentChange', until: 3 },
    { for: 'sentChange', until: 2 },
  ] as const;
  expect(findLongestWait(waits)).toMatchObject({ reason: expect.stringContaining('of 2 rows'), until: 3 });
  expect(findLongestWait([])).toBeUndefined();
});
