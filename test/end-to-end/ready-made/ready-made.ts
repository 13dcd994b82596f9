import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runImport } from '../../../src/app/import/import.ts';
import { writeRunFiles } from '../../../src/app/import/report/run-files.ts';
import { toCommand } from '../../../src/model/command.ts';
import { type LoadedImportPipeline, loadImportPipeline } from '../../../src/pipeline/index.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import {
  defaultWorkspaceLimits,
  openWorkspace,
  systemClock,
  systemRandomness,
} from '../../../src/workspace/index.ts';
import { usualInvocation } from '../../invocation.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import type { Ended } from '../command.ts';
import { run } from '../in-process.ts';
import { readCsv } from '../scene.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

// Far from UTC on purpose: a day that is read as an instant would be another one here.
const zone = process.env.TZ ?? 'UTC';
beforeAll(() => {
  process.env.TZ = 'Pacific/Honolulu';
});
afterAll(() => {
  process.env.TZ = zone;
});

/** A contact as it must stand in the workspace; what is not named must be empty there, and the conversation closed. */
export interface ExpectedContact {
  readonly firstName: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly language?: string;
  readonly profilePic?: string;
  readonly countryCode?: string;
  /** As the workspace shows them: texts, whatever their type. */
  readonly customFields?: Readonly<Record<string, string>>;
  /** In the order of contact-tags.csv. */
  readonly tags?: readonly string[];
  readonly lifecycle?: string;
  /** The user's e-mail address. */
  readonly assignee?: string;
  readonly status?: 'open' | 'closed';
  readonly closing?: { readonly category: string; readonly summary: string | null };
  /** In the order in which they came. */
  readonly comments?: readonly string[];
}

/** All that the import of a ready-made mapping's fixture must leave behind. */
export interface Expected {
  /** How many tests the mapping has. */
  readonly examples: number;
  /** The counts that are not zero. */
  readonly rows: Readonly<Record<string, number>>;
  /** Each line of rejects.csv as `<_line> <_code>`, `7 email.invalid`. */
  readonly rejects: readonly string[];
  /** Each line of dropped.csv as `<_line> <_code> <_column>`, `7 phone.invalid Mobile Phone`. */
  readonly dropped: readonly string[];
  /** The workspace's custom fields by name, with their types. */
  readonly customFields: Readonly<Record<string, string>>;
  /** The workspace's tags. */
  readonly tags: readonly string[];
  readonly contacts: readonly ExpectedContact[];
}

/**
 * Checks and imports `pipelines/import-<name>.yaml` as it is shipped into a local workspace, twice, and compares what
 * stands there with what was written down by hand. The check is the real command; the imports go through the library door
 * into a workspace without a limit, for the pace is not the point here.
 */
export function describeReadyMade(name: string, expected: Expected): void {
  describe(`the ready-made ${name}, imported by its pipeline`, () => {
    const folder = temporaryFolder();
    let checked: Ended;
    let pipeline: LoadedImportPipeline;
    let sandbox: Sandbox;
    let imported: Imported;

    beforeAll(async () => {
      pipeline = await loadImportPipeline(pipelineFile(name));
      sandbox = await startSandbox({
        file: join(folder.path, 'sandbox.db'),
        seed: pipeline.import.workspace.sandbox?.seed,
        explain: true,
        rate: 'off',
      });
      [checked, imported] = await Promise.all([
        checkedByCommand(name, join(folder.path, 'check')),
        importedBy(pipeline, sandbox, folder.path),
      ]);
    });
    afterAll(async () => {
      await sandbox.close();
      folder.remove();
    });

    it('passes the check, and all tests of its mapping', () => {
      // What an import rejects is rejected for what the row itself says.
      expect(checked).toMatchObject({ code: expected.rejects.length > 0 ? 3 : 0, stderr: '' });
      const { findings, rows } = checkSchema.parse(JSON.parse(checked.stdout));
      expect(findings.map(({ verdict }) => verdict)).not.toContain('wrong');
      expect(findings.map(({ text }) => text)).toContain(`${expected.examples} example tests pass`);
      expect(rows).toMatchObject({ read: expected.rows.read, rejected: expected.rows.rejected ?? 0 });
    });

    it('counts every row', () => {
      const counted = Object.entries(imported.summary.rows).filter(([, count]) => count !== 0);
      expect(Object.fromEntries(counted)).toEqual(expected.rows);
      expect(imported.code).toBe(expected.rejects.length > 0 || expected.rows.proposed ? 3 : 0);
    });

    it('says why of every row that was rejected, and of every value that was left out', () => {
      const rejects = imported.file('rejects').map(({ _line, _code }) => `${_line} ${_code}`);
      expect(rejects.sort()).toEqual([...expected.rejects].sort());
      const dropped = imported
        .file('dropped')
        .map((row) => `${row._line} ${row._code} ${row._column}`.trim());
      expect(dropped.sort()).toEqual([...expected.dropped].sort());
    });

    it('gives exactly the expected contacts, field by field, with their tags and comments', () => {
      const contacts = contactsIn(sandbox, imported);
      expect(inOrder(contacts)).toEqual(inOrder(expected.contacts.map(whole)));
    });

    it('gives the workspace exactly the custom fields and tags that the mapping speaks of', () => {
      expect(furnitureIn(folder.path)).toEqual({
        customFields: expected.customFields,
        tags: [...expected.tags].sort(),
      });
    });

    it('sends no write when it is imported again', async () => {
      const { summary } = await importedBy(pipeline, sandbox, folder.path);
      const { read, rejected = 0, filtered = 0, proposed = 0 } = expected.rows;
      expect(summary.rows).toMatchObject({ read, rejected, filtered, proposed, created: 0, updated: 0 });
      const writes = Object.entries(summary.requests).filter(
        ([request, { sent }]) => sent > 0 && !request.startsWith('GET ') && request !== 'POST /contact/list',
      );
      expect(writes).toEqual([]);
    });
  });
}

