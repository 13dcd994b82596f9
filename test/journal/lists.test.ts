import { describe, expect, it } from 'vitest';
import {
  beginRun,
  countSentStepsPerInterval,
  listProposals,
  listProposalsAbout,
  listTaggedContacts,
  listUncertainSteps,
  openRunJournal,
  type ProposalRecord,
  registerWorkspace,
  type StepRecord,
  setRunItemCount,
} from '../../src/journal/index.ts';
import { binding, ended, handClock, place, row, runJournal } from './work-dir.ts';

function comment(seq: number, item: string, more: Partial<StepRecord> = {}): StepRecord {
  const intent = { text: item };
  return { seq, name: 'comment', item, state: 'uncertain', intent, before: null, sentAt: 5, ...more };
}

function proposal(seq: number, pair: number, more: Partial<ProposalRecord> = {}): ProposalRecord {
  return { seq, pair, contacts: [1, 2], cells: [['_line', String(seq)]], ...more };
}

describe('merge proposals', () => {
  it('come in the order of the rows and their pairs, page by page, for their own run', () => {
    const { file, journal } = runJournal();
    const all = [proposal(3, 0), proposal(3, 1), proposal(12, 0)];
    journal.finish({ ...ended(), proposals: all.toReversed() });
    journal.flush();
    const run = journal.run.number;
    expect(listProposals(file, run, { seq: -1, pair: 0 }, 10)).toEqual(all);
    expect(listProposals(file, run, { seq: 3, pair: 0 }, 1)).toEqual([proposal(3, 1)]);
    expect(listProposals(file, run, { seq: 3, pair: 1 }, 10)).toEqual([proposal(12, 0)]);
    expect(listProposals(file, run + 1, { seq: -1, pair: 0 }, 10)).toEqual([]);
  });

  it('of a row that is looked at again take the place of the earlier ones', () => {
    const { file, journal } = runJournal();
    const again = proposal(3, 0, { contacts: [4, 5], cells: [['_line', 'again']] });
    journal.finish({ ...ended(), proposals: [proposal(3, 0)] });
    journal.finish({ ...ended(), proposals: [again] });
    journal.flush();
    expect(listProposals(file, journal.run.number, { seq: -1, pair: 0 }, 10)).toEqual([again]);
  });

  it('about two contacts are found by the two, the newest run first, in their own workspace', () => {
    const { file, journal } = runJournal();
    journal.finish({ ...ended(), proposals: [proposal(1, 0), proposal(2, 0, { contacts: [1, 3] })] });
    journal.flush();
    const run = beginRun(file, binding(journal.run.workspace), handClock());
    const later = openRunJournal(file, run, handClock());
    later.finish({ ...ended(), proposals: [proposal(9, 0)] });
    later.flush();
    const { workspace } = journal.run;
    expect(listProposalsAbout(file, workspace, [1, 2], 10).map(({ seq }) => seq)).toEqual([9, 1]);
    expect(listProposalsAbout(file, workspace, [1, 2], 1).map(({ seq }) => seq)).toEqual([9]);
    const other = registerWorkspace(file, { ...place, place: 'sandbox:2' });
    expect(listProposalsAbout(file, other, [1, 2], 10)).toEqual([]);
  });
});

describe('the tags of contacts', () => {
  it('come by contact, page by page, united where two people of the input are one contact', () => {
    const { file, journal } = runJournal();
    const tagged = (contact: number, tags: readonly string[]) =>
      journal.finish({
        ...ended(),
        tagged: { contact, email: `c${contact}@example.test`, phone: null, tags },
      });
    tagged(12, ['vip']);
    tagged(7, ['new', 'vip']);
    tagged(12, ['VIP', 'new']);
    journal.flush();
    const run = journal.run.number;
    expect(listTaggedContacts(file, run, 0, 10)).toEqual([
      { contact: 7, email: 'c7@example.test', phone: null, tags: ['new', 'vip'] },
      { contact: 12, email: 'c12@example.test', phone: null, tags: ['vip', 'new'] },
    ]);
    expect(listTaggedContacts(file, run, 0, 1).map(({ contact }) => contact)).toEqual([7]);
    expect(listTaggedContacts(file, run, 7, 10).map(({ contact }) => contact)).toEqual([12]);
    expect(listTaggedContacts(file, run + 1, 0, 10)).toEqual([]);
  });
});

describe('uncertain steps', () => {
  it('come in order with their rows, page by page, and no others', async () => {
    const { file, journal } = runJournal();
    const steps = [
      comment(4, 'story (2/3)'),
      comment(4, 'origin'),
      comment(2, 'origin', { state: 'sent' }),
      comment(3, 'origin', { state: 'acked' }),
      comment(9, 'origin'),
    ];
    for (const step of steps) await journal.intend(step, []);
    journal.finish(ended(row(4, { outcome: 'uncertain', key: 'K4', contact: 44 })));
    journal.flush();
    const run = journal.run.number;
    const all = listUncertainSteps(file, run, { seq: -1, name: '', item: '' }, 10);
    const of4 = {
      seq: 4,
      name: 'comment',
      sentAt: 5,
      line: 6,
      sheet: null,
      key: 'K4',
      contact: 44,
      identifier: null,
    };
    expect(all).toEqual([
      { ...of4, item: 'origin', intent: { text: 'origin' } },
      { ...of4, item: 'story (2/3)', intent: { text: 'story (2/3)' } },
      // Its row has not ended yet.
      { ...of4, seq: 9, item: 'origin', intent: { text: 'origin' }, line: null, key: null, contact: null },
    ]);
    const [first, second] = all;
    if (first === undefined || second === undefined) throw new Error('too few');
    expect(listUncertainSteps(file, run, first, 1)).toEqual([second]);
    expect(listUncertainSteps(file, run, second, 10)).toEqual(all.slice(2));
    expect(listUncertainSteps(file, run + 1, { seq: -1, name: '', item: '' }, 10)).toEqual([]);
  });

  it('of several items are steps of their own', async () => {
    const { file, journal } = runJournal();
    for (const item of ['a', 'b', 'c']) await journal.intend(comment(0, item, { state: 'sent' }), []);
    journal.mark({ seq: 0, name: 'comment', item: 'b' }, 'uncertain');
    journal.flush();
    const run = journal.run.number;
    const items = listUncertainSteps(file, run, { seq: -1, name: '', item: '' }, 10).map(({ item }) => item);
    expect(items).toEqual(['b']);
  });
});

it('the pace of a run counts what it sent itself, and not the comments of an earlier one that it names', async () => {
  const { file, journal } = runJournal();
  await journal.intend(comment(0, 'kept', { sentAt: 100 }), []);
  await journal.intend(comment(1, 'own', { sentAt: 1_050 }), []);
  await journal.intend(comment(2, 'own', { sentAt: 1_999 }), []);
  await journal.intend(comment(3, 'never', { sentAt: null }), []);
  expect(countSentStepsPerInterval(file, journal.run.number, 1_000, 100)).toEqual([
    { stretch: 0, n: 1 },
    { stretch: 9, n: 1 },
  ]);
});

it('a run may learn only later how many rows it takes up', () => {
  const { file, journal } = runJournal();
  const run = setRunItemCount(file, journal.run, 3);
  expect(run).toEqual({ ...journal.run, items: 3 });
  expect(file.prepare('SELECT items FROM run').pluck().all()).toEqual([3]);
});
