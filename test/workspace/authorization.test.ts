import { describe, expect, it } from 'vitest';
import { AccessDeniedError } from '../../src/model/fatal-error.ts';
import type { TransportResponse } from '../../src/model/ports.ts';
import { answer, errorAnswer, openOn } from './open.ts';

const ada = { kind: 'email', value: 'ada@example.com' } as const;
const contact = answer(200, { id: 1 });
const denied = errorAnswer(403, 'Access denied');
const id = (n: number) => ({ kind: 'id', value: String(n) }) as const;

/** Answers reads of contacts by their number, each after 20 ms, and counts them. */
function answering(give: (contactId: number) => TransportResponse) {
  const seen: string[] = [];
  const opened = openOn(async ({ method, path }) => {
    seen.push(`${method} ${path}`);
    await opened.clock.sleep(20);
    return give(Number(path.slice(path.indexOf(':') + 1)));
  });
  const read = (n: number) => opened.workspace.contacts.read(id(n));
  return { ...opened, seen, read };
}

describe('a refused token', () => {
  it('401 stops the run', async () => {
    const { workspace, clock } = openOn(async () => errorAnswer(401, 'UN_AUTHORIZED'));
    await expect(clock.run(workspace.contacts.read(ada))).rejects.toMatchObject({
      name: 'FatalError',
      reason: 'unauthorized',
      message: 'The workspace refused the token (401 UN_AUTHORIZED).',
    });
  });
});

describe('403', () => {
  it('on a kind of request that has never been let through names the request and the missing permission', async () => {
    const { clock, read } = answering(() => denied);
    const error = await clock.run(read(1)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AccessDeniedError);
    expect(error).toMatchObject({
      reason: 'unauthorized',
      final: false,
      message: '403: the token lacks permission for GET /contact/{identifier} (Access denied).',
    });
  });

  it('of 64 at once five are tried; then all end, and nothing of the kind leaves any more', async () => {
    const { clock, seen, read } = answering(() => denied);
    const results = await clock.run(Promise.allSettled(Array.from({ length: 64 }, (_, n) => read(n))));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    const finals = results.filter((result) => result.status === 'rejected' && result.reason.final === true);
    expect(finals).toHaveLength(60);
    expect(seen).toHaveLength(5);
    await expect(clock.run(read(99))).rejects.toMatchObject({ final: true });
    expect(seen).toHaveLength(5);
  });

  it('is the trouble of one row where the kind of request was let through before', async () => {
    const { clock, read } = answering((n) => (n === 1 ? contact : denied));
    await clock.run(read(1));
    const answers = await clock.run(Promise.all(Array.from({ length: 20 }, (_, n) => read(n + 2))));
    expect(answers).toEqual(
      Array.from({ length: 20 }, () => ({ kind: 'refused', status: 403, message: 'Access denied' })),
    );
  });

  it('on four rows, then a success: all who waited go, and a 403 is a row of its own from then on', async () => {
    const { clock, seen, read } = answering((n) => (n === 4 || n > 10 ? contact : denied));
    const results = await clock.run(Promise.allSettled(Array.from({ length: 64 }, (_, n) => read(n))));
    const kinds = results.map((result) => (result.status === 'fulfilled' ? result.value.kind : 'open'));
    expect(kinds.slice(0, 5)).toEqual(['open', 'open', 'open', 'open', 'ok']);
    expect(kinds.slice(5, 11)).toEqual(Array.from({ length: 6 }, () => 'refused'));
    expect(kinds.slice(11).every((kind) => kind === 'ok')).toBe(true);
    expect(seen).toHaveLength(64);
  });

  it.each([
    [404, 'refused'],
    [449, 'refused'],
    [400, 'open'],
  ] as const)('after a %i of its kind leaves the row %s', async (status, end) => {
    const { clock, read } = answering((n) => (n === 1 ? errorAnswer(status, 'no') : denied));
    await clock.run(read(1));
    const kind = await clock.run(
      read(2).then(
        ({ kind }) => kind,
        () => 'open',
      ),
    );
    expect(kind).toBe(end);
  });

  it('holds nobody back who does something else', async () => {
    const { workspace, clock } = openOn(async ({ method }) => (method === 'GET' ? denied : contact));
    await expect(clock.run(workspace.contacts.read(ada))).rejects.toBeInstanceOf(AccessDeniedError);
    const { kind } = await clock.run(workspace.contacts.setLifecycle(ada, 'Customer'));
    expect(kind).toBe('unknown');
  });
});

describe('the token', () => {
  it('is taken out of the words of a server that repeats it', async () => {
    const { workspace, clock } = openOn(async () => errorAnswer(400, 'bad header: Bearer a-token-for-tests'));
    expect(await clock.run(workspace.contacts.read(ada))).toMatchObject({
      message: 'bad header: Bearer ***',
    });
  });

  it.each([401, 403])('also where the run stops with %i', async (status) => {
    const { workspace, clock } = openOn(async () => errorAnswer(status, 'unknown token a-token-for-tests'));
    await expect(clock.run(workspace.contacts.read(ada))).rejects.toThrow('unknown token ***');
  });
});
