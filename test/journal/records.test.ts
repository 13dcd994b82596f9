import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beginRun,
  countProblemsByOutcome,
  countRunRows,
  countSteps,
  deleteSentWritesBefore,
  endRun,
  findLastRun,
  findRunById,
  listRejects,
  listRuns,
  listSessions,
  listStepsOfUnfinishedItems,
  markRunRunning,
  openRunJournal,
  readFinishedItemNumbers,
  readFirstUnfinishedItemNumber,
  registerWorkspace,
  type StepRecord,
} from '../../src/journal/index.ts';
import { outcomes } from '../../src/model/outcome.ts';
import { binding, ended, handClock, openFile, place, row, runJournal, workDir } from './work-dir.ts';

function step(seq: number, more: Partial<StepRecord> = {}): StepRecord {
  const rest = { item: '', state: 'sent', intent: { who: seq }, before: null, sentAt: 5 } as const;
  return { seq, name: 'create', ...rest, ...more };
}

describe('rows', () => {
  it('begin where the first gap is, whatever the order in which they ended', () => {
    const property = fc.property(fc.uniqueArray(fc.nat(30), { maxLength: 30 }), (finished) => {
      const { file, journal } = runJournal();
      for (const seq of finished) journal.finish(ended(row(seq)));
      journal.flush();
      const gap = [...Array(32).keys()].find((seq) => !finished.includes(seq));
      expect(readFirstUnfinishedItemNumber(file, journal.run.number)).toBe(gap);
      const between = readFinishedItemNumbers(file, journal.run.number, 5, 12);
      expect([...between].sort((a, b) => a - b)).toEqual(
        finished.filter((seq) => seq >= 5 && seq < 12).sort((a, b) => a - b),
      );
    });
    fc.assert(property, { numRuns: 30 });
  });

  it('of another run are another matter', () => {
    const { file, journal } = runJournal();
    journal.finish(ended(row(0)));
    journal.flush();
    const other = beginRun(file, binding(journal.run.workspace), handClock());
    expect(readFirstUnfinishedItemNumber(file, other.number)).toBe(0);
    expect(countRunRows(file, other)).toMatchObject({ created: 0, notReached: 10 });
  });

  it.each(outcomes)('that are %s are counted so, and all counts add up to the rows read', (outcome) => {
    const { file, journal } = runJournal();
    journal.finish(ended(row(0, { outcome })));
    journal.finish(ended(row(4, { outcome })));
    journal.finish(ended(row(9)));
    journal.flush();
    const counts = countRunRows(file, journal.run);
    expect(counts[outcome]).toBe(outcome === 'created' ? 3 : 2);
    const { read, ...rest } = counts;
    expect(Object.values(rest).reduce((all, n) => all + n, 0)).toBe(read);
    expect(counts).toMatchObject({ read: 10, notReached: 7 });
  });

  it('come back as they were written', () => {
    const { file, journal } = runJournal();
    const problem = { code: 'email.invalid', column: 'E-mail', reason: 'no @' };
    const written = [
      row(1, { outcome: 'rejected', key: 'K', problems: [problem], cells: [['E-mail', null]] }),
      row(2, { outcome: 'rejected', raw: 'a,"b', problems: [problem, { ...problem, code: 'row.quote' }] }),
    ];
    journal.finish(ended(row(0), ...written));
    journal.flush();
    expect(listRejects(file, journal.run.number, -1, 10)).toEqual(written);
    expect(countProblemsByOutcome(file, journal.run.number)).toEqual([
      { outcome: 'rejected', code: 'email.invalid', n: 2 },
      { outcome: 'rejected', code: 'row.quote', n: 1 },
    ]);
  });
});

