import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isWrite } from '../app/import/real-import.ts';
import { atSite } from './site.ts';

it('lists the custom fields of the workspace, whatever is wrong with the mapping', async () => {
  await atSite({ rows: 2 }, async (site) => {
    writeFileSync(join(site.folder, 'mapping.yaml'), 'mapping: people\ncontact: { email: { from: TODO } }\n');
    const where = ['fields', site.people.pipeline, '--workspace', site.sandbox.baseUrl];
    const shown = await site.longshore(where);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toBe('field  type    values\nScore  number\nNote   text\n');
    const { stdout } = await site.longshore([...where, '--json']);
    expect(JSON.parse(stdout)).toEqual({
      workspace: site.sandbox.baseUrl,
      fields: [
        { name: 'Score', dataType: 'number', allowedValues: [] },
        { name: 'Note', dataType: 'text', allowedValues: [] },
      ],
    });
    expect(site.sandbox.log.filter(isWrite)).toEqual([]);
  });
});

it('lists the users, and the stages of the contacts, where all is asked for', async () => {
  await atSite({ rows: 2 }, async (site) => {
    const users = [{ id: 4, firstName: 'Olive', lastName: 'Owner', email: 'olive@acme.test' }];
    const contacts = ['Customer', 'New Lead', 'Customer', null].map((lifecycle, n) => ({
      ...{ id: n + 1, firstName: 'Ada', email: `ada${n}@example.com`, lifecycle, created_at: 1 },
    }));
    writeFileSync(join(site.folder, 'seed.json'), JSON.stringify({ users, contacts }));
    appendFileSync(site.people.pipeline, '  workspace: { sandbox: { seed: seed.json } }\n');
    const where = ['fields', site.people.pipeline, '--workspace', 'sandbox', '--all'];
    expect((await site.longshore(where)).stdout).toBe(
      `The workspace has no custom fields.

user         e-mail           id
Olive Owner  olive@acme.test  4

Lifecycle stages of the first 495 contacts:
Customer
New Lead
`,
    );
    const { stdout } = await site.longshore([...where, '--json']);
    expect(JSON.parse(stdout)).toEqual({
      workspace: 'sandbox',
      fields: [],
      users,
      stages: ['Customer', 'New Lead'],
    });
  });
});

it('says where the token may not list the users or the contacts', async () => {
  await atSite({ rows: 2, forbidden: ['/space/user', '/contact/list'] }, async (site) => {
    const where = ['fields', site.people.pipeline, '--workspace', site.sandbox.baseUrl, '--all'];
    const shown = await site.longshore(where);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toContain('The token may not list the users.');
    expect(shown.stdout).toContain('The token may not list the contacts');
    const { stdout } = await site.longshore([...where, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ users: null, stages: null });
  });
});

it('asks the sandbox, and says how to go on where the token is refused', async () => {
  await atSite({ rows: 2 }, async (site) => {
    const seed = { customFields: [{ name: 'Plan', dataType: 'list', allowedValues: ['gold', 'silver'] }] };
    writeFileSync(join(site.folder, 'seed.json'), JSON.stringify(seed));
    appendFileSync(site.people.pipeline, '  workspace: { sandbox: { seed: seed.json } }\n');
    const local = await site.longshore(['fields', site.people.pipeline, '--workspace', 'sandbox']);
    expect(local.stdout).toBe('field  type  values\nPlan   list  gold, silver\n');
    const where = ['fields', site.people.pipeline, '--workspace', site.sandbox.baseUrl];
    const refused = await site.longshore(where, { env: { LONGSHORE_TOKEN: 'not-this-one' } });
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain(`fields ${site.people.pipeline}`);
  });
});
