import { isInstalled } from '../formats/peers.mjs';
import { figure, rounded } from '../report.mjs';
import { script, withFolder } from '../run/command.mjs';
import { allCreated, importPeople, peopleFile } from '../run/import.mjs';
import { withServer } from '../server/start-server.mjs';

const plainScript = new URL('../peers/plain-script.mjs', import.meta.url);
const etlScript = new URL('../peers/etl-script.mjs', import.meta.url);
const sdkScript = new URL('../peers/sdk-script.mjs', import.meta.url);

/** An import beside scripts that send one create for each row and look nobody up: rows a second from the start of each process to its end. */
export async function measurePeers(size) {
  return await withFolder(async (folder) => {
    return await withServer({ latency: size.latencyMs }, async ({ origin }) => {
      const figures = [];
      for (const [text, rows] of Object.entries(size.peers.rows)) {
        const concurrency = Number(text);
        const path = await peopleFile(folder, rows);
        const plain = await script(plainScript, { origin, path, concurrency });
        const its = plain.result.rows / plain.seconds;
        const ours = await rateOf(folder, origin, rows, concurrency);
        figures.push(
          figure({
            name: `plain script with ${concurrency} at once: import with the same ÷ its rate`,
            rounds: [ours / its],
            atLeast: 1,
            note: `${rounded(ours)} rows/s, the script ${rounded(its)}`,
          }),
        );
        if (!isInstalled('etl')) continue;
        const { result } = await script(etlScript, { origin, path, concurrency });
        const rate = result.rows / result.seconds;
        figures.push(
          figure({
            name: `pipeline of the library etl with ${concurrency} at once: import with the same ÷ its rate`,
            rounds: [ours / rate],
            note: `${rounded(ours)} rows/s, the pipeline ${rounded(rate)}`,
          }),
        );
      }
      const rows = Math.max(...Object.values(size.peers.rows));
      const ours = await rateOf(folder, origin, rows, 'auto');
      const path = await peopleFile(folder, rows);
      const { seconds } = size.peers;
      for (const [name, url] of [
        ['plain script (16 at once)', plainScript],
        ['script in the manner of the SDK', sdkScript],
      ]) {
        const { result } = await script(url, { origin, path, seconds });
        const its = result.rows / result.seconds;
        figures.push(
          figure({
            name: `${name}: import with its defaults ÷ its rate`,
            rounds: [ours / its],
            digits: 1,
            note: `${rounded(ours)} rows/s, the script ${rounded(its, 1)}`,
          }),
        );
      }
      return figures;
    });
  });
}

/** Rows a second of an import where nobody else creates contacts, so that it looks nobody up, either. */
async function rateOf(folder, origin, rows, concurrency) {
  const limits = { concurrency, settle: '0s' };
  const settings = {
    folder,
    origin,
    rows,
    name: `peer-${concurrency}`,
    limits,
    policy: { workspace: 'exclusive' },
  };
  const { seconds } = allCreated(await importPeople(settings), rows);
  return rows / seconds;
}
