import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, test } from 'vitest';
import { folderVerificationSchema } from '../../src/app/verify/report/folder-verification.ts';
import { exporters } from '../../src/exporters/registry.ts';
import { isWrite } from '../app/import/real-import.ts';
import { run } from '../end-to-end/in-process.ts';
import { startForTest } from '../sandbox/caller.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();

afterAll(() => folder.remove());

const contacts = [
  { id: 1, firstName: 'Ada', email: 'ada@example.com', custom_fields: [{ name: 'Plan', value: '=gold' }] },
  { id: 2, firstName: 'Bo, "the\n2nd"', email: 'bo@example.com', lifecycle: 'Lead' },
  { id: 3, firstName: 'Cy', email: 'cy@example.com', tags: ['a;b', 'c'] },
];
const customFields = [{ name: 'Plan', dataType: 'text' as const }];
const messages = [{ contactId: 1, text: 'Hello' }];

/** A workspace, an export of it in a format, and the command that verifies it. */
async function exported(name: string, settings: string) {
  const { sandbox, call } = await startForTest({ seed: { contacts, customFields, messages } });
  const env = { LONGSHORE_BASE_URL: sandbox.baseUrl, LONGSHORE_TOKEN: 'sandbox' };
  const file = join(folder.path, `${name}.yaml`);
  const to = join(folder.path, `${name}-export`);
  const workDir = join(folder.path, `${name}-work`);
  writeFileSync(file, `pipeline: ${name}\nexport:\n  to: ${to}\n${settings}`);
  expect(await run(['export', file, '--work-dir', workDir], env)).toMatchObject({ code: 0 });
  const verify = async (...flags: readonly string[]) =>
    await run(['verify', to, '--online', '--work-dir', workDir, ...flags], env);
  const json = async () => folderVerificationSchema.parse(JSON.parse((await verify('--json')).stdout));
  return { sandbox, call, file, to, verify, json };
}

test.each([['--all'], ['--sample', '5%']])('refuses %s, which is for an import', async (...words) => {
  const { verify } = await exported('whole', '  contacts: { format: csv }\n');
  expect(await verify(...words)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${words[0]} is for an import.`),
  });
});

test.each(exporters.map(({ name }) => name))(
  'compares an export as %s with its workspace',
  async (format) => {
    const settings = `  contacts: { format: ${format} }\n  messages: { format: ${format} }\n  workspaceObjects: [customFields, tags]\n`;
    const { sandbox, call, json, verify } = await exported(format, settings);
    const same = await json();
    expect(same).toMatchObject({ exitCode: 0, online: { differences: null } });
    const countsOf = (of: typeof same) =>
      Object.fromEntries(of.online?.files.map(({ kind, counts }) => [kind, counts]) ?? []);
    const nothing = { changed: 0, gone: 0, added: 0 };
    expect(countsOf(same)).toMatchObject({
      contacts: { matched: 3, ...nothing },
      messages: { matched: 1, ...nothing },
      customFields: { matched: 1, ...nothing },
      tags: { matched: 2, ...nothing },
    });
    expect(sandbox.log.filter(isWrite)).toEqual([]);

    await call('PUT', '/contact/id:2', { firstName: 'Bob', lastName: 'Ross' });
    await call('POST', '/contact/email:dee@example.com', { firstName: 'Dee' });
    const written = sandbox.log.filter(isWrite).length;
    const later = await json();
    expect(later.exitCode).toBe(3);
    expect(countsOf(later).contacts).toEqual({ matched: 2, changed: 1, gone: 0, added: 1 });
    const list = readFileSync(later.online?.differences ?? '', 'utf8').split('\n');
    expect(list.find((line) => line.startsWith('contacts,2,changed,lastName'))).toBe(
      'contacts,2,changed,lastName,,Ross',
    );
    expect(list.some((line) => /^contacts,\d+,added,/.test(line))).toBe(true);
    const shown = await verify();
    expect(shown.stdout).toContain('2 as exported, 1 changed since, 1 new since');
    expect(sandbox.log.filter(isWrite)).toHaveLength(written);
  },
);

it('finds who is gone, and compares records without an id as a whole', async () => {
  const { sandbox, call, json } = await exported(
    'columns',
    '  contacts: { format: csv, columns: { Name: firstName, Mail: email } }\n',
  );
  const [first, second] = sandbox.contacts();
  await call('POST', '/contact/merge', { contactIds: [first?.id, second?.id], firstName: 'Ada' });
  const { online } = await json();
  expect(online?.files[0]?.counts).toMatchObject({ matched: 2, gone: 1, added: 0 });
});

it('compares an increment only with what it holds', async () => {
  const { json } = await exported(
    'news',
    '  contacts: { format: ndjson, incremental: true }\n  messages: { format: ndjson, incremental: true }\n',
  );
  expect((await json()).online?.files.map(({ counts }) => counts?.matched)).toEqual([3, 1]);
});

it('does not compare a file that is damaged, and says so', async () => {
  const { json, to } = await exported('damaged', '  contacts: { format: ndjson }\n');
  const file = join(to, 'contacts.ndjson');
  writeFileSync(file, readFileSync(file, 'utf8').replace('Ada', 'Eve'));
  expect(await json()).toMatchObject({
    exitCode: 3,
    online: { files: [{ counts: null, reason: 'it is not as it was exported' }] },
  });
});

it('refuses a changed pipeline, a strange work dir and an import, each with what to do', async () => {
  const { verify, file } = await exported('refused', '  contacts: { format: ndjson }\n');
  const elsewhere = await verify('--work-dir', join(folder.path, 'elsewhere'));
  expect(elsewhere).toMatchObject({ code: 2 });
  expect(elsewhere.stderr).toContain('--work-dir DIR');
  writeFileSync(file, `${readFileSync(file, 'utf8')}# changed\n`);
  const changed = await verify();
  expect(changed).toMatchObject({ code: 2 });
  expect(changed.stderr).toContain('has changed since the export');
  const noFolder = await run([
    'verify',
    'imp-1',
    '--online',
    '--work-dir',
    join(folder.path, 'refused-work'),
  ]);
  expect(noFolder).toMatchObject({ code: 2 });
  expect(noFolder.stderr).toContain('leave out --online');
});
