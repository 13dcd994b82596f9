import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Running } from './command.ts';
import { ProcessKiller } from './process-killer.ts';
import { atScene, contactOf, customField, type Scene } from './scene.ts';

const mapping = `
mapping: crm
key: id
identify: [email]
contact:
  firstName: { from: first_name }
  email: { from: email.address }
customFields:
  Company: { from: company.name, type: text, create: true }
comments:
  - { each: notes, key: id, order: created_at, text: "{author.name}: {body}" }
`;

const sql = `-- MySQL dump 10.13
CREATE TABLE \`contacts\` (\`id\` int, \`first_name\` text, \`account_id\` int, \`deleted\` tinyint);
INSERT INTO \`contacts\` VALUES (1,'Ada',7,0),(2,'Bob',NULL,0),(3,'Cleo',7,1),(4,'Dora',8,0);
CREATE TABLE \`accounts\` (\`id\` int, \`name\` text);
INSERT INTO \`accounts\` VALUES (7,'Engines'),(8,'Looms');
CREATE TABLE \`addresses\` (\`id\` int, \`address\` text);
INSERT INTO \`addresses\` VALUES (1,'old@example.com'),(2,'ada@example.com'),(3,'bob@example.com'),(4,'dora@example.com');
CREATE TABLE \`links\` (\`contact_id\` int, \`address_id\` int, \`main\` tinyint);
INSERT INTO \`links\` VALUES (1,1,0),(1,2,1),(2,3,0),(4,4,1);
-- Dump completed on 2024-01-01
`;

const source = {
  format: 'dump',
  path: 'dump',
  table: 'contacts',
  where: { deleted: '0' },
  join: {
    company: { table: 'accounts', on: { account_id: 'id' } },
    email: {
      table: 'addresses',
      via: { table: 'links', on: { id: 'contact_id' }, to: { address_id: 'id' } },
      pick: { main: '1' },
    },
    notes: {
      table: 'notes',
      on: { id: 'contact_id' },
      many: true,
      join: { author: { table: 'users', on: { author_id: 'id' } } },
    },
  },
};

/** Notes of people who are not in the dump, so many that it takes a while to stage them, and those of two who are. */
function notes(): string {
  const others = Array.from(
    { length: 60_000 },
    (_, n) => `x${n},x${n % 5000},u1,2020-01-01,${'Other people '.repeat(10)}`,
  );
  const known = ['n2,1,u2,2021-05-02,Second', 'n1,1,u1,2021-05-01,First', 'n3,4,u9,2021-05-03,Only'];
  return ['id,contact_id,author_id,created_at,body', ...others, ...known, ''].join('\n');
}

function writeDump(folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'crm.sql'), sql);
  writeFileSync(join(folder, 'notes.csv'), notes());
  writeFileSync(join(folder, 'users.csv'), 'id,name\nu1,Una\nu2,Udo\n');
}

/** The files of a spool folder with what tells if each is still the same one. */
function filesIn(spool: string): {
  readonly staged: Readonly<Record<string, number>>;
  readonly parts: readonly string[];
} {
  const names = existsSync(spool) ? readdirSync(spool) : [];
  const staged = names.filter((name) => name.startsWith('staged-'));
  return {
    staged: Object.fromEntries(staged.map((name) => [name, statSync(join(spool, name)).ino])),
    parts: names.filter((name) => name.endsWith('.part')),
  };
}

/** Kills an import as soon as something is staged and something else is being staged. */
async function killedWhileStaging(running: Running, spool: string): Promise<void> {
  let ended = false;
  void running.ended.then(() => {
    ended = true;
  });
  for (;;) {
    const { staged, parts } = filesIn(spool);
    if (Object.keys(staged).length > 0 && parts.length > 0) {
      // It goes on until the signal reaches it: only what still lies there once it stands still was caught.
      running.process.kill('SIGSTOP');
      await wait(20);
      if (filesIn(spool).parts.length > 0) break;
      running.process.kill('SIGCONT');
    }
    if (ended) throw new Error('the import ended before it was seen staging');
    await wait(1);
  }
  running.process.kill('SIGKILL');
  expect((await running.ended).signal).toBe('SIGKILL');
}

async function importKilled(scene: Scene, killer: ProcessKiller): Promise<void> {
  const victim = scene.start('import', join(scene.path, 'pipeline.yaml'));
  killer.watch(victim);
  expect((await victim.ended).signal).toBe('SIGKILL');
}

it('a dump import that is killed while it stages, and again later, does not stage again what is staged, and ends exact', async () => {
  // At the first create: of nobody is a comment under way, of which nobody could know whether it was added.
  const killer = new ProcessKiller('applied', [
    { method: 'POST', template: '/contact/{identifier}', nth: 1 },
  ]);
  const options = { mapping, rows: [], settings: { source }, onPhase: killer.onPhase };
  await atScene(options, async (scene) => {
    writeDump(join(scene.path, 'dump'));
    const spool = join(scene.path, 'work', 'spool');
    await killedWhileStaging(scene.start('import', join(scene.path, 'pipeline.yaml')), spool);
    const first = filesIn(spool);
    expect(first.parts).not.toEqual([]);
    expect(scene.writes()).toEqual([]);

    await importKilled(scene, killer);
    const second = filesIn(spool);
    expect(second.parts).toEqual([]);
    expect(second.staged).toMatchObject(first.staged);
    expect(Object.keys(second.staged)).toHaveLength(5);

    const { code, rows } = await scene.import();
    expect(code).toBe(0);
    expect(rows).toMatchObject({ read: 4, created: 3, filtered: 1, notReached: 0 });
    expect(filesIn(spool)).toEqual(second);

    const { sandbox } = scene;
    expect(sandbox.contacts()).toHaveLength(3);
    const told = ['ada@example.com', 'bob@example.com', 'dora@example.com'].map((email) => {
      const contact = contactOf(sandbox, email);
      return [contact.firstName, customField(contact, 'Company'), contact.comments.map(({ text }) => text)];
    });
    expect(told).toEqual([
      ['Ada', 'Engines', ['Una: First', 'Udo: Second']],
      ['Bob', null, []],
      ['Dora', 'Looms', [': Only']],
    ]);
  });
});
