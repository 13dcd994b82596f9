import { describe, expect, test } from 'vitest';
import { listNextSteps, type RunEndFacts } from '../../../src/app/import/report/next-steps.ts';
import type { RowSelection } from '../../../src/journal/index.ts';
import type { RowCounts } from '../../../src/model/outcome.ts';
import { usualInvocation } from '../../invocation.ts';

const rows: RowCounts = {
  read: 100,
  created: 100,
  updated: 0,
  merged: 0,
  folded: 0,
  unchanged: 0,
  skipped: 0,
  filtered: 0,
  proposed: 0,
  stale: 0,
  rejected: 0,
  failed: 0,
  uncertain: 0,
  notReached: 0,
};

const end: RunEndFacts = {
  run: 'R1',
  outcome: 'finished',
  exitCode: 3,
  rows,
  selection: { kind: 'all' },
  manual: { proposals: 2, questions: 0 },
  files: { mergeProposals: 'w d/merge-proposals.csv', uncertain: 'w d/uncertain.csv', gone: 'w d/gone.csv' },
};

const context = {
  ...{ pipelineFile: 'p.yaml', workspace: 'https://w.test/v1' },
  invocation: { ...usualInvocation, workDir: 'w d' },
};

function stepsAfter(
  more: Omit<Partial<RunEndFacts>, 'rows'> & { rows?: Partial<RowCounts> },
  deferred?: string[],
) {
  const steps = listNextSteps({ ...end, ...more, rows: { ...rows, ...more.rows } }, { ...context, deferred });
  return steps.map(({ why, command }) => (command === null ? `${why}.` : `${why}: ${command}`));
}

describe('after a run that has finished', () => {
  test('and left nothing open there is nothing to do', () => {
    expect(stepsAfter({})).toEqual([]);
    expect(stepsAfter({ gone: 0 }, [])).toEqual([]);
  });

  test.each([
    [
      { rows: { rejected: 1 } },
      "Fix the 1 row in the file, or fix the mapping; then retry only this row: npx longshore retry R1 --work-dir 'w d'",
    ],
    [
      { rows: { proposed: 2 } },
      `Open w d/merge-proposals.csv, write yes under "approve" where two contacts are one person, then: npx longshore import p.yaml --approve 'w d/merge-proposals.csv' --workspace https://w.test/v1 --work-dir 'w d'`,
    ],
    [
      {
        rows: { proposed: 3 },
        manual: { proposals: 0, questions: 3 },
        files: { samePerson: 'same-person.csv' },
      },
      '3 questions ask whether a row is the same person as another row or contact. Different: the row goes without the e-mail and phone that it shares with the other, and is rejected if it has no other. The answers may lead to new questions. Write same or different under "answer" in same-person.csv, then: npx longshore import p.yaml --approve same-person.csv --workspace https://w.test/v1 --work-dir \'w d\'',
    ],
    [
      { rows: { proposed: 2 }, files: { mergeProposals: 'm.csv', approvedMerges: 'a.csv' } },
      "To apply what is approved in a.csv: npx longshore import p.yaml --approve a.csv --workspace https://w.test/v1 --work-dir 'w d'",
    ],
    [
      { rows: { uncertain: 3 } },
      `Check in the workspace whether the uncertain comments of 3 rows are there, write no (it is there) or yes (send it again) under "resend" in w d/uncertain.csv, then: npx longshore retry R1 --decided 'w d/uncertain.csv' --work-dir 'w d'`,
    ],
    [
      { rows: { uncertain: 3 }, files: {} },
      "Check in the workspace whether the uncertain comments are there; to resend those of 3 rows: npx longshore retry R1 --resend --work-dir 'w d'",
    ],
    [
      { rows: { stale: 1 } },
      "1 row is stale: something changed after the plan was made, and nothing was sent (see dropped.csv); to plan the import as it would be now: npx longshore plan p.yaml --workspace https://w.test/v1 --work-dir 'w d'",
    ],
    [
      { rows: { stale: 1 }, selection: { kind: 'approve', file: '/w/m.csv', fingerprint: 'f' } as const },
      "1 row is stale: something changed after it was approved or answered, and nothing was sent (see dropped.csv); to decide about it again: npx longshore import p.yaml --workspace https://w.test/v1 --work-dir 'w d'",
    ],
    [
      { gone: 1_200 },
      '1,200 keys of earlier runs are no longer in the input (w d/gone.csv), and no row led to their contacts, which were left alone.',
    ],
    [
      { gone: 1 },
      '1 key of earlier runs is no longer in the input (w d/gone.csv), and no row led to its contact, which was left alone.',
    ],
  ])('%j', (more, line) => {
    expect(stepsAfter(more)).toEqual([line]);
  });

  test('those who are gone come with the number of rows that may be theirs', () => {
    const said = (rows: { rejected?: number; failed?: number }) => stepsAfter({ gone: 6, rows }).at(-1);
    expect(said({ rejected: 2, failed: 1 })).toMatch(
      /left alone; the rows to correct or retry \(3\) may lead to some of them\.$/,
    );
    expect(said({ failed: 1 })).toMatch(
      /left alone; the rows to correct or retry \(1\) may lead to some of them\.$/,
    );
  });

  test('deferred steps are offered', () => {
    expect(stepsAfter({}, ['lifecycle', 'assignee', 'conversation'])).toEqual([
      "The pipeline defers lifecycle, assignee and conversation; to run them for the same rows: npx longshore import p.yaml --deferred --workspace https://w.test/v1 --work-dir 'w d'",
    ]);
    expect(stepsAfter({}, ['lifecycle'])[0]).toContain('defers lifecycle; to run it for');
  });

  test('everything that is open is said, the most urgent first', () => {
    const open = { rows: { rejected: 1, failed: 2, proposed: 3, uncertain: 4, stale: 5 }, gone: 6 };
    const commands = stepsAfter(open, ['assignee']).map(
      (line) => /npx longshore .*?(?= --w)/.exec(line)?.[0],
    );
    expect(commands).toEqual([
      'npx longshore retry R1',
      "npx longshore import p.yaml --approve 'w d/merge-proposals.csv'",
      "npx longshore retry R1 --decided 'w d/uncertain.csv'",
      'npx longshore plan p.yaml',
      'npx longshore import p.yaml --deferred',
      undefined,
    ]);
  });

  const approve: RowSelection = { kind: 'approve', file: '/w/m.csv', fingerprint: 'f' };
  test.each([
    [approve, 'import p.yaml --approve /w/m.csv '],
    [{ kind: 'deferred' } as const, 'import p.yaml --deferred '],
    [{ kind: 'retry', run: 'R0', resend: true } as const, 'retry R1 '],
  ])('%j with rejected rows is taken up again as what it was', (selection, command) => {
    expect(stepsAfter({ selection, rows: { failed: 2 } })[0]).toContain(`npx longshore ${command}`);
  });
});

