import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { LeftBehindGroup } from '../../src/model/left-behind.ts';
import { readPlanted, type Thing } from './export/planted.ts';
import { exports, person } from './messy-person.ts';

/** What these exports lose: two addresses that are none, and two people who have two rows. */
const left = { rejected: 2, folded: 2 };

const removals: (() => void)[] = [];
afterAll(() => {
  for (const remove of removals) remove();
});

describe('a messy export, from the draft to the last row', () => {
  it.each(exports)('$fixture', async ({ fixture, source, filtered }) => {
    const me = person(fixture);
    removals.push(me.remove);

    const drafted = await me.types(`draft ${fixture}`);
    expect(drafted).toMatchObject({ code: 0, stderr: '' });
    const pipeline = 'pipelines/import-kunden.yaml';
    expect(me.reads(pipeline)).toMatch(source);
    expect(drafted.stdout).toMatch(/Telefon .*contact\.phone/);

    for (const file of ['mappings/kunden.yaml', pipeline]) me.answers(file);
    const checked = await me.types(`check ${pipeline}`);
    expect(checked.stdout).toContain('email.invalid');
    expect(checked.code).toBe(3);
    expect(checked.stderr).toBe('');
    const { leftBehind: before } = JSON.parse((await me.types(`check ${pipeline} --json`)).stdout);
    expect(counted(before)).toMatchObject(left);
    for (const { title, n, fix } of before) {
      expect(checked.stdout).toContain(`${title}: ${n}`);
      expect(checked.stdout).toContain(fix);
    }

    const rehearsed = await me.types(`import ${pipeline} --workspace sandbox --json`);
    const { run: name, rows, exitCode, leftBehind } = JSON.parse(rehearsed.stdout);
    expect(counted(leftBehind)).toEqual(counted(before));
    expect({ exitCode, rows }).toMatchObject({
      exitCode: 3,
      rows: { read: 16 + filtered, created: 12, folded: 2, filtered, rejected: 2 },
    });
    const contacts = contactsIn(me.folder);
    expect(contacts).toHaveLength(12);
    expect(contacts.find(({ firstName }) => firstName === 'Béla')).toMatchObject({
      lastName: 'Weiß',
      phone: '+494066969103',
      lifecycle: 'Customer',
      'Kunde seit': '2015-11-30',
      'Letzter Kontakt': '2023-12-28',
      Umsatz: '20480.5',
    });
    expect(contacts.map(({ phone }) => phone)).toEqual(
      expect.arrayContaining([null, '+493023125111', '+496990009102', '+498999998104', '+491713920015']),
    );

    const rejects = me.reads(`.longshore/runs/${name}/rejects.csv`);
    expect(rejects.match(/email\.invalid/g)).toHaveLength(2);
    me.corrects(name);
    const retried = await me.types(`retry ${name} --from rejects.csv --workspace sandbox --json`);
    expect(JSON.parse(retried.stdout)).toMatchObject({ exitCode: 0, rows: { read: 2, created: 2 } });
    const emails = contactsIn(me.folder).map(({ email }) => email);
    expect(emails).toHaveLength(14);
    expect(emails).toEqual(expect.arrayContaining(['emil.krueger@example.com', 'lars.gross@example.com']));
  });
});

/** How often each kind of loss is there. */
function counted(items: readonly LeftBehindGroup[]): Readonly<Record<string, number>> {
  return Object.fromEntries(items.map(({ kind, n }) => [kind, n]));
}

/** The contacts of the workspace in the work dir, with their custom fields beside the others. */
function contactsIn(folder: string): readonly Thing[] {
  return readPlanted(join(folder, '.longshore', 'sandbox.db')).contacts.map(
    ({ custom_fields: fields, ...own }) => ({
      ...own,
      ...Object.fromEntries(
        z
          .array(z.object({ name: z.string(), value: z.unknown() }))
          .parse(fields)
          .map(({ name, value }) => [name, value]),
      ),
    }),
  );
}
