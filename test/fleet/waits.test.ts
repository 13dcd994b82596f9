import { expect, it } from 'vitest';
import type { JobWait } from '../../src/fleet/job/messages.ts';
import { createWaitReporter } from '../../src/fleet/job/waits.ts';

it('a job reports each new reason of a wait, since when it waits, and its end', () => {
  const reasons = [undefined, 'silent', 'silent', 'refused', undefined, undefined, 'silent'];
  const reports: (JobWait | null)[] = [];
  let now = 0;
  const look = createWaitReporter(
    {
      waitsFor() {
        const reason = reasons[now - 1];
        return reason === undefined ? undefined : { kind: 'waiting', reason, until: 100 };
      },
    },
    () => now,
    (wait) => reports.push(wait),
  );
  for (now = 1; now <= reasons.length; now += 1) look();
  expect(reports).toEqual([
    { since: 2, reason: 'silent' },
    { since: 2, reason: 'refused' },
    null,
    { since: 7, reason: 'silent' },
  ]);
});
