import { describe, expect, it } from 'vitest';
import type { ImportContext } from '../../../src/app/import/context.ts';
import { findContactsOfPerson, readUntilVisible } from '../../../src/app/import/person/find-person.ts';
import type { Person } from '../../../src/app/import/person/person.ts';
import { performStep, settleStep } from '../../../src/app/run/step.ts';
import { startHeartbeat } from '../../../src/app/run/until-stopped.ts';
import { parseIdentifier } from '../../../src/model/identifier.ts';
import { draft, values } from '../../steps/drafts.ts';
import { type Scene, scene } from './context.ts';
import { absent, ada, ok, queued, scripted } from './scripted-step.ts';

const sliceMs = 8_000;
const limits = { settleMs: 20_000, attempts: 3 };
const over = new Error('The slice is over.');

const row = { seq: 3, line: 2, key: 'A', cells: [], hash: null };
const identifiers = [parseIdentifier(ada)];
const person: Person = {
  ...{ rows: [row], carrier: row, keys: ['key:A'], dropped: [[]], sides: [], shared: {}, rivals: [] },
  ...{ identifiers, lookedUpBy: identifiers, furtherLookedUpBy: [], comments: [], open: [] },
  draft: draft(values({ firstName: 'Ada', email: 'ada@example.test' })),
};

interface Slices<T> {
  /** What the work came to. */
  readonly end: T;
  /** How many sessions it took. */
  readonly slices: number;
}

/** Does the work in sessions of eight seconds, each on the clock of its machine, as a fleet does. */
async function inSlices<T>(
  it: Scene,
  work: (context: ImportContext) => Promise<T>,
  clockOff: (slice: number) => number = () => 0,
): Promise<Slices<T>> {
  for (let slices = 1; slices <= 200; slices += 1) {
    const { clock: true_ } = it.context;
    const clock = { ...true_, now: () => true_.now() + clockOff(slices) };
    const stop = new AbortController();
    const context = { ...it.again(clock, stop.signal), limits };
    const stopBeat = startHeartbeat(clock, 1_000, () => context.journal.beat({}));
    const timer = new AbortController();
    clock.sleep(sliceMs, timer.signal).then(
      () => stop.abort(over),
      () => undefined,
    );
    const ended = async () => {
      try {
        return { end: await work(context) };
      } catch (error) {
        if (error !== over) throw error;
        return undefined;
      } finally {
        timer.abort(over);
        await stopBeat();
        context.journal.flush();
      }
    };
    const done = await it.run(ended());
    if (done !== undefined) return { ...done, slices };
  }
  throw new Error('went round for ever');
}

/** A step that was sent, and nobody knows whether it arrived. */
async function sentAndKilled(it: Scene): Promise<void> {
  const { step } = scripted(it, { send: [new Error('killed')] });
  await expect(it.run(performStep({ ...it.context, limits }, step))).rejects.toThrow('killed');
}

describe('in slices that are shorter than a wait', () => {
  it('what a killed import may have sent is waited for as long as without slices, and is then not there', async () => {
    const it = scene();
    await sentAndKilled(it);
    const begun = it.elapsed();
    const { step, log } = scripted(it, { settle: [absent] });
    const { end, slices } = await inSlices(it, (context) => settleStep(context, step));
    expect(end).toBeUndefined();
    expect(slices).toBe(3);
    expect(it.elapsed() - begun).toBeGreaterThanOrEqual(20_000);
    expect(log.at(-1)).toBe('settle 20s');
  });

  it('a machine whose clock is five minutes ahead believes nothing sooner', async () => {
    const it = scene();
    await sentAndKilled(it);
    const begun = it.elapsed();
    const { step } = scripted(it, { settle: [absent] });
    const ahead = (slice: number) => (slice % 2 === 0 ? 300_000 : -300_000);
    const { end, slices } = await inSlices(it, (context) => settleStep(context, step), ahead);
    expect({ end, slices }).toEqual({ end: undefined, slices: 3 });
    expect(it.elapsed() - begun).toBeGreaterThanOrEqual(20_000);
  });

  it('449 is waited out for a quarter of an hour in all', async () => {
    const it = scene();
    const { step } = scripted(it, { send: [queued], settle: [absent] });
    const { end } = await inSlices(it, async (context) => {
      const [open] = it.open();
      if (open?.state === 'sent') await settleStep(context, step);
      return await performStep(context, step);
    });
    expect(end).toMatchObject({ kind: 'failed', message: expect.stringContaining('still queued') });
    expect(it.elapsed()).toBeGreaterThanOrEqual(900_000);
    expect(it.elapsed()).toBeLessThan(940_000);
  });

  it('449 that came to an end is a wait of its own when it comes again', async () => {
    const it = scene();
    const { step, log } = scripted(it, { send: [queued, ok, queued] });
    await it.run(performStep(it.context, step));
    await it.world.pass(1_000_000);
    const again = await it.run(performStep(it.context, step));
    expect(again).toMatchObject({ kind: 'failed' });
    expect(log.at(-1)).toBe('send 1902s');
  });

  it('what cannot be read is asked for a quarter of an hour in all', async () => {
    const it = scene();
    await sentAndKilled(it);
    const { step } = scripted(it, { settle: [{ kind: 'unknown', message: 'no answer' }] });
    const { end } = await inSlices(it, (context) => settleStep(context, step));
    expect(end).toMatchObject({ kind: 'failed', message: expect.stringContaining('could not be read') });
    expect(it.elapsed()).toBeGreaterThanOrEqual(900_000);
    expect(it.elapsed()).toBeLessThan(920_000);
  });

  it('somebody whom an earlier session created is waited for once', async () => {
    const it = scene();
    await sentAndKilled(it);
    const looked = await inSlices(it, (context) => findContactsOfPerson(context, person, undefined, 'reads'));
    expect(looked).toMatchObject({ end: { kind: 'found', found: [] }, slices: 3 });
    const name = { seq: 3, name: 'create', item: '' };
    const read = await inSlices(it, (context) =>
      readUntilVisible(context, person, context.journal.leftBy(name)),
    );
    expect(read.slices).toBe(1);
  });
});
