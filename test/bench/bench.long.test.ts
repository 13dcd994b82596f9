import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../temporary-folder.ts';

const bench = fileURLToPath(new URL('bench.mjs', import.meta.url));

const reportSchema = z.object({
  quick: z.literal(true),
  machine: z.object({ cpu: z.string(), cores: z.int().positive(), memoryGiB: z.number().positive() }),
  versions: z.object({ node: z.string(), longshore: z.string(), undici: z.string() }),
  figures: z.array(
    z.object({
      part: z.string(),
      figure: z.string(),
      value: z.number(),
      held: z.boolean().nullable(),
      rounds: z.array(z.number()).min(1),
    }),
  ),
});

// Counts only: how fast anything is depends on the machine, and stands in the report of a whole bench.
describe('npm run bench -- requests faults studio files row work-dir --quick', () => {
  const folder = temporaryFolder();
  let printed = '';
  let report: z.output<typeof reportSchema>;

  beforeAll(async () => {
    const out = join(folder.path, 'bench.json');
    const args = [bench, 'requests', 'faults', 'studio', 'files', 'row', 'work-dir', '--quick', '--out', out];
    printed = (await promisify(execFile)(process.execPath, args)).stdout;
    report = reportSchema.parse(JSON.parse(readFileSync(out, 'utf8')));
  });
  afterAll(() => folder.remove());

  const measured = (name: string) => report.figures.find(({ figure }) => figure === name)?.value;

  it('prints every figure that it writes', () => {
    expect(report.figures.length).toBeGreaterThan(5);
    expect(report.figures.filter(({ figure }) => !printed.includes(figure))).toEqual([]);
  });

  it('counts the requests of a row', () => {
    expect(measured('requests per new row, exclusive')).toBeGreaterThanOrEqual(1);
    expect(measured('requests per new row, exclusive')).toBeLessThanOrEqual(1.05);
    expect(measured('requests per new row, shared')).toBe(3);
    expect(measured('requests per unchanged row of a delta run')).toBe(0);
  });

  it('sees what lost answers do to a script, and that an import loses and doubles nothing', () => {
    const of = (program: string, what: string) => measured(`${program} under 2 % faults: ${what}`);
    expect(of('import', 'people incomplete and not named')).toBe(0);
    expect(of('import', 'effects doubled')).toBe(0);
    expect(of('plain script', 'effects doubled')).toBeGreaterThan(0);
  });

  it('finds every stage of a row in the profile of an import', () => {
    const stages = report.figures.filter(
      ({ part, figure }) => part === 'row' && figure.startsWith('new row, exclusive: '),
    );
    expect(stages.filter(({ value }) => !(value > 0))).toEqual([]);
    expect(stages.length).toBe(12);
  });

  it('measures a work dir by its size and by the commands that read or change it', () => {
    const names = report.figures.filter(({ part }) => part === 'work-dir').map(({ figure }) => figure);
    expect(names).toEqual(
      expect.arrayContaining([
        'work dir per row at 1,000 rows',
        'verify at 1,000 rows',
        'forget one person at 1,000 rows',
        'undo at 1,000 rows',
        'prune at 1,000 rows',
      ]),
    );
  });

  it('waits for what a studio shows of a file', () => {
    const shown = report.figures.filter(({ part, value }) => part === 'studio' && value > 0);
    expect(shown.map(({ figure }) => figure)).toEqual(
      expect.arrayContaining(['preview of 3,000 rows', 'first counts of 3,000 rows']),
    );
  });
});

it('an unknown part is refused with the ones that there are', async () => {
  const ended = promisify(execFile)(process.execPath, [bench, 'speed']);
  await expect(ended).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('new-rows') });
});
