import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readStoredPlanSummary, storePlanDiff } from '../../../src/app/plan/diff.ts';
import { type DiffFilter, DiffSearch } from '../../../src/app/plan/diff-pages.ts';
import { readPlannedRow, readPlannedRows } from '../../../src/app/plan/samples.ts';
import { summarisePlanFile } from '../../../src/app/plan/summary.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { planOfMany } from './many-rows.ts';

async function keptPlan(rows: number) {
  const folder = temporaryFolder();
  const file = planOfMany(join(folder.path, 'plan.db'), rows);
  onTestFinished(() => {
    file.close();
    folder.remove();
  });
  const summary = summarisePlanFile(file, { perPath: 5, concurrency: 1, latencies: new Map() });
  await storePlanDiff(file, summary);
  return { file, summary };
}

/** Every line that passes a filter, by pages of three. */
function linesOf(file: Parameters<DiffSearch['lookOn']>[0], filter: DiffFilter) {
  const lines = new DiffSearch(filter);
  while (!lines.state.isDone) lines.lookOn(file);
  return Array.from({ length: Math.ceil(lines.state.found / 3) }, (_, page) =>
    lines.page(file, page * 3, 3),
  ).flat();
}

describe('a plan that is kept', () => {
  it('has a line for every value that would change, and one for a row of which nothing would', async () => {
    const { file, summary } = await keptPlan(10);
    const lines = linesOf(file, {});
    const values = [...readPlannedRows(file, {})].flatMap(({ changes }) =>
      changes.length === 0 ? [0] : changes.map(() => 1),
    );
    expect(lines).toHaveLength(values.length);
    expect(lines[0]).toEqual({
      ...{ seq: 0, line: 2, key: 'K-0', outcome: 'updated', kind: 'replaced', field: 'lastName' },
      ...{ old: 'Müller 0', new: 'Muller-0' },
    });
    expect(lines.slice(1, 3).map(({ kind, field, old, new: after }) => [kind, field, old, after])).toEqual([
      ['filled', 'Plan', '', 'gold'],
      ['cleared', 'Note', 'see 0', ''],
    ]);
    expect(lines.slice(-2).map(({ outcome, kind, new: why }) => [outcome, kind, why])).toEqual([
      ['unchanged', null, null],
      ['rejected', null, '"at 9" is not an e-mail address'],
    ]);
    expect(readStoredPlanSummary(file)?.summary).toEqual(summary);
  });

  it('counts its lines by outcome, kind and field', async () => {
    const { file } = await keptPlan(40);
    for (const { outcome, kind, field, lines } of readStoredPlanSummary(file)?.sorts ?? []) {
      const filter = { outcome, kind: kind ?? '', ...(field !== null && { field }) };
      expect(linesOf(file, filter), JSON.stringify(filter)).toHaveLength(lines);
    }
    expect(readStoredPlanSummary(file)?.sorts.reduce((sum, { lines }) => sum + lines, 0)).toBe(
      linesOf(file, {}).length,
    );
  });

  it.each<readonly [DiffFilter, number]>([
    [{ text: 'k-1' }, 22],
    [{ text: 'Müller 3' }, 7],
    [{ text: 'Müller 3' }, 7],
    [{ text: 'last n', labelled: ['lastName'] }, 24],
    [{ text: 'last n', labelled: ['lastName'], kind: 'cleared' }, 0],
    [{ text: '%' }, 0],
    [{ text: '_' }, 0],
    [{ text: 'muller-1', kind: 'replaced' }, 7],
    [{ text: 'silver', outcome: 'updated', field: 'Plan' }, 12],
    [{ field: 'plan' }, 0],
    [{ outcome: "x' OR 1=1 --" }, 0],
  ])('is filtered by %j', async (filter, expected) => {
    const { file } = await keptPlan(40);
    const all = linesOf(file, {});
    const text = filter.text?.toLowerCase();
    const passing = all.filter(
      (line) =>
        (text === undefined ||
          filter.labelled?.some((each) => each === line.field) === true ||
          [line.key, line.field, line.old, line.new].some((each) => each?.toLowerCase().includes(text))) &&
        (filter.outcome === undefined || line.outcome === filter.outcome) &&
        (filter.kind === undefined || line.kind === filter.kind) &&
        (filter.field === undefined || line.field === filter.field),
    );
    expect(linesOf(file, filter)).toEqual(passing);
    expect(passing).toHaveLength(expected);
  });

  it('is looked through bit by bit, and a page is there before all of it was', async () => {
    const { file } = await keptPlan(15_000);
    const lines = new DiffSearch({ outcome: 'rejected' });
    lines.lookOn(file);
    expect(lines.state.isDone).toBe(false);
    const { found, looked } = lines.state;
    expect(lines.page(file, found - 1, 10)).toHaveLength(1);
    while (!lines.state.isDone) lines.lookOn(file);
    expect(lines.state.looked).toBeGreaterThan(looked);
    expect(lines.state.found).toBe(1_500);
    expect(lines.page(file, 1_499, 10).map(({ seq }) => seq)).toEqual([14_999]);
  });

  it('gives a row with all that would change of it', async () => {
    const { file } = await keptPlan(10);
    expect(readPlannedRow(file, 3)).toEqual([...readPlannedRows(file, {})][3]);
    expect(readPlannedRow(file, 3)?.changes).toHaveLength(3);
    expect(readPlannedRow(file, 10)).toBeUndefined();
  });
});
