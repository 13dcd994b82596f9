import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atSite, changed, type Site, seen, slowly } from '../cli/site.ts';
import type { Ended } from './command.ts';

/** How runs end, and the exit codes that they may have had on the way. */
const endings: readonly {
  readonly name: string;
  readonly codes: readonly (number | null)[];
  readonly run: (site: Site) => Promise<readonly Ended[]>;
}[] = [
  {
    name: 'succeeds',
    codes: [0, 0],
    run: async (site) => [await site.import(), await site.longshore(['status'])],
  },
  {
    name: 'is refused before it begins',
    codes: [5],
    run: async (site) => {
      site.sandbox.revokeToken(site.token);
      return [await site.import()];
    },
  },
  {
    name: 'is refused on its way',
    codes: [5],
    run: async (site) => {
      const running = site.import();
      await changed(site.sandbox, 2);
      site.sandbox.revokeToken(site.token);
      return [await running];
    },
  },
  {
    name: 'is killed, and then meets nothing but broken answers',
    codes: [null, 130],
    run: async (site) => {
      const first = site.begin(['import', site.people.pipeline, '--workspace', site.sandbox.baseUrl]);
      await changed(site.sandbox, 2);
      first.process.kill('SIGKILL');
      const killed = await first.ended;
      site.sandbox.resetLog();
      site.sandbox.setFaults([{ rates: { brokenBody: 0.5, dropAfter: 0.5 } }]);
      const second = site.begin(['resume']);
      await seen(site.sandbox, 3);
      second.process.kill('SIGINT');
      return [killed, await second.ended];
    },
  },
  {
    name: 'has the token for a base URL by mistake',
    codes: [2],
    run: async (site) => [
      await site.longshore([
        'import',
        site.people.pipeline,
        '--workspace',
        `https://${site.token}@example.com/v1`,
      ]),
    ],
  },
];

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...filesUnder(path)] : [path];
  });
}

describe.concurrent('the token stays where it is, and files are private', () => {
  it.each(endings)('when a run $name', ({ codes, run }) =>
    atSite(slowly, async (site) => {
      const ended = await run(site);
      expect(ended.map(({ code }) => code)).toEqual(codes);
      for (const { stdout, stderr } of ended) expect(stdout + stderr).not.toContain(site.token);
      const files = filesUnder(site.workDir);
      const open = [site.workDir, ...files].filter((path) => (statSync(path).mode & 0o077) !== 0);
      expect(open).toEqual([]);
      const telling = files.filter(
        (path) => statSync(path).isFile() && readFileSync(path).includes(site.token),
      );
      expect(telling).toEqual([]);
    }),
  );
});
