import { figure, rounded } from '../report.mjs';
import { withFolder } from '../run/command.mjs';
import { allCreated, importPeople } from '../run/import.mjs';
import { withServer } from '../server/start-server.mjs';
import { bestConcurrency } from './best-concurrency.mjs';

const aims = { exclusive: { requests: 1, atMost: 1.15 }, shared: { requests: 3, atMost: 3.3 } };
/** Contacts that the closing pass of `exclusive` reads in a second: five pages of 99. */
const listedPerSecond = 495;

/**
 * The whole command on new people with e-mail and phone, against one request for each of them at the best concurrency. Left out is what
 * the closing pass waits for: the list is empty here, and `limits.settle` 0. It may take 1.05 times what the bare loop takes for as many
 * requests on the same machine.
 */
export async function measureNewRows(size) {
  const { best, rates } = await bestConcurrency(size);
  const searched = Object.keys(rates).join(', ');
  const bare = (best * 1_000) / size.latencyMs / rates[best];
  const figures = [];
  for (const [workspace, { requests, atMost }] of Object.entries(aims)) {
    const rows = size.newRows[workspace];
    const ideal = (rows * size.latencyMs) / 1_000 / best;
    const { seconds, sent, peak } = await imported(size, workspace, rows);
    const notes = [
      `${rounded(rows)} rows in ${rounded(seconds, 1)} s of ${rounded(ideal, 1)} s, ${rounded(sent)} requests, at most ${peak} in flight`,
      `best of ${searched}: ${best} (a bare loop sends ${rounded(rates[best])} requests/s, ${rounded(requests * bare, 2)} of the ideal)`,
    ];
    if (workspace === 'exclusive')
      notes.push(`left out is the closing pass: ${rounded(rows / listedPerSecond)} s and limits.settle`);
    figures.push(
      figure({
        name: `new rows, ${workspace}: wall ÷ (rows × ${size.latencyMs} ms ÷ best concurrency)`,
        rounds: [seconds / ideal],
        atMost: Math.max(atMost, Number((1.05 * requests * bare).toFixed(2))),
        note: notes.join('; '),
      }),
    );
  }
  return figures;
}

async function imported({ latencyMs }, workspace, rows) {
  return await withFolder(async (folder) => {
    return await withServer({ latency: latencyMs }, async ({ origin, counts }) => {
      const limits = { concurrency: 'auto', settle: '0s' };
      const settings = { folder, origin, rows, name: 'new', limits, policy: { workspace } };
      const { seconds, sent } = allCreated(await importPeople(settings), rows);
      return { seconds, sent, peak: (await counts()).peak };
    });
  });
}
