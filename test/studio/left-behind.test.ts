import { expect, it, onTestFinished } from 'vitest';
import { sumLeftBehind } from '../../src/studio/page/hand-over/left-behind-of-import.ts';
import type { LeftBehindGroup } from '../../src/studio/wire/left-behind.ts';
import { checkResultSchema } from '../../src/studio/wire/schemas/check-result.ts';
import { losing, losingProject } from '../end-to-end/losing-project.ts';

it('what an import leaves behind comes to the page as check prints it', async () => {
  const project = await losingProject(Object.values(losing).flat(), '  deferred: [conversation]\n');
  onTestFinished(() => project.close());
  const printed = await project.json('check p.yaml --online');
  expect(printed.leftBehind.length).toBeGreaterThan(10);
  expect(checkResultSchema.parse(printed).leftBehind).toEqual(printed.leftBehind);
});

it('what an import and its later runs leave behind is one list, in which no row and no column is counted twice', () => {
  const group = (kind: string, n: number, values: LeftBehindGroup['values'] = []): LeftBehindGroup => ({
    ...{ kind, n, values, title: kind, example: null, file: null, fix: '', known: 'now' },
  });
  const all = { kind: 'all' } as const;
  const retry = { kind: 'retry', run: '1', resend: false } as const;
  const answers = { kind: 'approve', file: 'same-person.csv', fingerprint: '' } as const;
  const [one, two] = ['email.invalid', 'identity.missing'];
  const sum = sumLeftBehind([
    {
      selection: all,
      leftBehind: [group('rejected', 4, [{ value: one, n: 4 }]), group('notRead', 2), group('columns', 7)],
    },
    {
      selection: retry,
      leftBehind: [group('rejected', 3), group('notRead', 2), group('columns', 7), group('phones', 1)],
    },
    {
      selection: answers,
      leftBehind: [
        group('rejected', 14, [
          { value: two, n: 13 },
          { value: one, n: 1 },
        ]),
      ],
    },
  ]);
  expect(sum.map(({ kind, n }) => [kind, n])).toEqual([
    ['rejected', 18],
    ['notRead', 2],
    ['columns', 7],
    ['phones', 1],
  ]);
  expect(sum[0]?.values).toEqual([
    { value: two, n: 13 },
    { value: one, n: 5 },
  ]);
});
