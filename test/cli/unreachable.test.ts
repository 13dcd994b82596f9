import { expect, it } from 'vitest';
import { atSite, changed, rowsOf, slowly } from './site.ts';

it(
  'a workspace that is not reachable for longer than limits.outage stops the run, which goes on when it is back',
  () =>
    atSite({ ...slowly, limits: '{ concurrency: 2, outage: 2s, settle: 1s }' }, async (site) => {
      const running = site.import();
      await changed(site.sandbox, 3);
      site.sandbox.setFaults([{ rates: { dropBefore: 1 } }]);
      const stopped = await running;
      expect(stopped.code).toBe(7);
      expect(stopped.stderr).toContain('error: The workspace could not be reached for ');
      expect(stopped.stderr).toMatch(/npx longshore resume \S+-people --work-dir /);
      expect(JSON.parse(stopped.stdout)).toMatchObject({ outcome: 'stopped', exitCode: 7 });
      site.sandbox.setFaults([]);
      const resumed = await site.longshore(['resume', '--json']);
      expect(resumed).toMatchObject({ code: 0, stderr: '' });
      expect(rowsOf(resumed.stdout)).toMatchObject({ read: 40, created: 30 });
      site.expectExact();
    }),
  150_000,
);