describe('steps', () => {
  it('are open while their row has no outcome', async () => {
    const { file, journal } = runJournal();
    await journal.intend(step(0), []);
    await journal.intend(step(1), []);
    await journal.intend(step(2, { name: 'update', before: { a: 1 } }), []);
    await journal.intend(step(-7, { name: 'ensureField' }), []);
    journal.mark(step(0), 'acked');
    journal.finish(ended(row(0)));
    journal.mark(step(1), 'acked');
    journal.flush();
    const number = journal.run.number;
    expect(listStepsOfUnfinishedItems(file, number, 0, 2)).toEqual([step(1, { state: 'acked' })]);
    expect(listStepsOfUnfinishedItems(file, number, 2, 10)).toEqual([
      step(2, { name: 'update', before: { a: 1 } }),
    ]);
    expect(listStepsOfUnfinishedItems(file, number, -10, 0)).toEqual([step(-7, { name: 'ensureField' })]);
    expect(countSteps(file, number)).toEqual([
      { name: 'create', state: 'acked', n: 2 },
      { name: 'ensureField', state: 'sent', n: 1 },
      { name: 'update', state: 'sent', n: 1 },
    ]);
  });

  it('intended again are one step, with the later intent', async () => {
    const { file, journal } = runJournal();
    await journal.intend(step(3), []);
    await journal.intend(step(3, { sentAt: 9, intent: { who: 'again' } }), []);
    expect(listStepsOfUnfinishedItems(file, journal.run.number, 0, 10)).toEqual([
      step(3, { sentAt: 9, intent: { who: 'again' } }),
    ]);
  });
});

describe('the memory of who was just created', () => {
  const ada = 'email:ada@example.test';

  it('holds from the intent on, for the whole work dir, and across sessions', async () => {
    const { file, journal } = runJournal();
    expect(journal.lastSentAbout(ada)).toBeUndefined();
    await journal.intend(step(0, { sentAt: 1_000 }), [ada, 'phone:+6012345']);
    const next = openRunJournal(
      file,
      beginRun(file, binding(journal.run.workspace), handClock()),
      handClock(),
    );
    expect(next.lastSentAbout(ada)).toBeDefined();
    expect(next.lastSentAbout('phone:+6012345')).toBeDefined();
  });

  it('loses at once whom a create turned out not to have created', async () => {
    const { journal } = runJournal();
    await journal.intend(step(0, { sentAt: 1_000 }), [ada]);
    journal.revert(step(0), 'refused', [ada]);
    expect(journal.lastSentAbout(ada)).toBeUndefined();
    journal.flush();
    expect(journal.lastSentAbout(ada)).toBeUndefined();
  });

  it('counts from when a request left, where that was later than its intent', async () => {
    const clock = handClock(50_000);
    const { journal } = runJournal(clock);
    await journal.intend(step(0, { sentAt: 1_000 }), [ada]);
    journal.mayArriveLate([ada]);
    expect(journal.lastSentAbout(ada)).toBe(50_000);
    journal.flush();
    expect(journal.lastSentAbout(ada)).toBe(50_000);
  });

  it('of one workspace says nothing about another', async () => {
    const { file, journal } = runJournal();
    await journal.intend(step(0, { sentAt: 1_000 }), [ada]);
    const other = registerWorkspace(file, { ...place, place: 'https://other.test/v1' });
    const there = openRunJournal(file, beginRun(file, binding(other), handClock()), handClock());
    expect(there.lastSentAbout(ada)).toBeUndefined();
  });

  it('holds again for the next session, as a killed one may have sent later than it noted; not again for those after it', async () => {
    const clock = handClock(1_000);
    const { file, journal } = runJournal(clock);
    await journal.intend(step(0, { sentAt: 1_000 }), [ada]);
    clock.set(61_000);
    const next = openRunJournal(file, journal.run, clock);
    expect(next.lastSentAbout(ada)).toBe(61_000);
    clock.set(69_000);
    next.beat({});
    next.flush();
    clock.set(90_000);
    expect(openRunJournal(file, journal.run, clock).lastSentAbout(ada)).toBe(82_000);
  });

  it('takes no time of another machine for its own, however far its clock is off', async () => {
    const [here, there] = [handClock(1_000), handClock(500_000)];
    const { file, journal } = runJournal(here);
    await journal.intend(step(0, { sentAt: 1_000 }), [ada]);
    const other = openRunJournal(file, journal.run, there);
    there.set(508_000);
    other.beat({});
    other.flush();
    here.set(20_000);
    expect(openRunJournal(file, journal.run, here).lastSentAbout(ada)).toBe(12_000);
  });

  it('believes that nothing waits for an hour between its intent and its leaving', async () => {
    const clock = handClock(1_000);
    const { file, journal } = runJournal(clock);
    await journal.intend(step(0, { sentAt: 1_000 }), [ada]);
    clock.set(100_000_000);
    expect(openRunJournal(file, journal.run, clock).lastSentAbout(ada)).toBe(3_601_000);
  });

  it('can be told to forget those who are surely readable by now', async () => {
    const { file, journal } = runJournal();
    await journal.intend(step(0, { sentAt: 1_000 }), [ada]);
    await journal.intend(step(1, { sentAt: 2_000 }), ['phone:+6012345']);
    deleteSentWritesBefore(file, journal.run.workspace, 2_000);
    expect(journal.lastSentAbout(ada)).toBeUndefined();
    expect(journal.lastSentAbout('phone:+6012345')).toBe(2_000);
  });
});

