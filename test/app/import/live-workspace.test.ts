import { expect, onTestFinished, test } from 'vitest';
import { createSourceWorkspaceReader } from '../../../src/app/run/live-workspace.ts';
import type { LiveWorkspace } from '../../../src/model/ports.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/index.ts';
import { openWorkspace, systemRandomness } from '../../../src/workspace/index.ts';
import { hastyClock, hastyLimits } from '../../workspace/hasty-clock.ts';

const ids = Array.from({ length: 120 }, (_, n) => n + 1);

async function opened(options: SandboxOptions = {}): Promise<{ live: LiveWorkspace; sandbox: Sandbox }> {
  const sandbox = await startSandbox({
    rate: 'off',
    seed: {
      contacts: ids.map((id) => ({ id, firstName: `P${id}` })),
      messages: ids.map((id) => ({ messageId: id, contactId: 7, channelId: 1, traffic: 'incoming' })),
    },
    ...options,
  });
  const stop = new AbortController();
  const clock = hastyClock();
  const workspace = openWorkspace({
    baseUrl: sandbox.baseUrl,
    token: 'sandbox',
    limits: hastyLimits,
    clock,
    randomness: systemRandomness,
    signal: stop.signal,
  });
  const place = `sandbox:${sandbox.id}`;
  const live = createSourceWorkspaceReader(
    { workspace, place, close: () => sandbox.close() },
    { name: 'the old one' },
    stop.signal,
  );
  onTestFinished(() => live.close());
  return { live, sandbox };
}

test.each(['newest', 'oldest'] as const)('reads all pages of messages, %s first', async (messageOrder) => {
  const { live, sandbox } = await opened({ messageOrder });
  const read = (await live.messages(7)).map(({ messageId }) => messageId);
  expect(read.sort((a, b) => a - b)).toEqual(ids);
  expect(sandbox.log).toHaveLength(3);
  expect(sandbox.log.every(({ query }) => query.includes('limit=50'))).toBe(true);
});

test('a contact that is gone meanwhile has no messages', async () => {
  const { live } = await opened();
  expect(await live.messages(4_711)).toEqual([]);
});

test('a list that is queued is asked for again', async () => {
  const { live, sandbox } = await opened();
  const path = '/contact/{identifier}/message/list';
  sandbox.scriptFault({ method: 'GET', path, kind: '449', times: 2 });
  expect(await live.messages(7)).toHaveLength(120);
});

test('reads the contact list from a cursor on, in pages of 99', async () => {
  const { live } = await opened();
  const pages = [];
  for await (const page of live.contacts()) pages.push(page);
  expect(pages.map(({ items }) => items.length)).toEqual([99, 21]);
  const [first] = pages;
  for await (const { items, next } of live.contacts(first?.next ?? undefined)) {
    expect(items.map(({ id }) => id)).toEqual(ids.slice(99));
    expect(next).toBeNull();
  }
});

test('what goes wrong names the workspace, and says what to do', async () => {
  const { live, sandbox } = await opened();
  sandbox.scriptFault({ method: 'GET', path: '/space/custom_field', kind: '500', times: 100 });
  await expect(live.customFields()).rejects.toMatchObject({
    message: expect.stringMatching(/^The input the old one: A list of the workspace could not be read/),
    next: expect.stringContaining('copying continues where it stopped'),
  });
  sandbox.revokeToken('sandbox');
  await expect(live.users()).rejects.toMatchObject({
    reason: 'unauthorized',
    next: expect.stringContaining('LONGSHORE_SOURCE_TOKEN'),
  });
});
