import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workFiles } from '../../src/wiring/work-files.ts';
import { forgottenBytes, forgottenRow, placesOf } from './forgotten-person.ts';
import { run } from './in-process.ts';
import { atScene, edit, type Scene } from './scene.ts';
import { attachTags, wholeMapping, wholeRow, wholeSeed } from './whole-person.ts';

const others = [1, 2, 3].map((n) =>
  wholeRow(`H${n}`, { Email: `person${n}@example.com`, Phone: `+1201555011${n}` }),
);
const rejected = { ...forgottenRow, ID: 'F18', Stage: 'Zenobia stage' };
const site = {
  mapping: wholeMapping,
  rows: [...others, forgottenRow, rejected],
  settings: { extensions: attachTags, policy: { maxErrors: 100 } },
  seed: wholeSeed,
  extensions: { attachTags: true },
};

const workOf = ({ path }: Scene) => join(path, 'work');

async function longshore(scene: Scene, ...args: readonly string[]) {
  return await run([...args, '--work-dir', workOf(scene)], { LONGSHORE_TOKEN: 'sandbox' });
}

it('leaves no byte of a person in the work dir, counts add up, and the next import does nothing about them', async () => {
  await atScene(site, async (scene) => {
    const first = await scene.import();
    const before = first.rows;
    expect(placesOf(workOf(scene)).length).toBeGreaterThan(5);
    const ended = await longshore(scene, 'forget', 'zenobia.quist@example.com', '--yes');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(placesOf(workOf(scene))).toEqual([]);
    expect(placesOf(workOf(scene), ['person1@example.com'])).not.toEqual([]);
    const status = await longshore(scene, 'status', first.run, '--json');
    expect(JSON.parse(status.stdout).rows).toEqual(before);
    scene.sandbox.resetLog();
    const second = await scene.import();
    expect(second.rows).toMatchObject({ unchanged: 3, skipped: 2 });
    expect(scene.writes()).toEqual([]);
    expect(placesOf(workOf(scene), forgottenBytes)).toEqual([]);
  });
});

/** A site whose work dir has everything of the person that a work dir can have. */
async function fill(scene: Scene): Promise<void> {
  const pipeline = join(scene.path, 'pipeline.yaml');
  scene.sandbox.scriptFault({ method: 'POST', path: '/contact/id:90/comment', kind: 'dropAfter' });
  const first = await scene.import('--metrics', join(scene.path, 'longshore.prom'));
  expect(first.rows).toMatchObject({ created: 3, uncertain: 1, rejected: 1 });
  const at = ['--workspace', scene.sandbox.baseUrl] as const;
  await edit(scene.sandbox, 90, { lastName: 'Quistgaard-Renamed' });
  expect(await longshore(scene, 'verify', ...at)).toMatchObject({ code: 3 });
  expect(await longshore(scene, 'verify', '--all', ...at)).toMatchObject({ code: 3 });
  // The local workspace of this work dir, of the same person.
  expect(await longshore(scene, 'import', pipeline, '--workspace', 'sandbox')).toMatchObject({ code: 3 });
  expect(await longshore(scene, 'retry', first.run, ...at)).toMatchObject({ code: 3 });
  // Without her, who is gone then; and with her again, planned, and stopped in between.
  scene.writeRows(others);
  expect(await longshore(scene, 'import', pipeline, ...at)).toMatchObject({ code: 0 });
  const [row1 = forgottenRow] = others;
  scene.writeRows([
    { ...row1, Stage: 'None' },
    { ...row1, ID: 'H9', Stage: 'None' },
    { ...forgottenRow, City: 'Xanadu Hills' },
  ]);
  const plan = join(scene.path, 'plan.db');
  await longshore(scene, 'plan', pipeline, '--out', plan, ...at);
  writeFileSync(pipeline, readFileSync(pipeline, 'utf8').replace('"maxErrors":100', '"maxErrors":1'));
  expect(await longshore(scene, 'import', pipeline, '--plan', plan, ...at)).toMatchObject({ code: 4 });
}

