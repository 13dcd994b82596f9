import { expect, test } from 'vitest';
import { checkAlerts } from '../../../src/app/check/find-problems.ts';

const notify = {
  url: 'https://hooks.example.test/s3cret',
  on: ['failure', 'recovery'],
  secretEnv: 'ACME',
} as const;

test('says where alerts go and whether they are signed, never the whole address', () => {
  const settings = { ...notify, on: [...notify.on] };
  expect(checkAlerts(settings, (variable) => variable === 'ACME')).toEqual([
    { verdict: 'ok', text: 'alerts go to hooks.example.test (failure, recovery), signed with ACME' },
  ]);
  expect(checkAlerts(settings, () => false)).toEqual([
    {
      verdict: 'note',
      text: expect.stringContaining(
        'alerts go to hooks.example.test (failure, recovery) unsigned: ACME is not set',
      ),
      next: expect.stringContaining('export ACME='),
    },
  ]);
  expect(checkAlerts(undefined, () => true)).toEqual([]);
});
