import { describe, expect, it } from 'vitest';
import {
  createPersonResultRecords,
  type KnownKeyUpdate,
  type PersonOutcome,
} from '../../../../src/app/import/person/end.ts';
import type { Person, PersonRow } from '../../../../src/app/import/person/person.ts';
import { outcomes } from '../../../../src/model/outcome.ts';
import type { Problem } from '../../../../src/model/problem.ts';
import { ended, runJournal } from '../../../journal/work-dir.ts';
import { draft, values } from '../../../steps/drafts.ts';

function row(seq: number): PersonRow {
  return { seq, line: seq + 2, key: `K${seq}`, cells: [['Key', `K${seq}`]], hash: `hash ${seq}` };
}

function dropped(column: string): Problem {
  return { code: 'phone.invalid', column, reason: 'why' };
}

const carrier = row(9);
const person: Person = {
  rows: [row(3), row(5), carrier],
  carrier,
  keys: ['key:K3', 'key:K5', 'key:K9'],
  draft: draft(values({ firstName: 'Ada' })),
  dropped: [[dropped('3')], [], [dropped('9')]],
  sides: [],
  shared: {},
  rivals: [],
  identifiers: [],
  lookedUpBy: [],
  furtherLookedUpBy: [],
  comments: [],
  open: [],
};
const remember: KnownKeyUpdate = { contact: 7, identifiers: [], created: true, applied: { email: 'hash' } };

function endOf(end: Partial<PersonOutcome>, isOurs: (row: PersonRow) => boolean = () => true) {
  const { journal } = runJournal();
  const problem = { code: 'x.y', column: null, reason: 'why' };
  return createPersonResultRecords(
    journal,
    person,
    { outcome: 'updated', contact: 7, problems: [problem], ...end },
    isOurs,
  );
}

describe('the rows of a person', () => {
  const alike = ['rejected', 'proposed', 'stale', 'skipped'];

  it.each(outcomes)('whose outcome is %s end so, or folded into the last of them', (outcome) => {
    const { rows } = endOf({ outcome, remember });
    const others = alike.includes(outcome) ? outcome : 'folded';
    expect(rows.map((each) => each.outcome)).toEqual([others, others, outcome]);
    expect(rows.map(({ line, key, contact }) => [line, key, contact])).toEqual([
      [5, 'K3', 7],
      [7, 'K5', 7],
      [11, 'K9', 7],
    ]);
    if (others !== 'folded') return;
    expect(rows[0]?.problems[0]).toMatchObject({
      code: 'identity.folded',
      reason: 'the same person as in line 11',
    });
    expect(rows[2]?.problems[0]).toMatchObject({ code: 'x.y' });
  });

  it.each(outcomes)('whose outcome is %s each say what was left out of them', (outcome) => {
    const { rows } = endOf({ outcome, remember });
    const left = rows.map(({ problems }) => problems.filter(({ code }) => code === 'phone.invalid'));
    expect(left).toEqual([[dropped('3')], [], [dropped('9')]]);
  });

  it('of whom nothing was applied have all failed', () => {
    const { rows } = endOf({ outcome: 'failed' });
    expect(rows.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed']);
  });

  it('keep their cells where a person has to look at them', () => {
    for (const outcome of outcomes) {
      const last = endOf({ outcome, remember }).rows.at(-1);
      expect(last?.cells, outcome).toEqual(
        outcome === 'rejected' || outcome === 'failed' || outcome === 'uncertain' ? carrier.cells : null,
      );
    }
  });

  it('that a run does not answer for get no outcome, and the last of the others answers', () => {
    const { rows } = endOf({ remember }, ({ seq }) => seq < 9);
    expect(rows.map(({ seq, outcome }) => [seq, outcome])).toEqual([
      [3, 'folded'],
      [5, 'updated'],
    ]);
  });
});

describe('what is remembered', () => {
  function memoryAfter(end: Partial<PersonOutcome>) {
    const { journal } = runJournal();
    const known = (key: string) => ({ key, ...remember, contact: 1, created: false, line: 1 });
    journal.finish({ ...ended(), also: person.keys.map((key) => journal.known.remember(known(key))) });
    journal.finish(
      createPersonResultRecords(
        journal,
        person,
        { outcome: 'updated', contact: 7, problems: [], ...end },
        () => true,
      ),
    );
    journal.flush();
    return person.keys.map((key) => journal.known.find(key));
  }

  it('stands under every key of the person, with the line of its row', () => {
    const wanted = person.keys.map((key, n) => ({ key, ...remember, line: [5, 7, 11][n] }));
    expect(memoryAfter({ remember })).toEqual(wanted);
  });

  it('stays as it was where nothing was applied, but for where the keys stand now', () => {
    const lines = memoryAfter({ outcome: 'proposed' }).map((known) => [known?.contact, known?.line]);
    expect(lines).toEqual([
      [1, 5],
      [1, 7],
      [1, 11],
    ]);
  });

  it('is written after what the person’s steps leave behind', () => {
    const order: string[] = [];
    const { also } = endOf({ remember, also: [() => order.push('comment')] });
    expect(also).toHaveLength(1 + person.keys.length);
    also[0]?.();
    expect(order).toEqual(['comment']);
  });
});
