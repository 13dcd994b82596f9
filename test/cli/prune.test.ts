import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pruneWorkDir } from '../../src/app/prune/prune.ts';
import { openJournalDatabase, takeLock } from '../../src/journal/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { systemClock } from '../../src/workspace/index.ts';
import { isWrite } from '../app/import/real-import.ts';
import { run as runCommand } from '../end-to-end/command.ts';
import { forgetSite, placesOf, workOf } from '../end-to-end/forgotten-person.ts';
import { atScene } from '../end-to-end/scene.ts';
import { wholeSeed } from '../end-to-end/whole-person.ts';
import { atSite, rowsOf } from './site.ts';

it('says what goes, removes rows and files, and the next import knows everybody', async () => {
  await atSite({ rows: 8 }, async (site) => {
    const { run } = JSON.parse((await site.import()).stdout);
    const dry = await site.longshore(['prune', '--older', '0ms', '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(dry.stdout).toContain(
      '1 run older than 0ms. Once pruned, they can no longer be undone, retried or verified:',
    );
    expect(existsSync(join(site.workDir, 'runs', run))).toBe(true);
    expect(await site.longshore(['prune', '--older', '90d', '--yes'])).toMatchObject({
      code: 0,
      stdout: 'No finished run is older than 90d and can be pruned.\n',
    });
    const before = JSON.parse((await site.longshore(['status', '--json'])).stdout);
    const pruned = await site.longshore(['prune', '--older', '0ms', '--yes', '--json']);
    expect(JSON.parse(pruned.stdout)).toMatchObject({ removed: true, pruned: [{ run, rows: 8 }], kept: [] });
    expect(readdirSync(join(site.workDir, 'runs'))).toEqual([]);
    const after = JSON.parse((await site.longshore(['status', run, '--json'])).stdout);
    expect(after).toMatchObject({ rows: before.rows, prunedAt: expect.any(String), next: [] });
    expect((await site.longshore(['runs'])).stdout).toContain('all rows, pruned');
    for (const command of ['verify', 'retry']) {
      const refused = await site.longshore([command, run]);
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.stderr).toContain(`run ${run} was pruned on `);
    }
    const writes = site.sandbox.log.filter(isWrite).length;
    const again = await site.import();
    expect(rowsOf(again.stdout)).toEqual({ read: 8, unchanged: 8 });
    expect(site.sandbox.log.filter(isWrite)).toHaveLength(writes);
  });
});

it('leaves runs that can be retried or continued, and says so', async () => {
  await atSite({ rows: 4 }, async (site) => {
    const path = join(site.folder, 'people.csv');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    writeFileSync(path, `${[...lines, lines[1]?.replace(/[^,]*@[^,]*/, 'not an address')].join('\n')}\n`);
    const { run } = JSON.parse((await site.import()).stdout);
    const stays = await site.longshore(['prune', '--older', '0ms', '--yes']);
    expect(stays.stdout).toContain('1 older run stays, because rows can still be retried');
    expect(existsSync(join(site.workDir, 'runs', run))).toBe(true);
    expect(await site.longshore(['prune', '--older', '0ms', '--with-open', '--yes'])).toMatchObject({
      code: 0,
    });
    expect(placesOf(site.workDir, ['not an address'])).toEqual([]);
    expect(
      await site.longshore([
        'import',
        site.people.pipeline,
        '--workspace',
        site.sandbox.baseUrl,
        '--limit',
        '1',
      ]),
    ).toMatchObject({ code: 0 });
    const unfinished = await site.longshore(['prune', '--older', '0ms', '--yes']);
    expect(unfinished.stdout).toBe('No finished run is older than 0ms and can be pruned.\n');
  });
});

it('needs a duration, and a confirmation where nobody can be asked', async () => {
  await atSite({ rows: 2 }, async (site) => {
    await site.import();
    const long = await site.longshore(['prune', '--older', 'long']);
    expect(long).toMatchObject({ code: 2 });
    expect(long.stderr).toContain('--older 90d');
    const unasked = await site.longshore(['prune', '--older', '0ms']);
    expect(unasked).toMatchObject({ code: 2 });
    expect(unasked.stderr).toContain('--yes');
  });
});

