import { describe, expect, it } from 'vitest';
import {
  beginRun,
  isKnownTag,
  type KnownKeyRecord,
  listMissingKeys,
  openRunJournal,
  type RunJournal,
  readContactCount,
  registerWorkspace,
  storeContactCount,
  storeKnownTag,
} from '../../src/journal/index.ts';
import { binding, ended, handClock, openFile, place, row, runJournal, workDir } from './work-dir.ts';

function known(key: string, more: Partial<KnownKeyRecord> = {}): KnownKeyRecord {
  return { key, contact: 7, identifiers: [], created: false, applied: {}, line: 2, ...more };
}

/** Writes at once. */
function write(journal: RunJournal, ...also: readonly (() => void)[]): void {
  journal.finish({ ...ended(), also });
  journal.flush();
}

/** The next run of the same pipeline, or of another mapping or workspace. */
function next({ file, journal }: ReturnType<typeof runJournal>, more: Parameters<typeof binding>[1] = {}) {
  const run = beginRun(file, binding(journal.run.workspace, more), handClock());
  return openRunJournal(file, run, handClock());
}

describe('whom a key became', () => {
  const whole = known('key:A', {
    contact: null,
    identifiers: ['email:ada@example.test', 'phone:+60123456789'],
    created: true,
    applied: { email: 'hash', 'customFields.Plan': 'other' },
    line: 12,
  });

  it('comes back as it was remembered, in later runs, too, and the later memory takes its place', () => {
    const it = runJournal();
    write(it.journal, it.journal.known.remember(whole));
    expect(next(it).known.find('key:A')).toEqual(whole);
    const later = { ...whole, contact: 7, identifiers: [], applied: { email: 'new' } };
    write(it.journal, it.journal.known.remember(later));
    expect(next(it).known.find('key:A')).toEqual(later);
    expect(it.journal.known.find('key:B')).toBeUndefined();
  });

  it.each([
    ['another mapping', { memory: 'other' }],
    ['another workspace', { workspace: 99 }],
  ])('says nothing to %s', (_what, more) => {
    const it = runJournal();
    it.file.exec("INSERT INTO workspace (number, place, users, fields) VALUES (99, 'x', '[]', '[]')");
    write(it.journal, it.journal.known.remember(whole));
    expect(next(it, more).known.find('key:A')).toBeUndefined();
  });

  it('outlives a change of the mapping’s text: it is known by its name', () => {
    const it = runJournal();
    write(it.journal, it.journal.known.remember(whole));
    expect(next(it, { mapping: 'another fingerprint' }).known.find('key:A')).toEqual(whole);
  });

  it('is listed as gone where a later run has not met the key', () => {
    const it = runJournal();
    const keys = ['key:A', 'key:B', 'key:C', 'key:D', 'key:E'];
    write(it.journal, ...keys.map((key, n) => it.journal.known.remember(known(key, { line: n + 2 }))));
    const second = next(it);
    // B was applied again, C stood in the input and nothing of it was applied, X was never known.
    const sawStranger = second.known.saw('key:X', 9);
    write(second, second.known.remember(known('key:B')), second.known.saw('key:C', 33), sawStranger);
    const scope = { workspace: second.run.workspace, mapping: second.run.memory };
    const gone = (after: string, limit: number) =>
      listMissingKeys(it.file, scope, second.run.number, after, limit).map(({ key }) => key);
    expect(gone('', 10)).toEqual(['key:A', 'key:D', 'key:E']);
    expect(gone('', 2)).toEqual(['key:A', 'key:D']);
    expect(gone('key:D', 2)).toEqual(['key:E']);
    expect(listMissingKeys(it.file, { ...scope, mapping: 'other' }, second.run.number, '', 10)).toEqual([]);
    expect(second.known.find('key:C')?.line).toBe(33);
    expect(second.known.find('key:X')).toBeUndefined();
  });
});

