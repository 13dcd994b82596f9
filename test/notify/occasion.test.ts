import { expect, test } from 'vitest';
import type { FatalReason } from '../../src/model/fatal-error.ts';
import { alertEvents, chooseAlertEvent, classifyCommandResult } from '../../src/notify/index.ts';

const all = alertEvents;
const worked = { exitCode: 0, failures: 0 };
const failing = { exitCode: 7, failures: 2 };
const locked = { exitCode: 6, failures: 1 };

type Case = readonly [
  kind: 'import' | 'export',
  exitCode: number,
  reason: FatalReason | undefined,
  before: typeof worked | undefined,
  on: readonly (typeof alertEvents)[number][],
  event: string | undefined,
];

const cases: readonly Case[] = [
  ['import', 0, undefined, undefined, all, 'success'],
  ['import', 0, undefined, worked, ['failure', 'rejects', 'recovery'], undefined],
  ['import', 0, undefined, failing, all, 'recovery'],
  ['import', 0, undefined, failing, ['failure', 'success'], 'success'],
  ['import', 3, undefined, worked, all, 'rejects'],
  ['import', 3, undefined, failing, all, 'rejects'],
  ['import', 3, undefined, failing, ['failure', 'recovery'], 'recovery'],
  ['import', 3, undefined, worked, ['failure', 'recovery', 'success'], undefined],
  ['import', 1, 'unexpected', worked, all, 'failure'],
  ['import', 2, 'usage', worked, all, 'failure'],
  ['import', 2, 'input', worked, all, 'failure'],
  ['import', 4, 'budget', worked, all, 'failure'],
  ['export', 4, 'timeout', worked, all, 'failure'],
  ['import', 5, 'unauthorized', failing, all, 'failure'],
  ['import', 7, 'unreachable', undefined, all, 'failure'],
  ['import', 7, 'unreachable', failing, ['rejects', 'recovery', 'success'], undefined],
  ['export', 4, 'guard', worked, all, 'failure'],
  ['export', 4, 'guard', worked, ['rejects', 'recovery'], 'rejects'],
  ['import', 4, 'guard', worked, ['rejects'], undefined],
  ['import', 6, 'locked', worked, all, 'failure'],
  ['import', 6, 'locked', failing, all, 'failure'],
  ['import', 6, 'locked', locked, all, undefined],
  ['import', 0, undefined, locked, all, 'recovery'],
  ['import', 130, 'interrupted', failing, all, undefined],
  ['import', 143, 'interrupted', worked, all, undefined],
];

test.each(cases)(
  '%s that ends with %i (%s), after %o, asked for %o: %s',
  (kind, exitCode, reason, before, on, event) => {
    expect(chooseAlertEvent({ kind, exitCode, reason }, before, on)).toBe(event);
  },
);

test.each([
  [7, 'unreachable'],
  [4, 'guard'],
] as const)('a failure that was reported already (%i, %s) has no alert', (exitCode, reason) => {
  const end = { kind: 'export', exitCode, reason, isReported: true } as const;
  expect(chooseAlertEvent(end, failing, all)).toBeUndefined();
});

test('an interrupted attempt neither worked nor failed', () => {
  expect(classifyCommandResult({ kind: 'import', exitCode: 143, reason: 'interrupted' })).toBe('interrupted');
  expect(classifyCommandResult({ kind: 'import', exitCode: 3, reason: undefined })).toBe('worked');
  expect(classifyCommandResult({ kind: 'export', exitCode: 4, reason: 'guard' })).toBe('failed');
});