describe('of what a studio has kept', () => {
  const day = 86_400_000;
  const old = new Date(Date.now() - 100 * day);

  function upload(workDir: string, name: string, changed: Date): string {
    const path = join(workDir, 'studio/uploads', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'a,b\n1,2\n');
    utimesSync(path, changed, changed);
    if (name.includes('/')) utimesSync(dirname(path), changed, changed);
    return path;
  }

  function command(workDir: string, id: string, record: object | null): string {
    const folder = join(workDir, 'studio/processes', id);
    mkdirSync(folder, { recursive: true });
    for (const name of ['stdout', 'process.json']) {
      writeFileSync(join(folder, name), record === null ? '{' : JSON.stringify(record));
      utimesSync(join(folder, name), old, old);
    }
    utimesSync(folder, old, old);
    return folder;
  }

  it('removes what is as old as old runs, and nothing that still works or is read', async () => {
    await atSite({ rows: 2 }, async (site) => {
      const { workDir } = site;
      await site.import();
      const goes = [
        upload(workDir, 'people-old.csv', old),
        upload(workDir, 'dump-1/notes.csv', old),
        command(workDir, 'ended', { pid: 1, endedAt: old.toISOString() }),
        command(workDir, 'unseen', { pid: 2 ** 30, endedAt: null }),
        command(workDir, 'broken', null),
      ];
      const stays = [
        upload(workDir, 'new.csv', new Date()),
        upload(workDir, 'dump-2/old.csv', old),
        upload(workDir, 'dump-2/new.csv', new Date()),
        // Of the name of the input of a run that stays.
        upload(workDir, 'people.csv', old),
        command(workDir, 'running', { pid: process.pid, endedAt: null }),
        command(workDir, 'lately', { pid: 1, endedAt: new Date().toISOString() }),
      ];
      const dry = await site.longshore(['prune', '--older', '90d', '--dry-run']);
      expect(dry.stdout).toBe(
        'No finished run is older than 90d and can be pruned.\nFrom the studio, older than 90d: 2 sent files and 3 records of commands.\n',
      );
      expect(goes.every(existsSync)).toBe(true);
      const asked = await site.longshore(['prune', '--older', '90d']);
      expect(asked.code).toBe(2);
      const done = await site.longshore(['prune', '--older', '90d', '--yes']);
      expect(done.stdout).toContain('Pruned from the studio 2 sent files and 3 records of commands.');
      expect(goes.filter(existsSync)).toEqual([]);
      expect(stays.filter((path) => !existsSync(path))).toEqual([]);
      // With its run its input goes.
      const last = await site.longshore(['prune', '--older', '0ms', '--yes', '--json']);
      expect(JSON.parse(last.stdout).studio).toContainEqual({ kind: 'upload', name: 'people.csv' });
    });
  });

  it('does so where nothing has run yet', async () => {
    await atSite({ rows: 2 }, async (site) => {
      const path = upload(site.workDir, 'alone.csv', old);
      expect(await site.longshore(['prune', '--older', '90d', '--yes'])).toMatchObject({ code: 0 });
      expect(existsSync(path)).toBe(false);
    });
  });
});

/** Writes an old file that was sent to the studio and that no run has read. */
function sentFile(workDir: string): string {
  const path = join(workDir, 'studio', 'uploads', 'sent.csv');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'First,Email\nAda,ada@example.com\n');
  utimesSync(path, 1_000, 1_000);
  return path;
}

it.each(['of a work dir with runs', 'of a work dir with sent files alone'])(
  'prune %s keeps every run out while it asks, also one into another workspace',
  async (what) => {
    const elsewhere = await startSandbox({ seed: wholeSeed });
    try {
      await atScene(forgetSite, async (scene) => {
        const workDir = workOf(scene);
        const withRuns = what === 'of a work dir with runs';
        if (withRuns) await scene.import();
        const sent = sentFile(workDir);
        const into = async (baseUrl: string) =>
          await runCommand(['import', join(scene.path, 'pipeline.yaml'), '--work-dir', workDir], {
            LONGSHORE_TOKEN: 'sandbox',
            LONGSHORE_BASE_URL: baseUrl,
          });
        const requests = () => scene.sandbox.log.length + elsewhere.log.length;
        const before = requests();
        const refused: { code: number | null; stderr: string }[] = [];
        const pruned = await pruneWorkDir({
          ...{ workDir, olderMs: 0, withOpen: true, clock: systemClock },
          async confirm() {
            for (const baseUrl of [scene.sandbox.baseUrl, elsewhere.baseUrl])
              refused.push(await into(baseUrl));
            return true;
          },
        });
        for (const { code, stderr } of refused) {
          expect(code, stderr).toBe(6);
          expect(stderr).toContain('something is being removed from this work dir by `forget` or `prune`.');
        }
        expect(refused).toHaveLength(2);
        expect(requests()).toBe(before);
        expect(pruned?.goes).toHaveLength(withRuns ? 1 : 0);
        expect(existsSync(sent)).toBe(false);
        // Nothing of its locks stays.
        const journal = openJournalDatabase(workDir);
        takeLock(journal, workDir, 'an import', systemClock).release();
        journal.close();
      });
    } finally {
      await elsewhere.close();
    }
  },
);

it('prune removes what was asked of a run, and its same-person.csv, with the run', async () => {
  const mapping =
    'mapping: asked\nkey: ID\ncontact: { firstName: { from: First }, phone: { from: Phone } }\n';
  const phone = '+12015550101';
  const rows = ['Quintilla', 'Oswin'].map((First, n) => ({ ID: `${n + 1}`, First, Phone: phone }));
  await atScene({ mapping, rows, seed: {}, settings: { policy: { maxErrors: '100%' } } }, async (scene) => {
    const report = await scene.import();
    expect(report.rows.proposed).toBe(1);
    const workDir = workOf(scene);
    const asked = () => placesOf(workDir, ['Quintilla', 'Oswin']);
    expect(asked().join('\n')).toContain('same-person.csv');
    const confirm = () => Promise.resolve(true);
    await pruneWorkDir({ workDir, olderMs: 0, withOpen: true, clock: systemClock, confirm });
    expect(asked()).toEqual([]);
  });
});
