import { describe, expect, it } from 'vitest';
import type { TransportRequest, TransportResponse } from '../../src/model/ports.ts';
import { emptyPage, errorAnswer, openOn } from './open.ts';

const ada = { kind: 'email', value: 'ada@example.com' } as const;

/** Refuses contacts with 403 and answers the token check in a given way. */
function refusing(check: TransportResponse) {
  const seen: TransportRequest[] = [];
  const opened = openOn(async (request) => {
    seen.push(request);
    return request.path === '/space/user' ? check : errorAnswer(403, 'Access denied');
  });
  return { ...opened, seen };
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

  it('403 is the trouble of one row where the token passes elsewhere', async () => {
    const { workspace, clock, seen } = refusing(emptyPage);
    expect(await clock.run(workspace.contacts.read(ada))).toEqual({
      kind: 'refused',
      status: 403,
      message: 'Access denied',
    });
    expect(seen.map(({ path, query }) => `${path}?${query}`)).toEqual([
      '/contact/email:ada%40example.com?',
      '/space/user?limit=1',
    ]);
  });

  it.each([401, 403, 404])('403 stops the run where the check is answered with %i', async (status) => {
    const { workspace, clock } = refusing(errorAnswer(status, 'no'));
    await expect(clock.run(workspace.contacts.read(ada))).rejects.toMatchObject({ reason: 'unauthorized' });
  });

  it('many at once share one check', async () => {
    const { workspace, clock, seen } = refusing(emptyPage);
    await clock.run(
      Promise.all(
        Array.from({ length: 50 }, (_, id) => workspace.contacts.read({ kind: 'id', value: `${id}` })),
      ),
    );
    expect(seen.filter(({ path }) => path === '/space/user')).toHaveLength(1);
  });
});

describe('the token', () => {
  it('is taken out of the words of a server that repeats it', async () => {
    const { workspace, clock } = openOn(async () => errorAnswer(400, 'bad header: Bearer a-token-for-tests'));
    expect(await clock.run(workspace.contacts.read(ada))).toMatchObject({
      message: 'bad header: Bearer ***',
    });
  });

  it('also where the run stops', async () => {
    const { workspace, clock } = openOn(async () => errorAnswer(401, 'unknown token a-token-for-tests'));
    await expect(clock.run(workspace.contacts.read(ada))).rejects.toThrow('unknown token ***');
  });
});
