import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { prune } from '../../src/app/prune/prune.ts';
import { openJournalFile, takeLock } from '../../src/journal/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { systemClock } from '../../src/workspace/index.ts';
import { run } from './command.ts';
import { forgetSite, placesOf, workOf } from './forgotten-person.ts';
import { atScene } from './scene.ts';
import { wholeSeed } from './whole-person.ts';

/** An old file that somebody has sent to the studio, which no run has read. */
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
          await run(['import', join(scene.path, 'pipeline.yaml'), '--work-dir', workDir], {
            LONGSHORE_TOKEN: 'sandbox',
            LONGSHORE_BASE_URL: baseUrl,
          });
        const requests = () => scene.sandbox.log.length + elsewhere.log.length;
        const before = requests();
        const refused: { code: number | null; stderr: string }[] = [];
        const pruned = await prune({
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
        const journal = openJournalFile(workDir);
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
    await prune({ workDir, olderMs: 0, withOpen: true, clock: systemClock, confirm });
    expect(asked()).toEqual([]);
  });
});
