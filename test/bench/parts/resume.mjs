import { readAlone } from '../formats/read-alone.mjs';
import { figure, rounded } from '../report.mjs';
import { withFolder } from '../run/command.mjs';
import { allCreated, importPeople, peopleFile } from '../run/import.mjs';
import { withServer } from '../server/start-server.mjs';

/**
 * Rows that a resume passes over in a second, against csv-parse alone on the same file. An import of the first rows is resumed; what is
 * timed is from its start to its first create, less the same of a short file: that is what it takes to start.
 */
export async function measureResume({ resume: { rows, short, left } }) {
  return await withFolder(async (folder) => {
    const long = await secondsToFirstCreate(folder, rows, left);
    const seconds = long - (await secondsToFirstCreate(folder, short, left));
    const skipped = (rows - short) / seconds;
    const parsed = await readAlone({ format: null, path: await peopleFile(folder, rows), folder });
    const alone = rows / parsed.seconds;
    return [
      figure({
        name: 'rows skipped a second on resume ÷ csv-parse alone',
        rounds: [skipped / alone],
        atLeast: 0.8,
        note: `${rounded(skipped)} rows/s of ${rounded(alone)}; ${rounded(rows - left)} rows done, ${rounded(long, 1)} s from the start to the first create`,
      }),
    ];
  });
}

async function secondsToFirstCreate(folder, rows, left) {
  return await withServer({}, async ({ origin, counts }) => {
    const limits = { concurrency: 'auto', settle: '0s' };
    const settings = {
      folder,
      origin,
      rows,
      name: `resume-${rows}`,
      limits,
      policy: { workspace: 'exclusive' },
    };
    await importPeople({ ...settings, args: ['--limit', String(rows - left)] });
    await counts();
    const { startedAt, summary } = await importPeople(settings);
    const { firstCreateAt } = await counts();
    allCreated({ summary }, rows);
    return (firstCreateAt - startedAt) / 1_000;
  });
}
