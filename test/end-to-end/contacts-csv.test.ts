import { appendFileSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { atSite, changed, type Site, slowly } from '../cli/site.ts';

/** The lines of contacts.csv that the summary of a command names. */
function linesOf(stdout: string): Record<string, string>[] {
  const { files } = JSON.parse(stdout);
  return parse(readFileSync(files.contacts, 'utf8'), { columns: true });
}

/** What the list must say of each row, by what stands in the workspace. */
function wanted(sandbox: Sandbox, rows: number): object[] {
  const ids = new Map(sandbox.contacts().map(({ email, id }) => [email, String(id)]));
  return Array.from({ length: rows }, (_, n) => ({
    _line: String(n + 2),
    _key: String(n),
    contactId: ids.get(`person${n}@example.com`),
    identifier: `email:person${n}@example.com`,
  }));
}

/** Steps after the create, so that the contact is met again. */
const lifecycle = 'lifecycle: { default: New Lead, stages: [New Lead] }\n';

function withSteps({ folder }: Site): void {
  appendFileSync(`${folder}/mapping.yaml`, lifecycle);
}

describe.concurrent('contacts.csv', () => {
  it('joins every row to its contact; a created one that was not met again has no id yet', () =>
    atSite({}, async (site) => {
      const { stdout } = await site.import();
      const lines = linesOf(stdout);
      expect(new Set(lines.map(({ outcome }) => outcome))).toEqual(
        new Set(['created', 'updated', 'unchanged']),
      );
      const ids = wanted(site.sandbox, 40).map((line, n) =>
        lines[n]?.outcome === 'created' ? { ...line, contactId: '' } : line,
      );
      expect(lines).toMatchObject(ids);
    }));

  it('a created contact that a later step met has its id, also in a run that was killed in between', () =>
    atSite(slowly, async (site) => {
      withSteps(site);
      const killed = site.begin(['import', site.people.pipeline, '--workspace', site.sandbox.baseUrl]);
      await changed(site.sandbox, 25);
      killed.process.kill('SIGKILL');
      await killed.ended;
      const { stdout } = await site.import();
      expect(linesOf(stdout)).toMatchObject(wanted(site.sandbox, 40));
    }));

  it('is where --limit sends people to look', () =>
    atSite({}, async (site) => {
      const { pipeline } = site.people;
      const { stdout } = await site.longshore([
        ...['import', pipeline, '--workspace', site.sandbox.baseUrl, '--limit', '20'],
      ]);
      const file = /Check the contacts of these rows in the workspace \((\S+) lists them\)/.exec(stdout)?.[1];
      expect(parse(readFileSync(file ?? '', 'utf8'), { columns: true })).toHaveLength(20);
    }));
});
