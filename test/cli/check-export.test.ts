import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../end-to-end/in-process.ts';
import { startForTest } from '../sandbox/caller.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const file = join(folder.path, 'export.yaml');

afterAll(() => folder.remove());

function given(contacts: string): void {
  writeFileSync(file, `pipeline: p\nexport:\n  to: out\n  contacts: ${contacts}\n`);
}

test('an export that is well ends with 0 and names the command for it', async () => {
  given('{ format: csv }');
  const { code, stdout } = await run(['check', file]);
  expect(code).toBe(0);
  expect(stdout).toContain('ok     exports contacts as csv');
  expect(stdout).toContain(`npx longshore export ${file}`);
});

test('an export that is not ends with 2 before anything is asked', async () => {
  given('{ format: csv, filter: { tags: { isGreaterThan: 1 } } }');
  const { code, stderr } = await run(['check', file, '--online']);
  expect(code).toBe(2);
  expect(stderr).toContain(`${file}:4:61: export.contacts.filter.tags.isGreaterThan: `);
});

test('what the workspace says stands in the JSON, with its place', async () => {
  const { sandbox } = await startForTest({ seed: { contacts: [{ firstName: 'Ada' }] } });
  const env = { LONGSHORE_BASE_URL: sandbox.baseUrl, LONGSHORE_TOKEN: 'sandbox' };
  const args = ['check', file, '--online', '--json', '--work-dir', join(folder.path, 'work')];
  given('{ format: csv, columns: { Plan: customFields.Plan } }');
  const { code, stdout } = await run(args, env);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    findings: expect.arrayContaining([
      { verdict: 'ok', text: '1 contact in total' },
      {
        verdict: 'wrong',
        text: 'the workspace has no custom field "Plan"',
        place: { file, line: 4, column: 39, key: 'export.contacts.columns.Plan' },
      },
    ]),
  });
});

test('a token that the workspace refuses ends with 5', async () => {
  const { sandbox } = await startForTest();
  given('{ format: csv }');
  const env = { LONGSHORE_BASE_URL: sandbox.baseUrl, LONGSHORE_TOKEN: 'wrong' };
  const { code } = await run(['check', file, '--online', '--work-dir', join(folder.path, 'work')], env);
  expect(code).toBe(5);
});