const checkSchema = z.object({
  findings: z.array(z.object({ verdict: z.string(), text: z.string() })),
  rows: z.object({ read: z.number(), rejected: z.number() }),
});

const summarySchema = z.object({
  rows: z.record(z.string(), z.number()),
  requests: z.record(z.string(), z.object({ sent: z.number() })),
  files: z.record(z.string(), z.string()),
});

type CsvFile = ReturnType<typeof readCsv>;

interface Imported {
  readonly code: number | null;
  readonly summary: z.output<typeof summarySchema>;
  /** The lines of one of the run's files, none where there is no such file. */
  file(name: string): CsvFile;
}

function pipelineFile(name: string): string {
  return join(root, 'pipelines', `import-${name}.yaml`);
}

function checkedByCommand(name: string, workDir: string): Promise<Ended> {
  return run([
    'check',
    pipelineFile(name),
    '--workspace',
    'sandbox',
    '--work-dir',
    workDir,
    '--json',
    '--quiet',
  ]);
}

/** An import as the command wires it, but for the pace: the schema of a pipeline allows no more than the interface does. */
async function importedBy(
  pipeline: LoadedImportPipeline,
  { baseUrl }: Sandbox,
  workDir: string,
): Promise<Imported> {
  const stop = new AbortController();
  const { concurrency, attempts, outage } = pipeline.import.limits;
  const workspace = openWorkspace({
    baseUrl,
    token: 'sandbox',
    limits: {
      ...defaultWorkspaceLimits,
      concurrency,
      perPath: { count: 10_000, ms: 1_000 },
      attempts,
      outageMs: outage,
    },
    clock: systemClock,
    randomness: systemRandomness,
    signal: stop.signal,
  });
  try {
    const { file, run, exitCode, error } = await runImport({
      pipeline,
      workspace,
      place: baseUrl,
      target: baseUrl,
      workDir,
      fresh: false,
      selection: { kind: 'all' },
      full: false,
      limit: Number.POSITIVE_INFINITY,
      command: toCommand,
      invocation: usualInvocation,
      clock: systemClock,
      listen: () => undefined,
      stop,
    });
    if (error !== undefined) throw error;
    const { summary } = await writeRunFiles({
      invocation: usualInvocation,
      file,
      run,
      runDir: join(workDir, 'runs', run.id),
      scrub: String,
    });
    file.close();
    return importedWith(exitCode, summarySchema.parse(summary));
  } finally {
    await workspace.close(0);
  }
}

function importedWith(code: number | null, summary: Imported['summary']): Imported {
  return {
    code,
    summary,
    file: (name) => {
      const path = summary.files[name];
      return path !== undefined && existsSync(path) ? readCsv(path) : [];
    },
  };
}

/** Everything that the sandbox keeps of each contact, with the tags of the list for the manual import. */
function contactsIn(sandbox: Sandbox, imported: Imported): Required<Comparable>[] {
  const listed = new Map(imported.file('contactTags').map(({ contactId, tags = '' }) => [contactId, tags]));
  return sandbox.contacts().map((contact) => {
    const { firstName, lastName, email, phone, language, profilePic, countryCode } = contact;
    const { lifecycle, status, closing } = contact;
    const values = contact.custom_fields.flatMap(({ name, value }) =>
      value === null ? [] : [[name, value]],
    );
    return {
      ...{ firstName, lastName, email, phone, language, profilePic, countryCode, lifecycle, status, closing },
      customFields: Object.fromEntries(values),
      tags: [...contact.tags, ...(listed.get(String(contact.id))?.split(';') ?? [])],
      assignee: contact.assignee?.email ?? null,
      comments: contact.comments.map(({ text }) => text),
    };
  });
}

type Comparable = { readonly [K in keyof ExpectedContact]: ExpectedContact[K] | string | null };

function whole(contact: ExpectedContact): Required<Comparable> {
  return {
    ...{ lastName: null, email: null, phone: null, language: null, profilePic: null, countryCode: null },
    ...{ customFields: {}, tags: [], lifecycle: null, assignee: null, comments: [] },
    ...{ status: 'closed', closing: null },
    ...contact,
  };
}

/** By the identifiers, so that a difference is shown beside the contact it is in. */
function inOrder(contacts: readonly Comparable[]): readonly Comparable[] {
  const name = ({ email, phone, firstName }: Comparable): string =>
    `${email ?? ''} ${phone ?? ''} ${firstName}`;
  return [...contacts].sort((a, b) => (name(a) < name(b) ? -1 : 1));
}

const namesSchema = z.array(z.object({ name: z.string(), dataType: z.string() }));

// No call lists the tags of a workspace, and the sandbox has no list of its own of them.
function furnitureIn(workDir: string): Pick<Expected, 'customFields' | 'tags'> {
  const db = new Database(join(workDir, 'sandbox.db'), { readonly: true, fileMustExist: true });
  try {
    const fields = namesSchema.parse(db.prepare('SELECT name, dataType FROM custom_fields').all());
    const tags = z.array(z.string()).parse(db.prepare('SELECT name FROM tags').pluck().all());
    return {
      customFields: Object.fromEntries(fields.map(({ name, dataType }) => [name, dataType])),
      tags: tags.sort(),
    };
  } finally {
    db.close();
  }
}
