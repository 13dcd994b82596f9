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
