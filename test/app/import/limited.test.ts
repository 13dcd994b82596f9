import { expect, it } from 'vitest';
import { answer, errorAnswer } from '../../workspace/open.ts';
import { scene } from './context.ts';
import { rowOf as row } from './input.ts';
import { outcomesOf, problemsOf, walkRows } from './walk.ts';

const minute = 60_000;
const absent = errorAnswer(404, 'Contact not found');
const created = answer(201, { code: '201', message: 'being created' });
const tooMany = errorAnswer(429, 'Too Many Requests');

const people = (n: number) =>
  Array.from({ length: n }, (_, p) => row(p + 2, { firstName: 'P', email: `p${p}@example.test` }));

it('429 without end on one row has failed it, for a retry to send, and the others go on', async () => {
  const it = scene((request) => {
    if (request.startsWith('GET')) return absent;
    return request.includes('p0@') ? tooMany : created;
  });
  await it.run(walkRows(it, it.context, people(2)));
  expect(outcomesOf(it, it.context)).toEqual(['failed', 'created']);
  expect(problemsOf(it, it.context)).toMatchObject([
    {
      code: 'workspace.failed',
      reason: '429 from the workspace: Too Many Requests, for as long as limits.outage',
    },
  ]);
  expect(it.open().map(({ state }) => state)).not.toContain('sent');
});

it('429 without end on the look-up of a row has failed it', async () => {
  const it = scene((request) => {
    if (request.startsWith('GET')) return request.includes('p0@') ? tooMany : absent;
    return created;
  });
  await it.run(walkRows(it, it.context, people(2)));
  expect(outcomesOf(it, it.context)).toEqual(['failed', 'created']);
});

it('nothing but 429 for limits.outage in the middle of a run ends it, and leaves its rows open', async () => {
  const it = scene((request) => {
    // While the limit sets in, some are answered and some are not.
    const at = it.elapsed();
    if (at > 5_000 || (at > 1_000 && it.sent.length % 2 === 0)) return tooMany;
    return request.startsWith('GET') ? absent : created;
  });
  await expect(it.run(walkRows(it, it.context, people(4_000), { batch: 50 }))).rejects.toMatchObject({
    reason: 'unreachable',
    message: expect.stringContaining('429'),
  });
  expect(it.elapsed()).toBeLessThan(16 * minute);
  expect(new Set(outcomesOf(it, it.context))).toEqual(new Set(['created']));
});
