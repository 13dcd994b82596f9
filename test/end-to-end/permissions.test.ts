import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { run } from './in-process.ts';
import { contactOf } from './scene.ts';
import {
  allComments,
  attachTags,
  labelled,
  wholeContact,
  wholeMapping,
  wholeRow,
  wholeSeed,
  wholeWanted,
} from './whole-person.ts';

const people = Array.from({ length: 12 }, (_, n) => ({
  key: `P${n}`,
  email: `person${n}@example.com`,
  phone: `+1201555${String(n).padStart(4, '0')}`,
}));

/** A folder with an import of whole people, into a workspace whose token may do one thing after the other. */
async function atWorkspace(
  play: (scene: {
    readonly import: (...flags: readonly string[]) => ReturnType<typeof run>;
    readonly check: () => ReturnType<typeof run>;
    readonly forbid: (...paths: readonly string[]) => Promise<Sandbox>;
  }) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const file = (name: string) => join(folder.path, name);
  const rows = people.map(({ key, email, phone }) => wholeRow(key, { Email: email, Phone: phone }));
  writeFileSync(file('people.csv'), stringify(rows, { header: true }));
  writeFileSync(file('mapping.yaml'), wholeMapping);
  const source = { format: 'csv', path: 'people.csv' };
  const policy = { lookup: 'single' };
  const settings = { source, mapping: 'mapping.yaml', policy, extensions: attachTags };
  writeFileSync(file('pipeline.yaml'), JSON.stringify({ pipeline: 'people', import: settings }));
  let sandbox: Sandbox | undefined;
  let port = 0;
  const forbid = async (...forbidden: readonly string[]) => {
    await sandbox?.close();
    const shared = { file: file('workspace.db'), seed: wholeSeed, extensions: { attachTags: true } };
    sandbox = await startSandbox({ ...shared, port, forbidden });
    port = Number(new URL(sandbox.baseUrl).port);
    return sandbox;
  };
  const longshore = (command: string, flags: readonly string[]) => {
    const at = ['--workspace', sandbox?.baseUrl ?? '', '--work-dir', file('work')];
    return run([command, file('pipeline.yaml'), ...flags, ...at], { LONGSHORE_TOKEN: 'sandbox' });
  };
  try {
    await play({
      import: (...flags) => longshore('import', flags),
      check: () => longshore('check', ['--online']),
      forbid,
    });
  } finally {
    await sandbox?.close();
    folder.remove();
  }
}

it.each([
  ['/contact/*', 'GET /contact/{identifier}'],
  ['/contact/*/comment', 'POST /contact/{identifier}/comment'],
  ['/space/tag', 'PUT /space/tag'],
])(
  'an import whose token may not do %s stops with 5, loses no row, and the same command takes up what it left',
  async (path, kind) => {
    await atWorkspace(async (scene) => {
      const before = await scene.forbid(path);
      const stopped = await scene.import('--json');
      expect(stopped.code).toBe(5);
      expect(stopped.stderr).toContain(`error: 403: the token lacks permission for ${kind} (Forbidden).`);
      expect(JSON.parse(stopped.stdout)).toMatchObject({
        outcome: 'stopped',
        rows: { read: people.length, rejected: 0, failed: 0, notReached: people.length },
      });
      const tried = before.log.filter(({ status, template }) => status === 403 && kind.endsWith(template));
      expect(tried.length).toBeLessThanOrEqual(5);

      const after = await scene.forbid();
      const ended = await scene.import('--json');
      expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
      expect(after.contacts()).toHaveLength(people.length);
      for (const { key, email, phone } of people) {
        const contact = contactOf(after, email);
        expect(wholeContact(contact)).toEqual(wholeWanted(key, { email, phone }));
        expect(labelled(contact)).toEqual(allComments);
      }
    });
  },
);

it('check --online tries what the import reads, and says what it could not try', async () => {
  await atWorkspace(async (scene) => {
    await scene.forbid('/contact/*');
    const denied = await scene.check();
    expect(denied.code).toBe(5);
    expect(denied.stdout).toContain('403: the token lacks permission for GET /contact/{identifier}');
    expect(denied.stdout).not.toContain('POST /contact/list');
    expect(denied.stdout).toContain('the token has permission for GET /space/user');
    expect(denied.stdout).not.toContain('All good');

    await scene.forbid('/contact/*/comment');
    const passed = await scene.check();
    expect(passed.code).toBe(0);
    expect(passed.stdout).toMatch(/not tried, because .*: .*POST \/contact\/\{identifier\}\/comment/);
    expect(passed.stdout).toContain('POST /contact/{identifier}/tag');
  });
});
