import { describe, expect, it } from 'vitest';
import { idToIdentifier } from '../../src/model/identifier.ts';
import type { TransportRequest, TransportResponse } from '../../src/model/ports.ts';
import { createExtensionEndpoint } from '../../src/workspace/index.ts';
import { answer, errorAnswer, openOn } from './open.ts';

const attach = createExtensionEndpoint({ method: 'POST', path: '/contact/{identifier}/tag' });

function answering(response: TransportResponse) {
  const sent: TransportRequest[] = [];
  const opened = openOn((request) => {
    sent.push(request);
    return Promise.resolve(response);
  });
  return { ...opened, sent };
}

describe('a call beyond the specification', () => {
  it.each([
    [idToIdentifier(7), '/contact/id:7/tag'],
    [{ kind: 'email', value: '../../space/tag' }, '/contact/email:..%2F..%2Fspace%2Ftag/tag'],
    [{ kind: 'phone', value: '+60123456789' }, '/contact/phone:%2B60123456789/tag'],
    [{ kind: 'email', value: "$&$'@acme.test" }, "/contact/email:%24%26%24'%40acme.test/tag"],
  ] as const)('goes where it was declared, for %j', async (identifier, path) => {
    const { workspace, clock, sent } = answering(answer(200, {}));
    await clock.run(workspace.extensions.call(attach, identifier, ['a']));
    expect(sent).toEqual([{ method: 'POST', path, query: '', body: '["a"]' }]);
  });

  it('is refused where the identifier cannot be sent', async () => {
    const { workspace, clock, sent } = answering(answer(200, {}));
    const half = { kind: 'email', value: 'a\ud800@acme.test' } as const;
    expect(await clock.run(workspace.extensions.call(attach, half, []))).toMatchObject({ kind: 'refused' });
    expect(sent).toEqual([]);
  });

  it.each([
    ['an object', answer(200, { anything: [1] }), { anything: [1] }],
    ['a word', answer(201, 'done'), 'done'],
    ['null', answer(200, null), null],
    ['nothing', { status: 204, retryAfter: undefined, body: '' }, null],
    ['white space', { status: 200, retryAfter: undefined, body: ' \n' }, null],
  ])('is content with %s', async (_what, response, value) => {
    const { workspace, clock } = answering(response);
    expect(await clock.run(workspace.extensions.call(attach, idToIdentifier(7), ['a']))).toEqual({
      kind: 'ok',
      value,
    });
  });

  it.each([
    ['a page of a proxy', { status: 200, retryAfter: undefined, body: '<html>' }, 'unknown'],
    ['500', errorAnswer(500, 'no'), 'unknown'],
    ['400', errorAnswer(400, 'no'), 'refused'],
    ['404', errorAnswer(404, 'no'), 'absent'],
  ])('answered with %s is %s, and not sent again', async (_what, response, kind) => {
    const { workspace, clock, sent } = answering(response);
    expect(await clock.run(workspace.extensions.call(attach, idToIdentifier(7), ['a']))).toMatchObject({
      kind,
    });
    expect(sent).toHaveLength(1);
  });

  it('answered with 449 is sent again for a quarter of an hour, and has been queued then', async () => {
    const { workspace, clock, sent } = answering(errorAnswer(449, 'no'));
    const begun = clock.now();
    expect(await clock.run(workspace.extensions.call(attach, idToIdentifier(7), ['a']))).toEqual({
      kind: 'queued',
      message: 'no',
    });
    expect(clock.now() - begun).toBe(15 * 60_000);
    expect(sent.every(({ body }) => body === '["a"]')).toBe(true);
  });

  it('is paced like every other path, and counted under its template', async () => {
    const { workspace, clock } = answering(answer(200, {}));
    const begun = clock.now();
    const calls = Array.from({ length: 11 }, (_, n) =>
      workspace.extensions.call(attach, idToIdentifier(7), [`t${n}`]),
    );
    await clock.run(Promise.all([...calls, workspace.extensions.call(attach, idToIdentifier(8), ['a'])]));
    expect(clock.now() - begun).toBeGreaterThanOrEqual(2_000);
    expect(workspace.requests()).toMatchObject({
      'POST /contact/{identifier}/tag': { sent: 12, ok: 12, retried: 0, limited: 0, queued: 0 },
    });
  });

  it('an empty body is no answer of an operation of the specification', async () => {
    const { workspace, clock } = answering({ status: 204, retryAfter: undefined, body: '' });
    expect(await clock.run(workspace.contacts.comment(idToIdentifier(7), 'x'))).toMatchObject({
      kind: 'unknown',
    });
  });
});
