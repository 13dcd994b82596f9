import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answered } from '../runs/draft/drafting.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { Ended } from './command.ts';
import { readPlanted, type Thing } from './export/planted.ts';
import { run } from './in-process.ts';

const removals: (() => void)[] = [];
afterAll(() => {
  for (const remove of removals) remove();
});

/** What a person at the screen answers, by a piece of the question. */
const answers = {
  'which country': 'DE',
  'which stage': 'Customer',
};

/** A person with a new folder, the export in it, and nothing but the command. */
function person(fixture: string) {
  const { path: folder, remove } = temporaryFolder();
  removals.push(remove);
  copyFileSync(
    fileURLToPath(new URL(`../../fixtures/messy/${fixture}`, import.meta.url)),
    join(folder, fixture),
  );
  return {
    folder,
    types: (line: string): Promise<Ended> => run(line.split(' '), {}, undefined, folder),
    answers(file: string): void {
      const path = join(folder, file);
      writeFileSync(path, answered(readFileSync(path, 'utf8'), answers));
    },
    reads: (file: string): string => readFileSync(join(folder, file), 'utf8'),
  };
}

// Of the workbook nothing is blank: rows without cells are no records.
const exports = [
  { fixture: 'kunden.csv', source: /header: 2\n.*skipEmpty: true\n/, filtered: 4 },
  { fixture: 'kunden.xlsx', source: /sheet: Kunden\n.*headerRow: 5\n/, filtered: 1 },
];

describe('a messy export, from the draft to the last row', () => {
  it.each(exports)('$fixture', async ({ fixture, source, filtered }) => {
    const me = person(fixture);

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

    const rehearsed = await me.types(`import ${pipeline} --workspace sandbox --json`);
    const { run: name, rows, exitCode } = JSON.parse(rehearsed.stdout);
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
    const corrected = rejects
      .replace('emil.krueger at example.com', 'emil.krueger@example.com')
      .replace(/lars\.gross@(?!\w)/, 'lars.gross@example.com');
    writeFileSync(join(me.folder, 'rejects.csv'), corrected);
    const retried = await me.types(`retry ${name} --from rejects.csv --workspace sandbox --json`);
    expect(JSON.parse(retried.stdout)).toMatchObject({ exitCode: 0, rows: { read: 2, created: 2 } });
    const emails = contactsIn(me.folder).map(({ email }) => email);
    expect(emails).toHaveLength(14);
    expect(emails).toEqual(expect.arrayContaining(['emil.krueger@example.com', 'lars.gross@example.com']));
  });
});

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
