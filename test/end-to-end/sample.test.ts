import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { type Ended, run, temporaryFolder } from './command.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = temporaryFolder();

const text = z.string().nullable();
const expectedSchema = z.object({
  counts: z.record(z.string(), z.number()),
  codes: z.record(z.string(), z.number()),
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
      customFields: z.record(z.string(), z.string()),
    }),
  ),
});

/** What the generator of the sample knows of it, without having seen our code. */
const expected = expectedSchema.parse(
  JSON.parse(readFileSync(`${root}/fixtures/sample/expected.json`, 'utf8')),
);

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

  beforeAll(async () => {
    process.chdir(root);
    sandbox = await startSandbox({ seed: 'fixtures/sample/workspace.json', processingMs: 300 });
    first = await importSample();
  }, 240_000);

  afterAll(async () => {
    await sandbox.close();
    folder.remove();
  });

  it('counts every row as the generator does', () => {
    const { rows } = JSON.parse(first.stdout);
    expect(first.code).toBe(3);
    expect(rows).toMatchObject(expected.counts);
  });

  it('gives exactly the expected contacts, field by field, read back over the interface', async () => {
    const contacts = await readAll(sandbox.baseUrl);
    expect(contacts.map(comparable).sort(byText)).toEqual(expected.contacts.map(sorted).sort(byText));
  });

  it('says of every rejected line why', () => {
    const { files } = JSON.parse(first.stdout);
    const rejects = readFileSync(files.rejects, 'utf8');
    for (const { code } of expected.rows) if (code !== undefined) expect(rejects).toContain(code);
  });

  it('sends no write when it is imported again', async () => {
    sandbox.resetLog();
    const { stdout } = await importSample();
    const { rows } = JSON.parse(stdout);
    expect(rows).toMatchObject({ created: 0, updated: 0, rejected: expected.counts.rejected });
    expect(sandbox.log.filter(({ method }) => method !== 'GET')).toEqual([]);
  }, 240_000);
});

const pageSchema = z.object({
  items: z.array(
    z.looseObject({
      firstName: text,
      lastName: text,
      email: text,
      phone: text,
      language: text,
      countryCode: text,
      tags: z.array(z.string()),
      lifecycle: text,
      assignee: z.looseObject({ email: z.string() }).nullable(),
      custom_fields: z.array(z.object({ name: z.string(), value: text })),
    }),
  ),
  pagination: z.object({ next: z.string() }),
});

type Read = z.infer<typeof pageSchema>['items'][number];

/** All contacts by a client that is not ours. */
async function readAll(baseUrl: string): Promise<Read[]> {
  const contacts: Read[] = [];
  let url = `${baseUrl}/contact/list?limit=99`;
  while (url !== '') {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json' },
      body: '{}',
    });
    if (response.status === 429) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      continue;
    }
    const page = pageSchema.parse(await response.json());
    contacts.push(...page.items);
    url = page.pagination.next;
  }
  return contacts;
}

type Comparable = z.infer<typeof expectedSchema>['contacts'][number];

function comparable(contact: Read): Comparable {
  const { firstName, lastName, email, phone, language, countryCode, tags, lifecycle, assignee } = contact;
  const customFields: Record<string, string> = {};
  for (const { name, value } of contact.custom_fields) if (value !== null) customFields[name] = value;
  const owner = assignee?.email ?? null;
  return sorted({
    firstName,
    lastName,
    email,
    phone,
    language,
    countryCode,
    tags,
    lifecycle,
    assignee: owner,
    customFields,
  });
}

function sorted(contact: Comparable): Comparable {
  return { ...contact, customFields: Object.fromEntries(Object.entries(contact.customFields).sort(byText)) };
}

function byText(a: unknown, b: unknown): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
