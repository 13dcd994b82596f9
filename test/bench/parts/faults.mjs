import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { figure, rounded } from '../report.mjs';
import { script, withFolder } from '../run/command.mjs';
import { importPeople, peopleFile } from '../run/import.mjs';
import { emailOf } from '../run/people.mjs';
import { withServer } from '../server/start-server.mjs';

const plainScript = new URL('../peers/plain-script.mjs', import.meta.url);
const sdkScript = new URL('../peers/sdk-script.mjs', import.meta.url);
/** Each POST goes wrong so often: half of the faults lose the connection, half answer 500, and half of each come after the effect. */
const share = 0.02;
const needALook = 3;

/** What programs lose and double where answers are lost: each person is to be created once, and to get one comment. */
export async function measureFaults({ faults: { rows } }) {
  return await withFolder(async (folder) => {
    const path = await peopleFile(folder, rows);
    const programs = [
      ['import', (origin) => imported(folder, origin, rows), { atMost: 0 }],
      ['plain script', (origin) => failedOf(plainScript, { origin, path, comment: true }), {}],
      [
        'script in the manner of the SDK',
        (origin) => failedOf(sdkScript, { origin, path, comment: true }),
        {},
      ],
    ];
    const figures = [];
    for (const [name, run, aim] of programs)
      await withServer(
        { latency: 10, people: 'remembered', faults: share, seed: 7 },
        async ({ origin, counts }) => {
          const named = new Set(await run(origin));
          const { complete, doubledContacts, doubledComments } = await counts();
          const there = new Set(complete);
          const incomplete = Array.from({ length: rows }, (_, n) => emailOf(n)).filter(
            (email) => !there.has(email),
          );
          const silent = incomplete.filter((email) => !named.has(email));
          figures.push(
            figure({
              name: `${name} under ${share * 100} % faults: people incomplete and not named`,
              rounds: [silent.length],
              digits: 0,
              ...aim,
              note: `${incomplete.length} of ${rounded(rows)} people without contact or comment, ${named.size} named to look at`,
            }),
            figure({
              name: `${name} under ${share * 100} % faults: effects doubled`,
              rounds: [doubledContacts + doubledComments],
              digits: 0,
              ...aim,
              note: `${doubledContacts} contacts, ${doubledComments} comments`,
            }),
          );
        },
      );
    return figures;
  });
}

/** The people that an import names as uncertain, failed or rejected. */
async function imported(folder, origin, rows) {
  const limits = { concurrency: 'auto', settle: '5s' };
  const settings = {
    folder,
    origin,
    rows,
    name: 'faults',
    mapping: 'comment',
    limits,
    codes: [0, needALook],
  };
  const { summary } = await importPeople(settings);
  const listed = (path, column) =>
    path === undefined || path === null
      ? []
      : parse(readFileSync(path), { columns: true, bom: true }).map((row) => emailOf(Number(row[column])));
  return [...listed(summary.files.uncertain, '_key'), ...listed(summary.files.rejects, 'Record ID')];
}

async function failedOf(url, job) {
  const { result } = await script(url, job);
  return result.failed;
}
