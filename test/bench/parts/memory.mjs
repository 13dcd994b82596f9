import { figure, rounded } from '../report.mjs';
import { withFolder } from '../run/command.mjs';
import { allCreated, importPeople } from '../run/import.mjs';
import { withServer } from '../server/start-server.mjs';

const mostMiB = 200;

/** The most memory of imports of several sizes with the usual settings, how it grows with the rows, and the time of a row. */
export async function measureMemory({ memory: { rows } }) {
  const measured = [];
  for (const count of rows) measured.push({ count, ...(await imported(count)) });
  const figures = measured.map(({ count, peakMiB, seconds }) =>
    figure({
      name: `peak memory at ${rounded(count)} rows`,
      rounds: [peakMiB],
      unit: ' MiB',
      digits: 0,
      atMost: mostMiB,
      note: `${rounded(count / seconds)} rows/s`,
    }),
  );
  const [first, ...larger] = measured;
  const last = measured.at(-1);
  figures.push(
    figure({
      name: `time per row at ${rounded(last.count)} ÷ at ${rounded(first.count)} rows`,
      rounds: [last.seconds / last.count / (first.seconds / first.count)],
      atMost: 1.1,
    }),
  );
  if (larger.length > 1)
    figures.push(
      figure({
        name: `growth of memory from ${rounded(larger[0].count)} to ${rounded(last.count)} rows`,
        rounds: [last.peakMiB - larger[0].peakMiB],
        unit: ' MiB',
        digits: 0,
        atMost: 20,
      }),
    );
  return figures;
}

async function imported(rows) {
  return await withFolder(async (folder) => {
    return await withServer({}, async ({ origin }) => {
      const settings = { folder, origin, rows, name: 'memory', limits: { concurrency: 'auto' } };
      return allCreated(await importPeople(settings), rows);
    });
  });
}
