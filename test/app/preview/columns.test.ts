import { afterAll, describe, expect, it } from 'vitest';
import { ValueCounter } from '../../../src/app/draft/profile/value-counts.ts';
import { type ColumnStatisticsProgress, profileColumns } from '../../../src/app/preview/columns.ts';
import type { PreviewInput } from '../../../src/app/preview/given-input.ts';
import { removeInputs, unstopped, written } from './given.ts';

afterAll(removeInputs);

async function profiled(given: PreviewInput): Promise<readonly ColumnStatisticsProgress[]> {
  const told: ColumnStatisticsProgress[] = [];
  await profileColumns(given, (soFar) => told.push(soFar), unstopped);
  return told;
}

describe('the columns of an input', () => {
  it('are shown with what they hold', async () => {
    const lines = [
      'Name,Email,Plan',
      'Ada,ada@example.com,Gold',
      'Bob,bob@example.com,Gold',
      'Cyd,cyd@example.com,',
      'Dee,,Basic',
    ];
    const [only] = await profiled(written('columns.csv', lines.join('\n')));
    expect(only).toMatchObject({ rows: 4, counted: 4, share: 1, done: true, moreColumns: 0 });
    expect(only?.columns).toMatchObject([
      { name: 'Name', filled: 4, type: 'text' },
      { name: 'Email', filled: 3, type: 'email', distinct: { n: 3, atLeast: false } },
      {
        ...{ name: 'Plan', filled: 3, distinct: { n: 2, atLeast: false } },
        frequent: [
          { value: 'Gold', n: 2 },
          { value: 'Basic', n: 1 },
        ],
      },
    ]);
  });

  it('are told while a large file is read', async () => {
    const count = 50_000;
    const lines = Array.from({ length: count }, (_, n) => `${n},${n % 3 === 0 ? 'yes' : 'no'}`);
    const told = await profiled(written('many.csv', `Id,News\n${lines.join('\n')}\n`));
    expect(told.length).toBeGreaterThan(3);
    expect(told[0]?.counted).toBeLessThan(3_000);
    const [id, news] = told.at(-1)?.columns ?? [];
    expect(id).toMatchObject({ filled: count, distinct: { atLeast: true } });
    expect(id?.distinct.n).toBeGreaterThanOrEqual(5_000);
    expect(news).toMatchObject({ distinct: { n: 2, atLeast: false }, type: 'checkbox' });
    expect(news?.frequent).toEqual([
      { value: 'no', n: 33_333 },
      { value: 'yes', n: 16_667 },
    ]);
    expect(JSON.parse(JSON.stringify(told))).toEqual(told);
  });
});

describe('values that are counted', () => {
  it('are found where they are frequent, however late, among any number of rare ones', () => {
    const counts = new ValueCounter();
    for (let n = 0; n < 30_000; n += 1) counts.add(`rare ${n}`);
    for (let n = 0; n < 30_000; n += 1) counts.add(n % 2 === 0 ? 'late' : `rarer ${n}`);
    const [first, second] = counts.frequent(2);
    expect(first).toEqual({ value: 'late', n: 15_000 });
    expect(second?.n).toBeLessThan(100);
    expect(counts.distinct).toEqual({ n: 5_000, atLeast: true });
  });
});
