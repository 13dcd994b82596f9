import { expect, it } from 'vitest';
import { idToIdentifier } from '../../src/model/identifier.ts';
import { answer, emptyPage, openOn } from './open.ts';
import type { VirtualClock } from './virtual-clock.ts';

it('what answers took and what calls waited for the rate limit is measured per operation', async () => {
  const took = [40, 10, 30];
  const holder: { clock?: VirtualClock } = {};
  const { workspace, clock } = openOn(async ({ path }) => {
    if (path.endsWith('/1')) return emptyPage;
    await holder.clock?.sleep(took.shift() ?? 0);
    return answer(200, { id: 7 });
  });
  holder.clock = clock;
  for (const id of [7, 7, 7]) await clock.run(workspace.contacts.read(idToIdentifier(id)));
  const { timing } = workspace.requests()['GET /contact/{identifier}'] ?? {};
  expect(timing).toMatchObject({ answered: 3, answeredMs: 80, leastMs: 10, waitedMs: 0 });
  expect(timing?.spread.reduce((sum, n) => sum + n, 0)).toBe(3);

  const begun = clock.now();
  await clock.run(Promise.all([8, 8, 8, 8, 8, 8].map((id) => workspace.contacts.read(idToIdentifier(id)))));
  const waited = workspace.requests()['GET /contact/{identifier}']?.timing.waitedMs;
  expect(waited).toBeGreaterThanOrEqual(1_000);
  expect(waited).toBe(clock.now() - begun);
});

it('what is no answer of the workspace is not measured, nor that there were too many requests', async () => {
  const answers = [answer(429, { code: 429, message: 'no' }), answer(503, {}), answer(200, { id: 7 })];
  const { workspace, clock } = openOn(async () => answers.shift() ?? emptyPage);
  await clock.run(workspace.contacts.read(idToIdentifier(7)));
  const counts = workspace.requests()['GET /contact/{identifier}'];
  expect(counts).toMatchObject({ sent: 3, ok: 1, limited: 1, timing: { answered: 1 } });
});
