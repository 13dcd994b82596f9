import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkspaceAnswer } from '../../src/model/answer.ts';
import { idToIdentifier } from '../../src/model/identifier.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { parseBaseUrl } from '../../src/workspace/address.ts';
import {
  defaultWorkspaceLimits,
  openWorkspace,
  systemClock,
  systemRandomness,
  type Workspace,
} from '../../src/workspace/index.ts';
import { createPoolTransport } from '../../src/workspace/pool-transport.ts';

const tenTags = Array.from({ length: 10 }, (_, tag) => `tag ${tag}`);
const category = 'c'.repeat(128);
const seed: SandboxOptions['seed'] = {
  users: [{ id: 1, firstName: 'Olive', lastName: 'Owner', email: 'olive@acme.test', role: 'owner' }],
  closingNotes: [{ category }],
  contacts: [
    { id: 1, firstName: 'Ada', email: 'ada@acme.test', tags: tenTags },
    ...Array.from({ length: 120 }, (_, more) => ({ id: 2 + more, firstName: `Contact ${more}` })),
  ],
  messages: Array.from({ length: 60 }, () => ({
    contactId: 1,
    channelId: 12,
    message: { type: 'text', text: 'Hi' },
  })),
};
const ada = idToIdentifier(1);

function open(baseUrl: string, count: number): Workspace {
  return openWorkspace({
    baseUrl,
    token: 'sandbox',
    limits: { ...defaultWorkspaceLimits, perPath: { count, ms: 1_000 } },
    clock: systemClock,
    randomness: systemRandomness,
    signal: new AbortController().signal,
  });
}

describe('the limits table', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;

  beforeAll(async () => {
    sandbox = await startSandbox({ seed, rate: 'off', listLimit: 99 });
    workspace = open(sandbox.baseUrl, 1_000);
  });

  afterAll(async () => {
    await workspace.close(1_000);
    await sandbox.close();
  });

  const status = (answer: WorkspaceAnswer<unknown>) =>
    answer.kind === 'refused' ? answer.status : answer.kind;

  it.each([
    ['page size, at least 1', (limit: number) => workspace.users.list({ limit }), 1, 0],
    ['page size, at most 100', (limit: number) => workspace.users.list({ limit }), 100, 101],
    ['contact list, below 100', (limit: number) => workspace.contacts.list({ limit }), 99, 100],
    ['message list, at most 50', (limit: number) => workspace.messages.list(ada, { limit }), 50, 51],
    ['comment text', (length: number) => workspace.contacts.comment(ada, 'x'.repeat(length)), 1_000, 1_001],
    [
      'closing note category',
      (length: number) =>
        workspace.conversations.setStatus(ada, { status: 'close', category: 'c'.repeat(length) }),
      128,
      129,
    ],
    [
      'closing summary',
      (length: number) =>
        workspace.conversations.setStatus(ada, { status: 'close', category, summary: 's'.repeat(length) }),
      512,
      513,
    ],
  ] as const)(
    '%s: what is allowed passes, what is beyond is refused',
    async (_limit, call, allowed, beyond) => {
      expect(status(await call(allowed))).toBe('ok');
      expect(status(await call(beyond))).toBe(400);
    },
  );

  it('a comment that is too long is refused with the words of the specification', async () => {
    expect(await workspace.contacts.comment(ada, 'x'.repeat(1_001))).toMatchObject({
      message: expect.stringContaining('must not exceed 1000 characters'),
    });
  });

  it('ten tags of a contact are read', async () => {
    expect(await workspace.contacts.read(ada)).toMatchObject({ value: { tags: tenTags } });
  });

  it('two contacts are merged per call; three, which the client has no words for, are refused', async () => {
    const transport = createPoolTransport({
      address: parseBaseUrl(sandbox.baseUrl),
      token: 'sandbox',
      connections: 1,
      connectMs: 10_000,
      clock: systemClock,
    });
    const body = JSON.stringify({ contactIds: [1, 2, 3], firstName: 'Three' });
    expect(await transport.send({ method: 'POST', path: '/contact/merge', query: '', body })).toMatchObject({
      status: 400,
    });
    await transport.close();
  });

  it.each(['empty', 'null', 'absent'] as const)(
    'every page is read where the last next is %s',
    async (lastNext) => {
      const other = await startSandbox({ seed, rate: 'off', listLimit: 99, lastNext });
      const reader = open(other.baseUrl, 1_000);
      const ids: number[] = [];
      for await (const page of reader.paginate(reader.contacts.list))
        ids.push(...page.items.map(({ id }) => id));
      const messages: number[] = [];
      for await (const page of reader.paginate((asked) => reader.messages.list(ada, asked))) {
        messages.push(...page.items.map(({ messageId }) => messageId));
      }
      expect(new Set(ids).size).toBe(121);
      expect(ids).toHaveLength(121);
      expect(new Set(messages).size).toBe(60);
      await reader.close(0);
      await other.close();
    },
  );
});

describe('the request rate', () => {
  it('beyond 5 a second on one path is refused with Retry-After, waited out, and holds up no other path', async () => {
    const sandbox = await startSandbox({ seed });
    const hurried = open(sandbox.baseUrl, 1_000);
    const six = Promise.all(Array.from({ length: 6 }, () => hurried.users.list({})));
    const others = await Promise.all(
      Array.from({ length: 20 }, (_, more) => hurried.contacts.read({ kind: 'id', value: `${2 + more}` })),
    );
    expect(others.every(({ kind }) => kind === 'ok')).toBe(true);
    expect(hurried.requests()['GET /contact/{identifier}']).toMatchObject({ sent: 20, limited: 0 });
    expect((await six).every(({ kind }) => kind === 'ok')).toBe(true);
    expect(hurried.requests()['GET /space/user']).toMatchObject({ sent: 7, ok: 6, limited: 1 });
    await hurried.close(0);
    await sandbox.close();
  });

  it('is kept to by the client itself', async () => {
    const sandbox = await startSandbox({ seed });
    const patient = open(sandbox.baseUrl, 5);
    await Promise.all(Array.from({ length: 11 }, () => patient.users.list({})));
    expect(patient.requests()['GET /space/user']).toMatchObject({ sent: 11, ok: 11, limited: 0 });
    await patient.close(0);
    await sandbox.close();
  });
});
