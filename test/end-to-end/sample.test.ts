import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { Ended } from './command.ts';
import { run } from './in-process.ts';
import { type Comparable, readBack, words } from './read-back.ts';
import { readCsv } from './scene.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = temporaryFolder();

const text = z.string().nullable();
const closing = z.object({ category: z.string(), summary: text }).nullable();
const expectedSchema = z.object({
  counts: z.record(z.string(), z.number()),
  codes: z.record(z.string(), z.number()),
  notes: z.record(z.string(), z.number()),
  rows: z.array(z.object({ line: z.number(), outcome: z.string(), code: z.string().optional() })),
  contacts: z.array(
    z.object({
      firstName: text,
      lastName: text,
      email: text,
      phone: text,
      language: text,
      countryCode: text,
      tags: z.array(z.string()),
      lifecycle: text,
      assignee: text,
      status: z.string(),
      closing,
      customFields: z.record(z.string(), z.string()),
      comments: z.array(z.string()),
    }),
  ),
  tagged: z.array(z.object({ email: text, phone: text, tags: z.array(z.string()) })),
});

/** What the generator of the sample knows of it, without having seen our code. */
const expected = expectedSchema.parse(
  JSON.parse(readFileSync(`${root}/fixtures/sample/expected.json`, 'utf8')),
);

const summarySchema = z.object({
  run: z.string(),
  rows: z.record(z.string(), z.number()),
  files: z.record(z.string(), z.string()),
});

describe('the shipped sample, imported by the shipped pipeline', () => {
  let sandbox: Sandbox;
  let first: Ended;

  const importSample = () =>
    run(
      [
        'import',
        'pipelines/import-sample.yaml',
        '--json',
        '--workspace',
        sandbox.baseUrl,
        '--work-dir',
        folder.path,
      ],
      { LONGSHORE_TOKEN: 'sandbox' },
    );
  const summaryOf = ({ stdout }: Ended) => summarySchema.parse(JSON.parse(stdout));
  const file = (name: string) => readCsv(summaryOf(first).files[name] ?? '');

  beforeAll(async () => {
    process.chdir(root);
    sandbox = await startSandbox({ seed: 'fixtures/sample/workspace.json', processingMs: 300 });
    first = await importSample();
  }, 300_000);

  afterAll(async () => {
    await sandbox.close();
    folder.remove();
  });

  it('counts every row as the generator does', () => {
    expect(first.code).toBe(3);
    expect(summaryOf(first).rows).toEqual({
      ...{ merged: 0, skipped: 0, filtered: 0, stale: 0, failed: 0, uncertain: 0, notReached: 0 },
      ...expected.counts,
    });
  });

  it('gives exactly the expected contacts, field by field, and their comments in order', async () => {
    const contacts = await readBack(sandbox.baseUrl);
    expect(contacts.map(sorted).sort(byText)).toEqual(expected.contacts.map(sorted).sort(byText));
  });

  it('puts the tags of every contact on the list, at most ten', () => {
    const listed = file('contactTags').map(({ email, phone, tags = '' }) => ({
      email: email?.toLowerCase() || null,
      phone: phone || null,
      tags: tags.toLowerCase().split(';'),
    }));
    expect(listed.sort(byText)).toEqual([...expected.tagged].sort(byText));
  });

  it('says of every rejected line why', () => {
    const codes = new Map(file('rejects').map(({ _line, _code }) => [Number(_line), _code]));
    const rejected = expected.rows.filter(({ code }) => code !== undefined);
    expect(rejected.map(({ line }) => [line, codes.get(line)])).toEqual(
      rejected.map(({ line, code }) => [line, code]),
    );
    expect(codes.size).toBe(rejected.length);
  });

  it('says of everything that was left out that it was', () => {
    const counts: Record<string, number> = {};
    for (const { _code = '' } of file('dropped')) counts[_code] = (counts[_code] ?? 0) + 1;
    expect(counts).toMatchObject(expected.notes);
  });

  it('proposes a merge for every row that leads to two contacts, and asks of every other whose it is', () => {
    const proposed = expected.rows.flatMap(({ line, outcome }) => (outcome === 'proposed' ? [line] : []));
    const linesOf = (name: string) => file(name).map(({ _line }) => Number(_line));
    const [merges, questions] = [linesOf('mergeProposals'), linesOf('samePerson')];
    expect(proposed).toEqual(expect.arrayContaining([...merges, ...questions]));
    expect(questions).toHaveLength(expected.notes['identity.ask'] ?? 0);
    // Two of the rows are one person, and one line speaks for both.
    expect(merges).toHaveLength(proposed.length - questions.length - 1);
  });

  it('sends no write when it is imported again', async () => {
    sandbox.resetLog();
    const { rows } = summaryOf(await importSample());
    const { read, rejected, proposed } = expected.counts;
    expect(rows).toMatchObject({ read, rejected, proposed, created: 0, updated: 0, merged: 0 });
    expect(sandbox.log).not.toEqual([]);
    expect(sandbox.log.filter(({ method, path }) => method !== 'GET' && path !== '/contact/list')).toEqual(
      [],
    );
  }, 300_000);
});

function sorted({ customFields, comments, ...contact }: Comparable): Comparable {
  return {
    ...Object.fromEntries(Object.entries(contact).sort(byText)),
    customFields: Object.fromEntries(Object.entries(customFields).sort(byText)),
    comments: comments.map(words),
  };
}

function byText(a: unknown, b: unknown): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
