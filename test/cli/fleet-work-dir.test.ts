import { appendFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getCommandName } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { fleetMarkerStore } from '../../src/journal/index.ts';
import { isWrite } from '../app/import/real-import.ts';
import { standing } from '../end-to-end/people.ts';
import { atSite, type Site } from './site.ts';

/** How a command is typed that changes the journal or the workspace, or only reads; undefined for one that needs no work dir. */
type Typed = { readonly writes?: readonly string[][]; readonly reads?: readonly string[][] } | undefined;

const typed: Readonly<Record<string, Typed>> = {
  check: { reads: [['check', 'PIPELINE']] },
  fields: { reads: [['fields', 'PIPELINE']] },
  draft: { reads: [['draft', 'INPUT', '--print']] },
  plan: { reads: [['plan', 'PIPELINE']] },
  rehearse: { reads: [['rehearse', 'PIPELINE']] },
  import: {
    writes: [
      ['import', 'PIPELINE'],
      ['import', 'PIPELINE', '--fresh'],
      ['import', 'PIPELINE', '--limit', '2', '--workspace', 'sandbox'],
    ],
  },
  export: { writes: [['export', 'EXPORT']] },
  resume: { writes: [['resume', 'UNFINISHED']] },
  retry: { writes: [['retry', 'FINISHED']] },
  verify: { reads: [['verify', 'FINISHED']] },
  undo: {
    writes: [
      ['undo', 'FINISHED'],
      ['undo', 'FINISHED', '--yes'],
    ],
    reads: [['undo', 'FINISHED', '--dry-run']],
  },
  status: { reads: [['status'], ['status', 'FINISHED']] },
  runs: { reads: [['runs']] },
  forget: {
    writes: [
      ['forget', 'person1@example.com', '--yes'],
      ['forget', 'person1@example.com', '--dry-run'],
    ],
  },
  prune: { writes: [['prune', '--older', '0ms', '--yes']] },
  // What it starts are the commands of this list.
  studio: undefined,
  explain: undefined,
  completion: undefined,
  help: undefined,
  schedule: undefined,
  sandbox: undefined,
  schema: undefined,
  fleet: undefined,
  worker: undefined,
};

const all = (which: 'reads' | 'writes') => Object.values(typed).flatMap((each) => each?.[which] ?? []);

/** A work dir with a run of each kind that is not in a fleet yet, and how commands are typed there. */
async function prepared(site: Site) {
  const typeWords = (names: Readonly<Record<string, string>>) => (words: readonly string[]) => {
    const args = words.map((word) => names[word] ?? word);
    return site.longshore(args, { env: { LONGSHORE_BASE_URL: site.sandbox.baseUrl } });
  };
  const exporting = join(site.folder, 'export.yaml');
  writeFileSync(exporting, 'pipeline: out\nexport:\n  to: out/{date}\n  contacts: { format: csv }\n');
  const files = { PIPELINE: site.people.pipeline, EXPORT: exporting, INPUT: join(site.folder, 'people.csv') };
  // A row that can be retried.
  appendFileSync(files.INPUT, '99,Nobody,Nobody,not an address,,99\n');
  const run = async (...flags: readonly string[]): Promise<string> =>
    JSON.parse((await site.import(...flags)).stdout).run;
  const FINISHED = await run();
  const UNFINISHED = await run('--fresh', '--limit', '1');
  return typeWords({ ...files, FINISHED, UNFINISHED });
}

const runsOf = async (site: Site): Promise<unknown> =>
  JSON.parse((await site.longshore(['runs', '--json'])).stdout);

describe("in a work dir of a fleet's worker", () => {
  it('says of every command whether it changes something there', () => {
    expect(Object.keys(typed).sort()).toEqual(commands.map(getCommandName).sort());
  });

  it('every command that changes something is refused, and nothing of it is sent or kept', () =>
    atSite({ rows: 8 }, async (site) => {
      const longshore = await prepared(site);
      fleetMarkerStore.write(site.workDir, { workspace: 'acme', forgotten: [] });
      const before = { runs: await runsOf(site), contacts: standing(site.sandbox) };
      const writes = site.sandbox.log.filter(isWrite).length;
      for (const words of all('writes')) {
        const { code, stderr } = await longshore(words);
        expect({ words, code, stderr }).toEqual({
          words,
          code: 2,
          stderr: expect.stringMatching(
            /work dir belongs to a fleet[\s\S]*fleet run acme PIPELINE[\s\S]*fleet forget PERSON acme/,
          ),
        });
        expect(stderr).toContain(site.workDir);
      }
      expect(site.sandbox.log.filter(isWrite)).toHaveLength(writes);
      expect({ runs: await runsOf(site), contacts: standing(site.sandbox) }).toEqual(before);
      expect(existsSync(join(site.folder, 'out'))).toBe(false);
    }));

  it('every command that only reads ends as it does elsewhere', () =>
    atSite({ rows: 8 }, async (site) => {
      const longshore = await prepared(site);
      const codes = async () => {
        const ended: object[] = [];
        for (const words of all('reads')) ended.push({ words, code: (await longshore(words)).code });
        return ended;
      };
      const before = await codes();
      expect(before).toContainEqual({ words: ['runs'], code: 0 });
      fleetMarkerStore.write(site.workDir, { workspace: 'acme', forgotten: [] });
      expect(await codes()).toEqual(before);
    }));

  it('everything works again where the file that says so was removed', () =>
    atSite({ rows: 8 }, async (site) => {
      const longshore = await prepared(site);
      fleetMarkerStore.write(site.workDir, { workspace: 'acme', forgotten: [] });
      expect(readdirSync(site.workDir)).toContain('fleet-workspace');
      rmSync(join(site.workDir, 'fleet-workspace'));
      expect(await longshore(['import', 'PIPELINE'])).toMatchObject({ code: 3 });
      site.expectExact();
    }));
});