/** `runs/…/contacts.csv: F17` as `runs/contacts.csv`. */
function kindOf(place: string): string {
  return place
    .replace(/: .*/, '')
    .replace(/\/.*\//, '/')
    .replace(/\/\d[^.]*\./, '/');
}

const everything = {
  ...site,
  rows: [...others, forgottenRow, rejected],
  settings: { ...site.settings, deferred: ['lifecycle'] },
  mapping: wholeMapping.replace('attach: extension', 'attach: file'),
  seed: {
    ...wholeSeed,
    contacts: [{ id: 90, firstName: 'Zenobia', email: 'zenobia.quist@example.com' }],
  },
};

it('finds them in every file that a work dir can have', async () => {
  await atScene(everything, async (scene) => {
    await fill(scene);
    const kinds = placesOf(workOf(scene)).map((place) => kindOf(place));
    expect([...new Set(kinds)].sort()).toEqual([
      'journal.db',
      'runs/contact-tags.csv',
      'runs/contacts.csv',
      'runs/dropped.csv',
      'runs/gone.csv',
      'runs/rejects.csv',
      'runs/report.html',
      'runs/uncertain.csv',
      'runs/verification-all.csv',
      'runs/verification.csv',
      'sandbox.db',
      'spool/plan.db',
    ]);
    expect(await longshore(scene, 'forget', 'Zenobia.Quist@example.com', '--yes')).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(placesOf(workOf(scene))).toEqual([]);
    expect(placesOf(workOf(scene), ['person2@example.com'])).not.toEqual([]);
    expect(workFiles(workOf(scene)).filter(({ kind }) => kind === undefined)).toEqual([]);
    const at = ['--workspace', scene.sandbox.baseUrl] as const;
    const pipeline = join(scene.path, 'pipeline.yaml');
    writeFileSync(pipeline, readFileSync(pipeline, 'utf8').replace('"maxErrors":1}', '"maxErrors":100}'));
    scene.sandbox.resetLog();
    for (const [args, code] of [
      [['status'], 0],
      [['runs'], 0],
      [['verify', '--all', ...at], 3],
      [['resume', ...at], 3],
      [['retry', ...at], 3],
    ] as const) {
      expect(await longshore(scene, ...args), args.join(' ')).toMatchObject({ code });
    }
    expect(placesOf(workOf(scene))).toEqual([]);
    expect(scene.writes()).toEqual([]);
  });
});

it.each(['zenobia.quist@EXAMPLE.com', '+1 201 555 0177', 'F17', 'key:F17', 'id:90'])(
  'finds the same person by %s',
  async (named) => {
    const settings = { ...site.settings, policy: { maxErrors: 100, onMatch: 'update' } };
    const rows = [...others, forgottenRow];
    await atScene({ ...site, settings, rows, seed: everything.seed }, async (scene) => {
      await scene.import();
      const ended = await longshore(scene, 'forget', named, '--yes', '--json');
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(ended.stdout)).toMatchObject({
        known: 'known',
        counts: { rows: 1, memories: 1 },
        left: [],
      });
      expect(placesOf(workOf(scene))).toEqual([]);
      scene.sandbox.resetLog();
      expect((await scene.import()).rows).toMatchObject({ unchanged: 3, skipped: 1 });
      expect(scene.writes()).toEqual([]);
    });
  },
);

it('creates them again where the policy says so, without a comment twice', async () => {
  const rows = [...others, forgottenRow];
  await atScene({ ...site, rows, seed: everything.seed }, async (scene) => {
    await scene.import();
    await longshore(scene, 'forget', 'F17', '--yes');
    const pipeline = join(scene.path, 'pipeline.yaml');
    writeFileSync(
      pipeline,
      readFileSync(pipeline, 'utf8').replace('"policy":{', '"policy":{"onDeleted":"recreate",'),
    );
    scene.sandbox.resetLog();
    expect((await scene.import()).rows).toMatchObject({ unchanged: 3, updated: 1, skipped: 0 });
    expect(scene.writes().filter((write) => write.includes('comment'))).toEqual([]);
  });
});

it('removes a proposal to merge a contact of theirs, and the row that led to it', async () => {
  const both = { ...forgottenRow, Phone: '+12015550178' };
  const seed = {
    ...wholeSeed,
    contacts: [...everything.seed.contacts, { id: 91, firstName: 'Zenobia', phone: '+12015550178' }],
  };
  await atScene({ ...site, rows: [...others, both], seed }, async (scene) => {
    const first = await scene.import();
    expect(first.rows).toMatchObject({ created: 3, proposed: 1 });
    expect(first.csv('merge-proposals.csv')).toHaveLength(1);
    const ended = await longshore(scene, 'forget', 'zenobia.quist@example.com', '--yes', '--json');
    expect(JSON.parse(ended.stdout)).toMatchObject({ counts: { proposals: 1 } });
    expect(placesOf(workOf(scene), [...forgottenBytes, '12015550178'])).toEqual([]);
    expect(first.csv('merge-proposals.csv')).toBeUndefined();
  });
});

it('says what it would do, and does nothing, without a person to ask; nobody is an error', async () => {
  await atScene({ ...site, rows: others }, async (scene) => {
    await scene.import();
    const places = placesOf(workOf(scene), ['person1@example.com']);
    expect(await longshore(scene, 'forget', 'person1@example.com')).toMatchObject({ code: 2 });
    const dry = await longshore(scene, 'forget', 'person1@example.com', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(dry.stdout).toContain('The work dir has of this person: 1 row of 1 run, ');
    expect(dry.stdout).not.toContain('person1@example.com');
    expect(placesOf(workOf(scene), ['person1@example.com'])).toEqual(places);
    const nobody = await longshore(scene, 'forget', 'H99', '--yes');
    expect(nobody).toMatchObject({ code: 2 });
    expect(nobody.stderr).toContain('No person H99 found in ');
    // An address that nobody knows yet is kept out, too.
    scene.writeRows([...others, forgottenRow]);
    expect(await longshore(scene, 'forget', 'zenobia.quist@example.com', '--yes')).toMatchObject({ code: 0 });
    expect((await scene.import()).rows).toMatchObject({ skipped: 1, created: 0 });
    expect(placesOf(workOf(scene))).toEqual([]);
  });
});
