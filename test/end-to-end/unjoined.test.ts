import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { run } from './in-process.ts';
import { ProcessKiller } from './process-killer.ts';
import { atScene, readCsv, type Scene, type SceneOptions } from './scene.ts';

const mapping = `
mapping: crm
key: id
identify: [email]
contact:
  firstName: { from: first_name }
  email: { from: email.address }
comments:
  - { each: notes, key: id, order: created_at, text: "{body}" }
`;

const source = {
  format: 'dump',
  path: 'dump',
  table: 'contacts',
  where: { deleted: '0' },
  join: {
    email: { table: 'emails', on: { id: 'contact_id' }, pick: { main: '1' } },
    notes: { table: 'notes', on: { id: 'parent_id' }, where: { parent_type: 'Contacts' }, many: true },
  },
};

const files = {
  'contacts.csv': 'id,first_name,deleted\nc-17,Ada,0\nc-18,Bob,0\nc-19,Cleo,1\n',
  'emails.csv':
    'contact_id,address,main\nc-17,old@example.com,0\nc-17,ada@example.com,1\nc-18,bob@example.com,0\n',
  'notes.csv':
    'id,parent_type,parent_id,created_at,body\nn1,Contacts,c-17,2021-05-01,First\nn2,Accounts,a1,2021-05-01,Of Engines\nn3,Contacts,c-99,2021-05-01,Lost\nn4,Contacts,,2021-05-01,Of none\nn5,Contacts,c-19,2021-05-01,Of Cleo\n',
  'deals.csv': 'id\n1\n2\n',
};

const listed = [
  { table: 'emails', line: '2', id: 'c-17', parent: 'c-17', reason: 'another row was picked' },
  { table: 'notes', line: '3', id: 'n2', parent: 'a1', reason: 'another kind of parent' },
  { table: 'notes', line: '4', id: 'n3', parent: 'c-99', reason: 'unknown id' },
  { table: 'notes', line: '5', id: 'n4', parent: '', reason: 'empty id' },
  { table: 'notes', line: '6', id: 'n5', parent: 'c-19', reason: 'of a row that is left out' },
];

