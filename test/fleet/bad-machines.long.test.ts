import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { run } from '../end-to-end/command.ts';
import { badMachines, unmount } from './bad-machines.ts';
import { atFleet } from './fleet-site.ts';

async function readyz(port: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  return { status: answer.status, text: await answer.text() };
}

it.each(badMachines)(
  'a machine $what takes no job and says why, no job fails for it, and it looks again by itself',
  async ({ make, says, fix }) =>
    await atFleet({ rows: 4, limits: { retries: 0, lease: '10s' } }, async (site) => {
      const other = make(site);
      if (other === undefined) return;
      const bad = site.machineWith('bad', { ...other, flags: ['--port', '0'] });
      try {
        bad.start();
        const port = await bad.printed(/:(\d+)\/metrics/);
        await bad.printed(/takes no job: (.*)/);
        expect(bad.said).toMatch(says);
        const { status, text } = await readyz(port);
        expect(status).toBe(503);
        expect(text).toMatch(says);
        await site.longshore('fleet', 'run', 'acme');
        // Jobs wait that no machine takes: that needs attention.
        const fleetStatus = () => run(['fleet', 'status'], site.env);
        const stdout = expect.stringMatching(/1 worker \(1 not ready\)/);
        await vi.waitFor(async () => expect(await fleetStatus()).toMatchObject({ code: 3, stdout }), {
          timeout: 30_000,
        });
        expect((await fleetStatus()).stdout).toMatch(says);
        if (fix === undefined) {
          site.machine('good').start();
        } else {
          fix(site);
          await bad.printed(/(This machine takes jobs)/);
        }
        await site.succeeded('load');
        await site.succeeded('nightly');
        site.expectExact();
        const { rows } = await site.pool.query('SELECT failures FROM longshore.assignment');
        expect(rows).toEqual([{ failures: 0 }, { failures: 0 }]);
        expect(await bad.drain()).toBe(0);
      } finally {
        await bad.kill();
        unmount(bad);
      }
    }),
);

it('of 20 jobs none fails where one of two machines has no tokens, and each runs once', () => {
  const names = Array.from({ length: 20 }, (_, n) => `w${n}`);
  const tokens = Object.fromEntries(
    names.map((name) => [`LONGSHORE_TOKEN_${name.toUpperCase()}`, `t-${name}`]),
  );
  return atFleet(
    { rows: 2, limits: { retries: 0, lease: '30s' }, tokens: ['sandbox', ...Object.values(tokens)] },
    async (site) => {
      const fleet = {
        ...JSON.parse(readFileSync(site.fleetFile, 'utf8')),
        workspaces: Object.fromEntries(
          Object.keys(tokens).map((variable, n) => [
            names[n],
            { baseUrl: site.sandbox.baseUrl, tokenEnv: variable },
          ]),
        ),
      };
      writeFileSync(site.fleetFile, JSON.stringify(fleet));
      await site.longshore('fleet', 'apply', site.fleetFile, '--yes');
      for (const name of names) {
        await site.pool.query(
          `UPDATE longshore.assignment SET wanted_at = now() WHERE workspace = $1 AND pipeline = 'nightly'`,
          [name],
        );
      }
      const bad = site.machineWith('bad', {});
      const good = site.machineWith('good', { env: tokens });
      bad.start();
      await bad.printed(/takes no job: (no token)/);
      good.start();
      const ended = async () => {
        const { rows } = await site.pool.query<{ done: number; failures: number }>(
          `SELECT count(last_success_at)::int AS done, sum(failures)::int AS failures
         FROM longshore.assignment WHERE pipeline = 'nightly'`,
        );
        return rows[0];
      };
      await vi.waitFor(async () => expect((await ended())?.done).toBe(names.length), {
        timeout: 500_000,
        interval: 500,
      });
      expect(await ended()).toEqual({ done: names.length, failures: 0 });
      expect(bad.said).not.toContain('taken');
      expect([await bad.drain(), await good.drain()]).toEqual([0, 0]);
    },
  );
});
