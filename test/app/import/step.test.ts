import { describe, expect, it } from 'vitest';
import { performStep, settleStep } from '../../../src/app/run/step.ts';
import { FatalError } from '../../../src/model/fatal-error.ts';
import { contact } from '../../identity/contact.ts';
import { scene, settleMs } from './context.ts';
import { absent, ada, done, ok, queued, refused, scripted, unknown } from './scripted-step.ts';

describe('a step that is answered', () => {
  it('ok is done, sent once, and remembered', async () => {
    const it = scene();
    const { step, log } = scripted(it, { send: [ok] });
    expect(await it.run(performStep(it.context, step))).toEqual({
      kind: 'done',
      contactId: null,
      contact: null,
    });
    expect(log).toEqual(['send 0s']);
    expect(it.journal.lastSentAbout(ada)).toBeDefined();
  });

  it.each([
    ['refused', refused],
    ['absent', { kind: 'absent', message: 'Contact not found' } as const],
  ])('%s was surely not applied: nobody waits for whom it would have created', async (_what, answer) => {
    const it = scene();
    const { step } = scripted(it, { send: [answer] });
    expect(await it.run(performStep(it.context, step))).toEqual(answer);
    expect(it.journal.lastSentAbout(ada)).toBeUndefined();
    expect(it.open()).toMatchObject([{ state: 'refused' }]);
  });

  it('449 is sent again, with its intent, after growing pauses without its slot', async () => {
    const it = scene();
    const { step, log, aside } = scripted(it, { send: [queued, queued, queued, ok] });
    expect(await it.run(performStep(it.context, step))).toMatchObject({ kind: 'done' });
    expect(log).toEqual(['send 0s', 'send 2s', 'send 4s', 'send 8s']);
    expect(aside.count).toBe(3);
  });

  it('449 for a quarter of an hour has failed, and nothing of it was applied', async () => {
    const it = scene();
    const { step, log } = scripted(it, { send: [queued] });
    expect(await it.run(performStep(it.context, step))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('still queued after 15 minutes'),
    });
    expect(log.at(-1)).toBe('send 900s');
    expect(it.open()).toMatchObject([{ state: 'planned' }]);
    expect(it.journal.lastSentAbout(ada)).toBeUndefined();
  });
});