async function atDump(
  play: (scene: Scene) => Promise<void>,
  options: Partial<SceneOptions> = {},
): Promise<void> {
  await atScene({ mapping, rows: [], settings: { source }, ...options }, async (scene) => {
    mkdirSync(join(scene.path, 'dump'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(scene.path, 'dump', name), text);
    await play(scene);
  });
}

const longshore = async ({ path }: Scene, ...args: readonly string[]) =>
  await run([...args, '--work-dir', join(path, 'work')], { LONGSHORE_TOKEN: 'sandbox' });

const useSchema = z.object({
  ...{ table: z.string(), rows: z.number(), used: z.number(), people: z.number(), filtered: z.number() },
  unjoined: z.array(
    z.object({ reason: z.string(), rows: z.number(), examples: z.array(z.object({ line: z.number() })) }),
  ),
});
const tablesSchema = z.object({ named: z.array(useSchema), others: z.array(z.unknown()) });

const summaryIn = (folder: string) =>
  z
    .object({ tables: tablesSchema, files: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')));

it('an import lists every joined row that belongs to nothing, and its sums add up', async () => {
  await atDump(async (scene) => {
    const report = await scene.import();
    expect(report.csv('unjoined.csv')).toEqual(listed);
    const { tables, files: paths } = summaryIn(report.folder);
    expect(paths).toMatchObject({ unjoined: join(report.folder, 'unjoined.csv') });
    expect(tables.named.map(({ unjoined: _, ...use }) => use)).toEqual([
      { table: 'contacts', rows: 3, used: 2, people: 2, filtered: 1 },
      { table: 'emails', rows: 3, used: 2, people: 2, filtered: 0 },
      { table: 'notes', rows: 5, used: 1, people: 1, filtered: 0 },
    ]);
    for (const { rows, used, filtered, unjoined } of tables.named)
      expect(unjoined.reduce((sum, each) => sum + each.rows, used + filtered)).toBe(rows);
    expect(tables.others).toEqual([{ table: 'deals', rows: 2 }]);
    // Nothing new, so the summary on the screen is that of this run, too.
    const shown = await longshore(
      scene,
      ...['import', join(scene.path, 'pipeline.yaml'), '--workspace', scene.sandbox.baseUrl],
    );
    expect(shown.stdout).toContain(
      'notes   5 rows: 1 used by 1 person, 1 of a row that is left out (line 6), 1 unknown id (line 4), 1 another kind of parent (line 3), 1 empty id (line 5)',
    );
    expect(shown.stdout).toContain('not read: deals (2 rows)');
  });
});

it('check counts them with the first lines and ids, and writes no list', async () => {
  await atDump(async (scene) => {
    const { code, stdout } = await longshore(scene, 'check', join(scene.path, 'pipeline.yaml'));
    expect(code).toBe(0);
    expect(stdout).toContain('emails  3 rows: 2 used by 2 people, 1 another row was picked (line 2: c-17)');
    expect(stdout).toContain('1 unknown id (line 4: c-99)');
    expect(existsSync(join(scene.path, 'work', 'runs'))).toBe(false);
  });
});

it('a plan and a rehearsal write no list into the work dir', async () => {
  await atDump(async (scene) => {
    const at = ['--workspace', scene.sandbox.baseUrl] as const;
    for (const command of ['plan', 'rehearse'])
      expect(await longshore(scene, command, join(scene.path, 'pipeline.yaml'), ...at)).toMatchObject({
        code: 0,
      });
    const runs = join(scene.path, 'work', 'runs');
    expect(existsSync(runs) ? readdirSync(runs) : []).toEqual([]);
  });
});

it('the list of an import that was killed is whole, and stays when it is continued and retried', async () => {
  const killer = new ProcessKiller('applied', [
    { method: 'POST', template: '/contact/{identifier}', nth: 1 },
  ]);
  await atDump(
    async (scene) => {
      const victim = scene.start('import', join(scene.path, 'pipeline.yaml'));
      killer.watch(victim);
      expect((await victim.ended).signal).toBe('SIGKILL');
      const report = await scene.import();
      expect(readdirSync(join(scene.path, 'work', 'runs'))).toHaveLength(1);
      expect(report.csv('unjoined.csv')).toEqual(listed);
      expect(summaryIn(report.folder).tables.named).toHaveLength(3);
      await longshore(scene, 'retry', report.run, '--workspace', scene.sandbox.baseUrl);
      expect(report.csv('unjoined.csv')).toEqual(listed);
      const status = await longshore(scene, 'status', report.run, '--json');
      expect(status.code).toBe(0);
    },
    { onPhase: killer.onPhase, settings: { source, limits: { settle: '2s' } } },
  );
});

it('a list that was cut off by a kill is written again, and one that is whole is not', async () => {
  await atDump(async (scene) => {
    const path = (run: string) => join(scene.path, 'work', 'runs', run, 'unjoined.csv');
    const { run } = await scene.import('--limit', '1');
    const inJournal = (sql: string) => {
      const journal = new Database(join(scene.path, 'work', 'journal.db'));
      journal.exec(sql);
      journal.close();
    };
    // As a kill leaves it that falls between the list and the journal.
    inJournal('UPDATE run SET tables = NULL');
    rmSync(join(scene.path, 'work', 'spool'), { recursive: true });
    writeFileSync(path(run), 'table,line\n');
    expect((await scene.import('--limit', '1')).run).toBe(run);
    expect(readCsv(path(run))).toEqual(listed);
    // A list out of which a person was taken stays so.
    rmSync(join(scene.path, 'work', 'spool'), { recursive: true });
    writeFileSync(path(run), 'table,line,id,parent,reason\n');
    const last = await scene.import();
    expect([last.run, last.code]).toEqual([run, 0]);
    expect(readCsv(path(run))).toEqual([]);
    expect(summaryIn(last.folder).tables.named).toHaveLength(3);
  });
});

it('forget takes a person out of the list, and prune removes it', async () => {
  await atDump(async (scene) => {
    const report = await scene.import();
    expect(await longshore(scene, 'forget', 'ada@example.com', '--yes')).toMatchObject({ code: 0 });
    expect(report.csv('unjoined.csv')).toEqual(listed.slice(1));
    expect(readFileSync(join(report.folder, 'summary.json'), 'utf8')).not.toContain('c-17');
    expect(await longshore(scene, 'prune', '--older', '0ms', '--yes')).toMatchObject({ code: 0 });
    expect(existsSync(report.folder)).toBe(false);
    const status = await longshore(scene, 'status', report.run, '--json');
    expect(status.code).toBe(0);
  });
});
