import { figure, median, rounded } from '../report.mjs';
import { node, withFolder } from '../run/command.mjs';
import { importPeople } from '../run/import.mjs';
import { withServer } from '../server/start-server.mjs';

/** From the start of an import of a small file to its first request, less what Node takes to start and to end. */
export async function measureStart({ start: { rows, rounds } }) {
  const empty = [];
  const first = [];
  for (let round = 0; round < rounds; round += 1) {
    empty.push((await node(['-e', '0'])).seconds * 1_000);
    first.push(await msToFirstRequest(rows));
  }
  return [
    figure({
      name: `start to first request with ${rounded(rows)} rows, beyond \`node -e 0\``,
      rounds: first.map((ms, round) => ms - empty[round]),
      unit: ' ms',
      digits: 0,
      atMost: 250,
      note: `${rounded(median(first))} ms, of which Node alone takes ${rounded(median(empty))}; medians of ${rounds}`,
    }),
  ];
}

async function msToFirstRequest(rows) {
  return await withFolder(async (folder) => {
    return await withServer({}, async ({ origin, counts }) => {
      const { startedAt } = await importPeople({ folder, origin, rows, name: 'start' });
      return (await counts()).firstAt - startedAt;
    });
  });
}
