import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TransportError } from '../../src/model/ports.ts';
import { type AttemptResult, decideVerdict } from '../../src/workspace/verdict.ts';
import { answer, errorAnswer } from './open.ts';

const reading = { response: z.number() };
const raw = (status: number, body: string): AttemptResult => ({ status, retryAfter: undefined, body });

/** Each row: what came, what it means for a request that may be sent twice, and for one that may not. */
const table: readonly (readonly [name: string, received: AttemptResult, twice: string, once: string])[] = [
  ['200 that fits', answer(200, 7), 'ok', 'ok'],
  ['201 that fits', answer(201, 7), 'ok', 'ok'],
  ['200 that does not fit', answer(200, 'seven'), 'retry', 'unknown'],
  ['200 that is not JSON', raw(200, '<html>'), 'retry silent', 'unknown silent'],
  ['200 that is cut short', raw(200, '{"a":'), 'retry silent', 'unknown silent'],
  ['204 without a body', raw(204, ''), 'retry silent', 'unknown silent'],
  ['301', raw(301, ''), 'refused', 'refused'],
  ['302', raw(302, ''), 'refused', 'refused'],
  ['307', raw(307, ''), 'refused', 'refused'],
  ['308', raw(308, ''), 'refused', 'refused'],
  ['400', errorAnswer(400, 'Validation error.'), 'refused', 'refused'],
  ['401', errorAnswer(401, 'UN_AUTHORIZED'), 'unauthorized', 'unauthorized'],
  ['403', raw(403, ''), 'forbidden', 'forbidden'],
  ['404', errorAnswer(404, 'Contact not found'), 'absent', 'absent'],
  ['409', errorAnswer(409, 'There already'), 'refused', 'refused'],
  ['422', errorAnswer(422, 'No'), 'refused', 'refused'],
  ['429', answer(429, { code: 429, message: 'Too Many Requests' }, 3), 'limited', 'limited'],
  ['449', errorAnswer(449, 'queued'), 'queued', 'queued'],
  ['500', errorAnswer(500, 'Unexpected error occurred'), 'retry silent', 'unknown silent'],
  ['502', raw(502, 'bad gateway'), 'retry silent', 'unknown silent'],
  ['503', raw(503, ''), 'retry silent', 'unknown silent'],
  ['504', raw(504, ''), 'retry silent', 'unknown silent'],
  ['599', raw(599, ''), 'retry silent', 'unknown silent'],
  ['a connection that broke', new TransportError('reset', true), 'retry silent', 'unknown silent'],
  ['a connection that never was', new TransportError('refused', false), 'retry silent', 'retry silent'],
];

function inWords(received: AttemptResult, idempotent: boolean): string {
  const result = decideVerdict(received, idempotent, reading);
  const kind = result.kind === 'settled' ? result.answer.kind : result.kind;
  return result.reached ? kind : `${kind} silent`;
}

describe('the verdict per answer', () => {
  it.each(table)('%s', (_name, received, twice, once) => {
    expect(inWords(received, true)).toBe(twice);
    expect(inWords(received, false)).toBe(once);
  });

  it('gives the words of the server', () => {
    expect(decideVerdict(errorAnswer(400, 'Validation error.'), true, reading)).toMatchObject({
      answer: { kind: 'refused', status: 400, message: 'Validation error.' },
    });
    expect(decideVerdict(raw(404, 'gone fishing'), true, reading)).toMatchObject({
      answer: { message: 'gone fishing' },
    });
    expect(decideVerdict(raw(500, 'x'.repeat(10_000)), false, reading)).toMatchObject({
      answer: { message: expect.stringMatching(/^the workspace answered 500: x{500}…$/) },
    });
  });

  it('says that a redirect was not followed', () => {
    expect(decideVerdict(raw(307, ''), true, reading)).toMatchObject({
      answer: { kind: 'refused', status: 307, message: 'redirect not followed (307)' },
    });
  });

  it('passes on how long to wait, after 429 and after 503', () => {
    expect(decideVerdict(answer(429, {}, 3), true, reading)).toMatchObject({ waitSeconds: 3 });
    expect(decideVerdict(answer(503, {}, 9), true, reading)).toMatchObject({ waitSeconds: 9 });
  });

  it('takes no damaged text that may be written back', () => {
    const damaged: AttemptResult = { ...raw(200, '7'), damaged: true };
    expect(decideVerdict(damaged, true, reading)).toMatchObject({ answer: { kind: 'ok', value: 7 } });
    expect(decideVerdict(damaged, true, { ...reading, exact: true })).toMatchObject({
      kind: 'retry',
      message: 'the workspace answered 200 with a body that is not valid UTF-8',
    });
  });
});