describe('runs', () => {
  it('have ids of their own, also within one second', () => {
    const file = openFile(workDir());
    const number = registerWorkspace(file, place);
    const clock = handClock(Date.UTC(2024, 4, 1, 12, 30, 15, 999));
    const runs = [1, 2, 3].map(() => beginRun(file, binding(number, { pipeline: 'my pipe/line' }), clock));
    expect(runs.map(({ id }) => id)).toEqual([
      '20240501-123015-my-pipe-line',
      '20240501-123015-my-pipe-line-2',
      '20240501-123015-my-pipe-line-3',
    ]);
    expect(listRuns(file, 2).map(({ id }) => id)).toEqual([runs[2]?.id, runs[1]?.id]);
    expect(findRunById(file, runs[1]?.id ?? '')).toEqual(runs[1]);
    expect(findRunById(file, 'nobody')).toBeUndefined();
  });

  it('end with a state and a code, and are running again when they are continued', () => {
    const { file, journal } = runJournal();
    const { run } = journal;
    const end = { state: 'stopped', exitCode: 4, message: 'too many', endedAt: 77 } as const;
    endRun(file, run.number, end);
    const ended = findLastRun(file, run);
    expect(ended).toEqual({ ...run, ...end });
    if (ended === undefined) throw new Error('no run');
    expect(markRunRunning(file, ended)).toEqual(run);
    expect(findRunById(file, run.id)).toEqual(run);
    expect(findLastRun(file, { ...run, kind: 'export' })).toBeUndefined();
  });

  it('keep a session for each process, with its last seen', () => {
    const clock = handClock(1_000);
    const { file, journal } = runJournal(clock);
    clock.set(4_000);
    journal.beat({ 'GET /x': 1 });
    journal.flush();
    void openRunJournal(file, journal.run, clock);
    expect(listSessions(file, journal.run.number)).toMatchObject([
      { startedAt: 1_000, seenAt: 4_000, pid: process.pid, requests: '{"GET /x":1}' },
      { startedAt: 4_000, seenAt: 4_000, requests: '{}' },
    ]);
  });
});

describe('a workspace', () => {
  const known = { place: 'https://workspace.test/v1', users: [1, 2], fields: [11] };

  it.each([
    ['all of it', known],
    ['a user who stayed', { ...known, users: [2, 9], fields: [] }],
    ['a custom field that stayed', { ...known, users: [9], fields: [11, 12] }],
  ])('is recognised by %s', (_by, now) => {
    const file = openFile(workDir());
    const number = registerWorkspace(file, known);
    expect(registerWorkspace(file, now)).toBe(number);
    // And from then on by what it has now.
    expect(registerWorkspace(file, now)).toBe(number);
  });

  it.each([
    ['other ids', { ...known, users: [7], fields: [8] }],
    ['nothing', { ...known, users: [], fields: [] }],
  ])('that shows %s at the same place is another one, and refused', (_what, now) => {
    const file = openFile(workDir());
    const number = registerWorkspace(file, known);
    expect(() => registerWorkspace(file, now)).toThrow(
      expect.objectContaining({ reason: 'usage', message: expect.stringContaining('a different workspace') }),
    );
    expect(registerWorkspace(file, known)).toBe(number);
  });

  it('of which nothing is remembered yet is taken as it is', () => {
    const file = openFile(workDir());
    const number = registerWorkspace(file, { ...known, users: [], fields: [] });
    expect(registerWorkspace(file, known)).toBe(number);
    expect(registerWorkspace(file, { ...known, place: 'sandbox:1' })).not.toBe(number);
  });
});
