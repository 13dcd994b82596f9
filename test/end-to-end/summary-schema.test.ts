import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { atSite, type Site } from '../cli/site.ts';

async function validator(site: Site): Promise<(summary: unknown) => void> {
  const schema = JSON.parse((await site.longshore(['schema', 'summary'])).stdout);
  const printed = z.fromJSONSchema(schema);
  return (summary) => expect(printed.safeParse(summary).error?.issues ?? []).toEqual([]);
}

/** What a run printed, which is also what is in its file. */
function summaryOf(stdout: string): { readonly files: { readonly summary: string } } {
  const printed = JSON.parse(stdout);
  expect(JSON.parse(readFileSync(printed.files.summary, 'utf8'))).toEqual(printed);
  return printed;
}

describe('the schema of summaries', () => {
  it('fits those of a stopped, a continued and a finished import, and of a retry', () =>
    atSite({ rows: 12 }, async (site) => {
      const expectValid = await validator(site);
      const limited = summaryOf((await site.import('--limit', '5')).stdout);
      expectValid(limited);
      expect(limited).toMatchObject({ outcome: 'stopped' });
      const finished = summaryOf((await site.import()).stdout);
      expectValid(finished);
      expect(finished).toMatchObject({ outcome: 'finished' });
      expect(() => expectValid({ ...finished, more: 1 })).toThrow();
      expect(() => expectValid({ ...finished, rows: {} })).toThrow();
    }));

  it('fits that of a retry', () =>
    atSite({ rows: 6 }, async (site) => {
      const expectValid = await validator(site);
      const input = join(site.folder, 'people.csv');
      const good = readFileSync(input, 'utf8');
      writeFileSync(input, good.replace(/@/, ' no address '));
      const rejected = await site.import();
      expect(rejected.code).toBe(3);
      expectValid(summaryOf(rejected.stdout));
      writeFileSync(input, good);
      const retried = summaryOf((await site.longshore(['retry', '--json'])).stdout);
      expectValid(retried);
      expect(retried).toMatchObject({ selection: { kind: 'retry' } });
      expect('matched' in retried).toBe(true);
    }));

  it('fits that of an export', () =>
    atSite({ rows: 4 }, async (site) => {
      const expectValid = await validator(site);
      const pipeline = join(site.folder, 'export.yaml');
      writeFileSync(pipeline, 'pipeline: nightly\nexport:\n  to: out\n  contacts: { format: csv }\n');
      const { stdout, stderr } = await site.longshore([
        ...['export', pipeline, '--workspace', site.sandbox.baseUrl, '--json'],
      ]);
      expect(stderr).toBe('');
      const summary = summaryOf(stdout);
      expectValid(summary);
      expect(summary).toMatchObject({ kind: 'export', outcome: 'finished' });
    }));
});
