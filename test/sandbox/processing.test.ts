import { expect, test } from 'vitest';
import { heldClock, startForTest } from './caller.ts';

const body = { firstName: 'A' };
const target = '/contact/email:a@example.com';

test.each([449, 404] as const)(
  'a new contact cannot be used until it was processed (%i)',
  async (processingAnswer) => {
    const clock = heldClock();
    const { call, sandbox } = await startForTest({ clock, processingMs: 3000, processingAnswer });
    expect((await call('POST', target, body)).status).toBe(201);
    clock.move(2999);
    const early: readonly [string, string, unknown, number][] = [
      ['GET', target, undefined, 404],
      ['GET', '/contact/id:1', undefined, 404],
      ['PUT', target, body, processingAnswer],
      ['POST', `${target}/comment`, { text: 'x' }, processingAnswer],
      ['POST', `${target}/conversation/status`, { status: 'close' }, processingAnswer],
      ['POST', `${target}/conversation/assignee`, { assignee: null }, processingAnswer],
      ['POST', `${target}/lifecycle/update`, { name: 'x' }, 404],
      ['GET', `${target}/message/list`, undefined, 404],
      ['GET', `${target}/message/1`, undefined, processingAnswer],
      ['POST', target, body, 400],
    ];
    for (const [method, path, sent, status] of early) {
      expect((await call(method, path, sent)).status, `${method} ${path}`).toBe(status);
    }
    expect((await call('POST', '/contact/list', {})).json).toMatchObject({ items: [] });
    expect(sandbox.contacts()).toMatchObject([{ id: 1, processing: true, comments: [], status: 'open' }]);

    clock.move(1);
    expect((await call('GET', target)).json).toMatchObject({ id: 1, created_at: 1_700_000_000 });
    expect((await call('PUT', target, body)).status).toBe(200);
    expect((await call('POST', '/contact/list', {})).json).toMatchObject({ items: [{ id: 1 }] });
    expect(sandbox.contacts()).toMatchObject([{ processing: false }]);
  },
);

test('449 has a text of its own', async () => {
  const { call } = await startForTest({ processingMs: 60_000, clock: heldClock() });
  await call('POST', target, body);
  expect((await call('PUT', target, body)).json).toMatchObject({
    code: 449,
    message: expect.stringMatching(/cannot be processed now.*queued.*try again in a few minutes/),
  });
});

test('of several, reads take the first that can be seen', async () => {
  const clock = heldClock();
  const { call } = await startForTest({ clock, processingMs: 1000, existing: 'duplicate' });
  await call('POST', target, body);
  clock.move(1000);
  await call('POST', target, { firstName: 'Second' });
  expect((await call('GET', target)).json).toMatchObject({ id: 1 });
  clock.move(1000);
  expect((await call('GET', target)).json).toMatchObject({ id: 1 });
  expect((await call('POST', '/contact/list', {})).json).toMatchObject({ items: [{ id: 1 }, { id: 2 }] });
});

test('a contact in processing cannot be merged', async () => {
  const { call, sandbox } = await startForTest({ processingMs: 1000, clock: heldClock() });
  sandbox.add({ contacts: [{ firstName: 'Old' }] });
  await call('POST', target, body);
  expect((await call('POST', '/contact/merge', { ...body, contactIds: [1, 2] })).status).toBe(400);
});

test.each([
  ['absent', 404],
  ['queued', 449],
] as const)(
  'where the table lists no 449, a contact in processing is answered as %s',
  async (processingUndocumented, status) => {
    const { call } = await startForTest({ processingMs: 1000, clock: heldClock(), processingUndocumented });
    await call('POST', target, body);
    const undocumented: readonly [string, string, unknown][] = [
      ['GET', target, undefined],
      ['POST', `${target}/lifecycle/update`, { name: 'x' }],
      ['GET', `${target}/message/list`, undefined],
    ];
    for (const [method, path, sent] of undocumented) {
      expect((await call(method, path, sent)).json, `${method} ${path}`).toMatchObject({ code: status });
    }
    expect((await call('PUT', target, body)).status).toBe(449);
  },
);
