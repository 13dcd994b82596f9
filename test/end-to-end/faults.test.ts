import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { some } from '../long.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { run } from './in-process.ts';
import { inOrder, standing, writePeople } from './people.ts';

const share = 0.02;

/** Every kind of trouble, the changes that were applied and whose answer was lost among them. */
const rates = {
  '429': share,
  '449': share,
  '500': share,
  '502': share,
  '503': share,
  '504': share,
  dropBefore: share,
  dropAfter: share,
  brokenBody: share,
  '500After': share,
  '502After': share,
  '503After': share,
  '504After': share,
};

const modes = [
  { existing: 'refuse', processingMs: 0 },
  { existing: 'duplicate', processingMs: 0 },
  { existing: 'refuse', processingMs: 3_000 },
  { existing: 'duplicate', processingMs: 3_000 },
] as const;

describe('an import under faults of every kind at 2 % each', () => {
  it.concurrent.each(some(modes))(
    'ends exact, with a second create: $existing and $processingMs ms of processing',
    async ({ existing, processingMs }) => {
      const folder = temporaryFolder();
      const people = writePeople(folder.path, 300, '{ settle: 6s, attempts: 12, concurrency: 16 }');
      const sandbox = await startSandbox({
        seed: people.seed,
        existing,
        processingMs,
        faults: { rates, latency: { min: 0, max: 40 } },
        randomSeed: 7,
      });
      try {
        const { code, stdout, stderr } = await run(
          [
            'import',
            people.pipeline,
            '--json',
            '--workspace',
            sandbox.baseUrl,
            '--work-dir',
            `${folder.path}/work`,
          ],
          { LONGSHORE_TOKEN: 'sandbox' },
        );
        const { rows, files } = JSON.parse(stdout);
        const rejects = files.rejects === undefined ? '' : readFileSync(files.rejects, 'utf8');
        expect({ code, stderr, rejects }).toEqual({ code: 0, stderr: '', rejects: '' });
        expect(rows).toMatchObject({ read: 300, created: 225, rejected: 0, failed: 0, notReached: 0 });
        expect(inOrder(standing(sandbox))).toEqual(inOrder(people.expected));
      } finally {
        await sandbox.close();
        folder.remove();
      }
    },
    300_000,
  );
});
