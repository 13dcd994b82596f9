import { describe, expect, it } from 'vitest';
import { ErrorBudget, findBudgetStop, type ShareOrRowCount } from '../../../src/app/import/budget.ts';
import { type Outcome, outcomes } from '../../../src/model/outcome.ts';

/** The number of the row at which the budget is exceeded, 0 for none. */
function exceededAt(max: ShareOrRowCount, rows: readonly Outcome[]): number {
  const over = findBudgetStop(
    max,
    rows.map((outcome, seq) => ({ seq, outcome })),
  );
  return over === undefined ? 0 : over.seq + 1;
}

const many = (n: number, outcome: Outcome): Outcome[] => Array.from({ length: n }, () => outcome);

describe('the error budget', () => {
  it.each([
    ['a share, kept exactly', { share: 0.05 }, [...many(190, 'created'), ...many(10, 'rejected')], 0],
    ['a share, one over', { share: 0.05 }, [...many(190, 'created'), ...many(11, 'rejected')], 201],
    ['a share of everything, before row 200', { share: 0.05 }, many(199, 'failed'), 0],
    ['a share of everything, at row 200', { share: 0.05 }, many(300, 'failed'), 200],
    ['a number, kept exactly', { rows: 3 }, many(3, 'failed'), 0],
    ['a number, one over', { rows: 3 }, many(9, 'failed'), 4],
    ['none allowed', { rows: 0 }, ['created', 'rejected'], 2],
    ['no errors', { rows: 0 }, many(500, 'updated'), 0],
  ] as const)('%s', (_what, max, rows, at) => {
    expect(exceededAt(max, rows)).toBe(at);
  });

  it.each(outcomes)('counts rejected and failed rows only: %s', (outcome) => {
    const isError = outcome === 'rejected' || outcome === 'failed';
    expect(exceededAt({ rows: 0 }, [outcome])).toBe(isError ? 1 : 0);
  });

  it('counts rows under way as begun: good ones may wait for the workspace where wrong ones end at once', () => {
    const budget = new ErrorBudget({ share: 0.1 });
    for (let n = 0; n < 599; n += 1) budget.begin();
    for (const outcome of many(60, 'rejected')) budget.add(outcome);
    expect(budget.exceeded()).toBeDefined();
    budget.begin();
    expect(budget.exceeded()).toBeUndefined();
  });

  it('says how many of how many, and what was allowed', () => {
    const rows = many(200, 'failed').map((outcome, seq) => ({ seq, outcome }));
    expect(findBudgetStop({ share: 0.05 }, rows)?.message).toBe(
      '200 of 200 rows were rejected or failed, more than policy.maxErrors: 5% allows.',
    );
  });
});
