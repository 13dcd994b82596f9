import { describe, expect, it } from 'vitest';
import { type PlannedStep, performStep } from '../../../src/app/run/step.ts';
import { FatalError } from '../../../src/model/fatal-error.ts';
import { openFile } from '../../journal/work-dir.ts';
import { type Scene, scene, settleMs } from './context.ts';
import { ok, queued, refused, scripted, unknown } from './scripted-step.ts';

const notThere = { kind: 'absent', message: 'Contact not found' } as const;

describe('a step of a contact that was just created', () => {
  it('waits while 404 is answered, with growing pauses, without holding up others', async () => {
    const it = scene();
    const { step, log, aside } = scripted(it, { send: [...Array<typeof notThere>(6).fill(notThere), ok] });
    expect(await it.run(performStep(it.context, step, it.journal.begunAt))).toMatchObject({ kind: 'done' });
    expect(log).toEqual(['send 0s', 'send 0s', 'send 1s', 'send 2s', 'send 4s', 'send 8s', 'send 13s']);
    expect(aside.count).toBe(6);
  });

  it('is given up when the contact has had its time, counted from its create', async () => {
    const it = scene();
    const { step, log } = scripted(it, { send: [notThere] });
    const newSince = it.journal.begunAt - 60_000;
    expect(await it.run(performStep(it.context, step, newSince))).toEqual(notThere);
    expect(log.at(-1)).toBe(`send ${(settleMs - 60_000) / 1_000}s`);
    expect(it.open()).toMatchObject([{ state: 'refused' }]);
  });

  it('does not wait for anything else than 404', async () => {
    const it = scene();
    const { step, log } = scripted(it, { send: [refused] });
    expect(await it.run(performStep(it.context, step, it.journal.begunAt))).toEqual(refused);
    expect(log).toEqual(['send 0s']);
  });

  it('does not wait for a contact that was there before', async () => {
    const it = scene();
    const { step, log } = scripted(it, { send: [notThere] });
    expect(await it.run(performStep(it.context, step, undefined))).toEqual(notThere);
    expect(log).toEqual(['send 0s']);
  });
});

describe('a step that nobody can read back', () => {
  it('is uncertain when it lost its answer, at once, and is not sent again', async () => {
    const it = scene();
    const { step, log } = scripted(it, { send: [unknown], settle: [{ kind: 'unknowable' }] });
    expect(await it.run(performStep(it.context, step))).toEqual({ kind: 'uncertain' });
    expect(log).toEqual(['send 0s', 'settle 0s']);
    expect(it.open()).toMatchObject([{ state: 'uncertain' }]);
  });

  it('after a lost answer makes no 404 of it', async () => {
    const it = scene();
    const { step, log } = scripted(it, { send: [notThere, unknown], settle: [{ kind: 'unknowable' }] });
    expect(await it.run(performStep(it.context, step, it.journal.begunAt))).toEqual({ kind: 'uncertain' });
    expect(log).toHaveLength(3);
  });
});

describe('what is remembered with a step', () => {
  /** Keeps the last of what was remembered in a table of its own, as the memory of comments does. */
  function remembering(it: Scene, step: PlannedStep<string>): PlannedStep<string> {
    it.file.exec('CREATE TABLE memory (state TEXT)');
    const keep = (state: string) => () =>
      void it.file.prepare('INSERT OR REPLACE INTO memory (rowid, state) VALUES (1, ?)').run(state);
    return {
      ...step,
      item: 'story (1/2)',
      remember: { sent: keep('sent'), acked: keep('acked'), notSent: keep('notSent') },
    };
  }

  function remembered({ file }: Scene): unknown {
    return file.prepare('SELECT state FROM memory').pluck().get();
  }

  it.each([
    ['is acknowledged', { send: [ok] }, 'acked', 'acked'],
    ['is refused', { send: [refused] }, 'notSent', 'refused'],
    ['finds nobody', { send: [notThere] }, 'notSent', 'refused'],
    ['stays queued', { send: [queued] }, 'notSent', 'planned'],
    ['is lost', { send: [unknown], settle: [{ kind: 'unknowable' }] }, 'sent', 'uncertain'],
    ['was lost and stands', { send: [unknown], settle: [{ kind: 'done', contact: null }] }, 'acked', 'acked'],
  ] as const)('that %s is written with its state', async (_what, script, memory, state) => {
    const it = scene();
    const { step } = scripted(it, script);
    await it.run(performStep(it.context, remembering(it, step)));
    expect(it.open()).toMatchObject([{ item: 'story (1/2)', state }]);
    expect(remembered(it)).toBe(memory);
  });

  it('is durable before the request leaves', async () => {
    const it = scene();
    const { step } = scripted(it, { send: [ok] });
    const { send } = step.step;
    const seen: unknown[] = [];
    const spying = {
      ...step.step,
      // Another connection sees what is committed and nothing else.
      send: (...args: Parameters<typeof send>) => {
        const other = openFile(it.workDir);
        seen.push(other.prepare('SELECT state FROM memory').pluck().get());
        return send(...args);
      },
    };
    await it.run(performStep(it.context, remembering(it, { ...step, step: spying })));
    expect(seen).toEqual(['sent']);
  });

  it('is taken back where the run stopped before the request left', async () => {
    const it = scene();
    const stopped = new FatalError('interrupted', 'interrupted.');
    const { step } = scripted(it, { send: [stopped] });
    await expect(it.run(performStep(it.context, remembering(it, step)))).rejects.toBe(stopped);
    expect(it.open()).toMatchObject([{ state: 'planned' }]);
    expect(remembered(it)).toBe('notSent');
  });
});
