import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readAlone } from '../formats/read-alone.mjs';
import { figure, median, rounded } from '../report.mjs';
import { withFolder } from '../run/command.mjs';
import { allCreated, importPeople, peopleFile } from '../run/import.mjs';
import { withServer } from '../server/start-server.mjs';

/**
 * Rows that a resume passes over in a second, against csv-parse alone on the same file. An import of the first rows is resumed; what is
 * timed is from its start to its first create, less the same of a short file: that is what it takes to start.
 */
export async function measureResume({ resume: { rows, short, left, rounds } }) {
  return await withFolder(async (folder) => {
    const long = await secondsToFirstCreate(folder, rows, left, rounds);
    const start = median(await secondsToFirstCreate(folder, short, left, rounds));
    const skipped = long.map((seconds) => (rows - short) / (seconds - start));
    const parsed = [];
    const path = await peopleFile(folder, rows);
    for (const _ of long) parsed.push(rows / (await readAlone({ format: null, path, folder })).seconds);
    const alone = median(parsed);
    return [
      figure({
        name: 'rows skipped a second on resume ÷ csv-parse alone',
        rounds: skipped.map((perSecond) => perSecond / alone),
        atLeast: 1,
        note: `${rounded(median(skipped))} rows/s of ${rounded(alone)}; ${rounded(rows - left)} rows done, ${rounded(median(long), 1)} s from the start to the first create; medians of ${rounds}`,
      }),
    ];
  });
}

/** From the start of a resume to its first create, measured so many times from the same interruption. */
async function secondsToFirstCreate(folder, rows, left, rounds) {
  return await withServer({}, async ({ origin, counts }) => {
    const limits = { concurrency: 'auto', settle: '0s' };
    const name = `resume-${rows}`;
    const settings = { folder, origin, rows, name, limits, policy: { workspace: 'exclusive' } };
    await importPeople({ ...settings, args: ['--limit', String(rows - left)] });
    const workDir = join(folder, name);
    const interrupted = `${workDir}-interrupted`;
    cpSync(workDir, interrupted, { recursive: true });
    const measured = [];
    for (let round = 0; round < rounds; round += 1) {
      rmSync(workDir, { recursive: true });
      cpSync(interrupted, workDir, { recursive: true });
      await counts();
      const { startedAt, summary } = await importPeople(settings);
      const { firstCreateAt } = await counts();
      allCreated({ summary }, rows);
      measured.push((firstCreateAt - startedAt) / 1_000);
    }
    return measured;
  });
}
