import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { latch, startForTest } from './caller.ts';

test('each phase is told in its order, and a change is there once it is applied', async () => {
  const told: unknown[] = [];
  let sandbox: Sandbox | undefined;
  const started = await startForTest({
    seed: { contacts: [{ firstName: 'A' }] },
    onPhase: (phase, { method, template, body, status }) => {
      told.push([phase, method, template, body, status, sandbox?.comments(1).length]);
    },
  });
  sandbox = started.sandbox;
  const body = { text: 'x' };
  await started.call('POST', '/contact/id:1/comment', body);
  await started.call('GET', '/contact/id:1');
  await started.call('POST', '/contact/id:1/comment', {});
  const comment = ['POST', '/contact/{identifier}/comment'];
  const read = ['GET', '/contact/{identifier}', undefined];
  // The last hook runs after the answer left, so the client may be ahead of it.
  await expect.poll(() => told.length).toBe(7);
  expect(told).toEqual([
    ['received', ...comment, body, 0, 0],
    ['applied', ...comment, body, 0, 1],
    ['answered', ...comment, undefined, 201, 1],
    ['received', ...read, 0, 1],
    ['answered', ...read, 200, 1],
    ['received', ...comment, {}, 0, 1],
    ['answered', ...comment, undefined, 400, 1],
  ]);
});

test('processing waits for a hook; no answer leaves before it is done', async () => {
  const gate = latch();
  const applied = latch();
  const { call, sandbox } = await startForTest({
    onPhase: (phase) => {
      if (phase !== 'applied') return undefined;
      applied.resolve();
      return gate.promise;
    },
  });
  let answered = false;
  const sent = call('POST', '/contact/email:a@example.com', { firstName: 'A' }).then(() => {
    answered = true;
  });
  await applied.promise;
  expect(sandbox.contacts()).toHaveLength(1);
  await call('GET', '/contact/id:1');
  expect(answered).toBe(false);
  gate.resolve();
  await sent;
  expect(answered).toBe(true);
});

test.each(['received', 'applied'] as const)(
  'a change is made although the client left at "%s"',
  async (when) => {
    const reached = latch();
    const gone = latch();
    const { sandbox } = await startForTest({
      onPhase: async (phase) => {
        if (phase !== when) return;
        reached.resolve();
        await gone.promise;
      },
    });
    const socket = connect(sandbox.port, '127.0.0.1');
    const body = JSON.stringify({ firstName: 'A' });
    socket.write(
      [
        'POST /v1/contact/email:a@example.com HTTP/1.1',
        'host: 127.0.0.1',
        'authorization: Bearer sandbox',
        'content-type: application/json',
        `content-length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    );
    await reached.promise;
    socket.destroy();
    await once(socket, 'close');
    gone.resolve();
    await expect
      .poll(() => sandbox.log)
      .toMatchObject([{ applied: true, template: '/contact/{identifier}' }]);
    expect(sandbox.contacts()).toMatchObject([{ email: 'a@example.com' }]);
  },
);

test('a close lets the requests in work finish', async () => {
  const gate = latch();
  const reached = latch();
  const finished: string[] = [];
  const { sandbox, call } = await startForTest({
    onPhase: (phase) => {
      if (phase !== 'received') return undefined;
      reached.resolve();
      return gate.promise;
    },
    onRequest: ({ template, applied }) => finished.push(`${template} ${applied}`),
  });
  const sent = call('POST', '/contact/email:a@example.com', { firstName: 'A' }).catch(() => 'gone');
  await reached.promise;
  const closed = sandbox.close();
  await sent;
  // Time enough for a close that would not wait: the request must still find its workspace open.
  await delay(50);
  gate.resolve();
  await closed;
  expect(finished).toEqual(['/contact/{identifier} true']);
});
