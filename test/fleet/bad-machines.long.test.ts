import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { newKeyText } from './fleet-database.ts';
import { atFleet, type FleetSite, type OtherMachine, ownFiles } from './fleet-site.ts';
import type { Machine } from './worker-process.ts';

interface Bad {
  readonly what: string;
  /** What is wrong with the machine; undefined where it cannot be made so here. */
  readonly make: (site: FleetSite) => OtherMachine | undefined;
  readonly says: RegExp;
  /** Makes it right, where that is possible while it runs. */
  readonly mend?: (site: FleetSite) => void;
}

/** The clock of this process, an hour ahead. */
const anHourAhead = 'const now = Date.now; Date.now = () => now() + 3_600_000;';

const elsewhere = (site: FleetSite) => join(site.folder, 'other-fleet.yaml');

const badMachines: readonly Bad[] = [
  {
    what: 'without the token',
    make: () => ({ env: { LONGSHORE_TOKEN: '' } }),
    says: /no token can be used: .*LONGSHORE_TOKEN/,
  },
  {
    what: 'with another key',
    make: () => ({ env: { LONGSHORE_FLEET_KEY: newKeyText() } }),
    says: /LONGSHORE_FLEET_KEY is not the key that the fleet was applied with/,
  },
  {
    what: 'whose clock is an hour ahead',
    make: () => ({
      env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(anHourAhead)}` },
    }),
    says: /the clock of this machine and that of the database differ by 60 minutes/,
  },
  {
    what: 'whose place is not mounted',
    // The same place by its name, on a machine where nothing is mounted there.
    make: (site) => ({ file: ownFiles(site, 'unmounted') }),
    says: /cannot write places\.outputs \(ENOENT\)/,
    mend: (site) => mkdirSync(join(site.folder, 'unmounted/out')),
  },
  {
    what: 'with a fleet file of other places',
    make: (site) => {
      const text = readFileSync(site.fleetFile, 'utf8');
      writeFileSync(elsewhere(site), text.replace('"outputs":"out"', '"outputs":"."'));
      return { file: elsewhere(site) };
    },
    says: /the places of its fleet file differ from the applied ones/,
    mend: (site) => {
      writeFileSync(`${elsewhere(site)}.new`, readFileSync(site.fleetFile));
      renameSync(`${elsewhere(site)}.new`, elsewhere(site));
    },
  },
  {
    what: 'whose disk is full',
    make: (site) => {
      const workDir = join(site.folder, 'small-disk');
      mkdirSync(workDir);
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', workDir], {
          stdio: 'ignore',
        });
      } catch {
        return undefined;
      }
      return { workDir };
    },
    says: /the disk of .* is nearly full/,
  },
];

async function readyz(port: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  return { status: answer.status, text: await answer.text() };
}

const unmount = (machine: Machine) => {
  try {
    execFileSync('umount', [machine.workDir], { stdio: 'ignore' });
  } catch {
    // It was not mounted.
  }
};

it.each(badMachines)(
  'a machine $what takes no job and says why, no job fails for it, and it looks again by itself',
  async ({ make, says, mend }) =>
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
        await vi.waitFor(
          async () => expect(await site.longshore('fleet', 'status')).toMatch(/1 worker \(1 not ready\)/),
          { timeout: 30_000 },
        );
        expect(await site.longshore('fleet', 'status')).toMatch(says);
        if (mend === undefined) {
          site.machine('good').start();
        } else {
          mend(site);
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