test('rows that a run of answers rejected are fixed and imported, and not called a retry', () => {
  const selection = { kind: 'approve', file: '/w/same-person.csv', fingerprint: 'f' } as const;
  expect(stepsAfter({ selection, rows: { rejected: 2 } })).toEqual([
    "Fix the 2 rows in the file, or fix the mapping; then import again: only what is new or has changed is sent: npx longshore import p.yaml --workspace https://w.test/v1 --work-dir 'w d'",
  ]);
  expect(stepsAfter({ selection, rows: { failed: 1 } })).toEqual([
    "To apply again what was approved or answered about the 1 failed row: npx longshore import p.yaml --approve /w/same-person.csv --workspace https://w.test/v1 --work-dir 'w d'",
  ]);
});

describe('after a run that has not finished', () => {
  test('it is continued first: what else is open is said at its end', () => {
    const open = { rows: { proposed: 3, uncertain: 4, stale: 5 }, gone: 6 };
    expect(stepsAfter({ outcome: 'interrupted', exitCode: 130, ...open }, ['assignee'])).toEqual([
      "Continue; nothing is sent twice: npx longshore resume R1 --work-dir 'w d'",
    ]);
  });

  test.each([
    [{ kind: 'all' } as const, 'import p.yaml --fresh'],
    [{ kind: 'deferred' } as const, 'import p.yaml --deferred --fresh'],
    [
      { kind: 'approve', file: '/w/m.csv', fingerprint: 'f' } as const,
      'import p.yaml --approve /w/m.csv --fresh',
    ],
  ])('%j that met too many errors is started over once they are fixed', (selection, command) => {
    const [first, second] = stepsAfter({ selection, outcome: 'stopped', exitCode: 4, rows: { rejected: 9 } });
    expect(first).toContain(`npx longshore ${command} --workspace`);
    expect(second).toContain('npx longshore resume R1');
  });
});
