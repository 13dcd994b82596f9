import { figure, median, rounded } from '../report.mjs';
import { script, withFolder } from '../run/command.mjs';
import { allCreated, importPeople } from '../run/import.mjs';
import { withServer } from '../server/start-server.mjs';

const bareLoop = new URL('../peers/bare-loop.mjs', import.meta.url);
const bareConcurrency = 64;
const requestsPerRow = { exclusive: 1, shared: 3 };
const leastShare = { exclusive: 0.35, shared: 0.4 };
const mostMsPerRow = { exclusive: 0.3, shared: 0.45 };
const mostMsPerRequest = 0.15;

/** What an import costs where answers take no time: its pace against a bare loop of the same requests, and processor time. */
export async function measureProcessor(size) {
  const { rows, fullRows, rounds } = size.processor;
  const figures = [];
  for (const workspace of ['exclusive', 'shared']) {
    const measured = await times(rounds, () => imported(workspace, rows));
    const bare = await times(rounds, () => looped(requestsPerRow[workspace], rows));
    const of = `${requestsPerRow[workspace]} request${workspace === 'shared' ? 's' : ''} a row`;
    figures.push(
      figure({
        name: `create-only import, ${workspace}: requests/s ÷ bare loop, no latency`,
        rounds: measured.map(({ rate }, round) => rate / bare[round]),
        atLeast: leastShare[workspace],
        note: `${of}: ${rounded(median(measured.map(({ rate }) => rate)))}/s of ${rounded(median(bare))}/s, medians of ${rounds}`,
      }),
      figure({
        name: `processor time per new row, ${workspace}`,
        rounds: measured.map(({ cpuMs }) => cpuMs / rows),
        unit: ' ms',
        digits: 3,
        atMost: mostMsPerRow[workspace],
        note: `of ${rounded(rows)} rows, start and end included, ${of}`,
      }),
    );
  }
  const full = await times(rounds, () => fullImport(fullRows));
  figures.push(
    figure({
      name: 'processor time per request of a full import',
      rounds: full.map(({ cpuMs, sent }) => cpuMs / sent),
      unit: ' ms',
      digits: 3,
      atMost: mostMsPerRequest,
      note: `update, lifecycle, two comments, assignee and conversation of ${rounded(fullRows)} people: ${rounded(full[0].sent)} requests, start and end included`,
    }),
  );
  return figures;
}

async function times(rounds, measure) {
  const measured = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await measure());
  return measured;
}

async function looped(perRow, rows) {
  return await withServer({}, async ({ origin }) => {
    const job = { origin, rows, concurrency: bareConcurrency, requestsPerRow: perRow };
    const { result } = await script(bareLoop, job);
    return result.requests / result.seconds;
  });
}

async function imported(workspace, rows) {
  return await withFolder(async (folder) => {
    return await withServer({}, async ({ origin }) => {
      const limits = { concurrency: 'auto', settle: '0s' };
      const settings = { folder, origin, rows, name: 'new', limits, policy: { workspace } };
      const { summary, sent, cpuMs } = allCreated(await importPeople(settings), rows);
      return { rate: sent / summary.seconds, cpuMs };
    });
  });
}

async function fullImport(rows) {
  return await withFolder(async (folder) => {
    return await withServer({ people: 'everybody' }, async ({ origin }) => {
      const settings = {
        folder,
        origin,
        rows,
        name: 'full',
        mapping: 'full',
        limits: { concurrency: 'auto' },
      };
      const { summary, sent, cpuMs } = await importPeople({ ...settings, policy: { lookup: 'single' } });
      if (summary.rows.updated !== rows) throw new Error(`not updated: ${JSON.stringify(summary.rows)}`);
      return { sent, cpuMs };
    });
  });
}