describe('the comments of a key', () => {
  const story = { id: 'story', parts: ['sent', 'uncertain', 'open'], text: 'hash', sentAt: 9 } as const;

  it('come back in later runs, by their ids, under their own key', () => {
    const it = runJournal();
    const left = { id: 'notes:17', parts: ['left'], text: 'other', sentAt: null } as const;
    const { comments } = it.journal;
    write(it.journal, comments.remember('key:A', story), comments.remember('key:A', left));
    write(it.journal, comments.remember('key:B', { ...story, parts: ['sent'] }));
    expect(next(it).comments.of('key:A', [])).toEqual(expect.arrayContaining([story, left]));
    expect(next(it).comments.of('key:A', [])).toHaveLength(2);
    expect(next(it).comments.of('key:B', [])).toEqual([{ ...story, parts: ['sent'] }]);
    expect(next(it, { memory: 'other' }).comments.of('key:A', [])).toEqual([]);
  });

  it('are durable with the intent of the request that may add them', async () => {
    const it = runJournal();
    const step = {
      seq: 0,
      name: 'comment',
      item: 'story',
      state: 'sent',
      intent: {},
      before: null,
      sentAt: 5,
    } as const;
    await it.journal.intend(step, [], [it.journal.comments.remember('key:A', story)]);
    // Nobody flushes: as a crash would leave it.
    expect(openFile(it.dir).prepare('SELECT parts FROM comment').pluck().all()).toEqual([
      '["sent","uncertain","open"]',
    ]);
  });

  it.each(['mark', 'revert'] as const)('change with the state of their step (%s)', async (how) => {
    const it = runJournal();
    const { journal } = it;
    const step = {
      seq: 0,
      name: 'comment',
      item: 'story',
      state: 'sent',
      intent: {},
      before: null,
      sentAt: 5,
    } as const;
    await journal.intend(step, [], [journal.comments.remember('key:A', story)]);
    const after = journal.comments.remember('key:A', { ...story, parts: ['sent', 'sent', 'open'] });
    if (how === 'mark') journal.mark(step, 'acked', [after]);
    else journal.revert(step, 'refused', [], [after]);
    journal.flush();
    expect(journal.comments.of('key:A', [])).toMatchObject([{ parts: ['sent', 'sent', 'open'] }]);
    const states = it.file.prepare('SELECT state FROM step').pluck().all();
    expect(states).toEqual([how === 'mark' ? 'acked' : 'refused']);
  });
});

it('what is remembered of a person is written with the outcome, or not at all', () => {
  const it = runJournal();
  const broken = () => {
    throw new Error('the disk is full');
  };
  it.journal.finish({ ...ended(row(0)), also: [it.journal.known.remember(known('key:A')), broken] });
  expect(() => it.journal.flush()).toThrow('the disk is full');
  expect(it.file.prepare('SELECT count(*) FROM row').pluck().get()).toBe(0);
  expect(it.journal.known.find('key:A')).toBeUndefined();
});

describe('what is known of a workspace', () => {
  it('are the tags that were seen to, for this workspace alone, once each', () => {
    const file = openFile(workDir());
    const number = registerWorkspace(file, place);
    const other = registerWorkspace(file, { ...place, place: 'sandbox:2' });
    storeKnownTag(file, number, 'vip');
    storeKnownTag(file, number, 'vip');
    expect([number, other].map((each) => isKnownTag(file, each, 'vip'))).toEqual([true, false]);
    expect(isKnownTag(file, number, 'other')).toBe(false);
  });

  it('is how many contacts it had when they were last counted', () => {
    const file = openFile(workDir());
    const number = registerWorkspace(file, place);
    expect(readContactCount(file, number)).toBeUndefined();
    storeContactCount(file, number, 0);
    expect(readContactCount(file, number)).toBe(0);
    storeContactCount(file, number, 12_345);
    expect(readContactCount(file, number)).toBe(12_345);
    expect(readContactCount(file, number + 1)).toBeUndefined();
  });
});

it('the version of the answers changes with each of them, also where as many are same as before', () => {
  const { journal } = runJournal();
  const answer = (one: string, given: 'same' | 'different') =>
    journal.finish({ ...ended(), also: [journal.answers.remember(one, 'key:Z', given)] });
  const version = () => {
    journal.flush();
    return journal.answers.version();
  };
  answer('key:A', 'same');
  answer('key:B', 'different');
  const before = version();
  answer('key:A', 'different');
  answer('key:B', 'same');
  expect(version()).not.toBe(before);
  answer('key:A', 'same');
  answer('key:B', 'different');
  expect(version()).toBe(before);
});
