import { figure, rounded } from '../report.mjs';
import { withFolder } from '../run/command.mjs';
import { allCreated, importPeople } from '../run/import.mjs';
import { withServer } from '../server/start-server.mjs';

const aims = { exclusive: 1.05, shared: 3 };

/** Requests that the server counts for each row: of new people, and of the same file once more, in which nothing has changed. */
export async function measureRequests({ requests: { rows } }) {
  const figures = [];
  for (const workspace of ['exclusive', 'shared'])
    await withFolder(async (folder) => {
      await withServer({ people: 'remembered' }, async ({ origin, counts }) => {
        const limits = { concurrency: 'auto', settle: '0s' };
        const settings = { folder, origin, rows, name: 'counted', limits, policy: { workspace } };
        allCreated(await importPeople(settings), rows);
        const { aboutContacts, requests } = await counts();
        figures.push(
          figure({
            name: `requests per new row, ${workspace}`,
            rounds: [(requests - perRun) / rows],
            atMost: aims[workspace],
            note: `${rounded(rows)} rows: ${rounded(aboutContacts)} requests about contacts, ${requests - aboutContacts} for the run (${perRun} of them whatever its size, left out) and the pages of the list`,
          }),
        );
        if (workspace === 'exclusive') return;
        const { summary } = await importPeople(settings);
        if (summary.rows.unchanged !== rows)
          throw new Error(`not unchanged: ${JSON.stringify(summary.rows)}`);
        const again = await counts();
        figures.push(
          figure({
            name: 'requests per unchanged row of a delta run',
            rounds: [again.aboutContacts / rows],
            atMost: 0,
            note: `${again.requests} requests for the run, whatever its size`,
          }),
        );
      });
    });
  return figures;
}

/** Users, custom fields and the first page of the list: whatever the size of a run. */
const perRun = 3;