describe('a step that lost its answer', () => {
  it('and shows is done, not sent again', async () => {
    const it = scene();
    const { step, log, aside } = scripted(it, { send: [unknown], settle: [absent, absent, done] });
    expect(await it.run(performStep(it.context, step))).toEqual({
      kind: 'done',
      contactId: 7,
      contact: contact(7),
    });
    expect(log).toEqual(['send 0s', 'settle 0s', 'settle 0s', 'settle 1s']);
    expect(aside.count).toBe(1);
  });

  it('is sent again only when it has not shown for as long as it may take', async () => {
    const it = scene();
    const { step, log } = scripted(it, { send: [unknown, ok], settle: [absent] });
    expect(await it.run(performStep(it.context, step))).toMatchObject({ kind: 'done' });
    expect(log.filter((entry) => entry.startsWith('send'))).toEqual(['send 0s', 'send 120s']);
    expect(log.at(-2)).toBe('settle 120s');
  });

  it('after minutes of 449 is waited for as long, counted from when it left', async () => {
    const it = scene();
    const { step, log } = scripted(it, {
      send: [queued, queued, queued, queued, queued, queued, queued, unknown, ok],
      settle: [absent],
    });
    expect(await it.run(performStep(it.context, step))).toMatchObject({ kind: 'done' });
    expect(log.filter((entry) => entry.startsWith('send')).slice(-2)).toEqual(['send 124s', 'send 244s']);
  });

  it('and is acknowledged in the end after minutes of 449 is remembered from when it left', async () => {
    const it = scene();
    const { step } = scripted(it, { send: [queued, queued, queued, queued, ok] });
    await it.run(performStep(it.context, step));
    expect(it.journal.lastSentAbout(ada)).toBeGreaterThan(it.journal.begunAt + 15_000);
  });

  it('where somebody else was faster says who', async () => {
    const it = scene();
    const { step } = scripted(it, { send: [unknown], settle: [{ kind: 'other', contact: contact(9) }] });
    expect(await it.run(performStep(it.context, step))).toEqual({ kind: 'other', contact: contact(9) });
  });

  it('and cannot be read stays in the air: failed, and never sent again', async () => {
    const it = scene();
    const { step, log } = scripted(it, {
      send: [unknown],
      settle: [{ kind: 'unknown', message: 'no answer' }],
    });
    expect(await it.run(performStep(it.context, step))).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('could not be read: no answer'),
    });
    expect(log.filter((entry) => entry.startsWith('send'))).toHaveLength(1);
    expect(it.open()).toMatchObject([{ state: 'sent' }]);
    expect(it.journal.lastSentAbout(ada)).toBeDefined();
  });

  it('again and again has failed after its attempts', async () => {
    const it = scene();
    const { step, log } = scripted(it, { send: [unknown], settle: [absent], eventuallyVisible: false });
    expect(await it.run(performStep(it.context, step))).toMatchObject({ kind: 'failed' });
    expect(log.filter((entry) => entry.startsWith('send'))).toHaveLength(3);
  });

  it('and shows at once is asked for once, and may still come late over what others send', async () => {
    const it = scene();
    const { step, log } = scripted(it, { send: [unknown, ok], settle: [absent], eventuallyVisible: false });
    expect(await it.run(performStep(it.context, step))).toMatchObject({ kind: 'done' });
    expect(log).toEqual(['send 0s', 'settle 0s', 'send 0s']);
    expect(it.journal.lastSentAbout('id:7')).toBeDefined();
  });
});

describe('a step that is stopped', () => {
  const stopped = new FatalError('interrupted', 'interrupted.');

  it('before it left was not sent, as far as the next start is concerned', async () => {
    const it = scene();
    const { step } = scripted(it, { send: [stopped] });
    await expect(it.run(performStep(it.context, step))).rejects.toBe(stopped);
    expect(it.open()).toMatchObject([{ state: 'planned' }]);
    expect(it.journal.lastSentAbout(ada)).toBeUndefined();
  });

  it('by something that nobody expected stays in the air: it may have left', async () => {
    const it = scene();
    const { step } = scripted(it, { send: [new TypeError('x is not a function')] });
    await expect(it.run(performStep(it.context, step))).rejects.toThrow('x is not a function');
    expect(it.open()).toMatchObject([{ state: 'sent' }]);
    expect(it.journal.lastSentAbout(ada)).toBeDefined();
  });

  it('while it is being settled stays in the air', async () => {
    const it = scene();
    const { step } = scripted(it, { send: [unknown], settle: [absent] });
    const performing = performStep(it.context, step);
    it.world.after(5_000, null, () => it.stop.abort(stopped));
    await expect(it.run(performing)).rejects.toBe(stopped);
    expect(it.open()).toMatchObject([{ state: 'sent' }]);
    expect(it.journal.lastSentAbout(ada)).toBeDefined();
  });
});

describe('what an earlier session left in the air', () => {
  it('is waited for from when it left at the latest', async () => {
    const it = scene();
    await it.world.pass(1_000_000);
    const again = it.again();
    const { step, log } = scripted(it, { settle: [absent] });
    expect(await it.run(settleStep(again, step, again.journal.begunAt))).toBeUndefined();
    expect(log.at(-1)).toBe(`settle ${1_000 + settleMs / 1_000}s`);
  });

  it('is asked for once where the time is over, and at least once', async () => {
    const it = scene();
    await it.world.pass(1_000_000);
    const { step, log } = scripted(it, { settle: [absent] });
    expect(await it.run(settleStep(it.context, step, it.journal.begunAt))).toBeUndefined();
    expect(log).toEqual(['settle 1000s']);
  });
});
