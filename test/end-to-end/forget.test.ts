import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workFiles } from '../../src/wiring/work-files.ts';
import {
  everything,
  fillWorkDir,
  forgetSite,
  forgottenBytes,
  forgottenRow,
  longshore,
  others,
  placesOf,
  workOf,
} from './forgotten-person.ts';
import { atScene } from './scene.ts';
import { wholeSeed } from './whole-person.ts';

it('leaves no byte of a person in the work dir, counts add up, and the next import does nothing about them', async () => {
  await atScene(forgetSite, async (scene) => {
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

/** `runs/…/contacts.csv: F17` as `runs/contacts.csv`. */
function kindOf(place: string): string {
  return place
    .replace(/: .*/, '')
    .replace(/\/.*\//, '/')
    .replace(/\/\d[^.]*\./, '/');
}

it('finds them in every file that a work dir can have', async () => {
  await atScene(everything, async (scene) => {
    await fillWorkDir(scene);
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
    const settings = { ...forgetSite.settings, policy: { maxErrors: 100, onMatch: 'update' } };
    const rows = [...others, forgottenRow];
    await atScene({ ...forgetSite, settings, rows, seed: everything.seed }, async (scene) => {
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
  await atScene({ ...forgetSite, rows, seed: everything.seed }, async (scene) => {
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
  await atScene({ ...forgetSite, rows: [...others, both], seed }, async (scene) => {
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
  await atScene({ ...forgetSite, rows: others }, async (scene) => {
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
