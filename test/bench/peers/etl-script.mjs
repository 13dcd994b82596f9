// The pipeline of an open-source ETL library, as its README writes one: etl.csv, then etl.map with so many requests at once.
// Measured where it is installed (npm install --no-save etl). Usage: etl-script.mjs JSON, as plain-script.mjs.
import { createReadStream } from 'node:fs';
import etl from 'etl';
import { createPerson } from './create-person.mjs';

const { origin, path, concurrency = 16, comment = false, seconds: most = 60 } = JSON.parse(process.argv[2]);
const begun = performance.now();
const secondsSoFar = () => (performance.now() - begun) / 1_000;
let done = 0;
const failed = [];
const create = async (row) => {
  if (secondsSoFar() >= most) return;
  await createPerson(origin, row, comment).catch(() => failed.push(row.Email));
  done += 1;
};
await createReadStream(path).pipe(etl.csv()).pipe(etl.map(create, { concurrency })).promise();
process.stdout.write(JSON.stringify({ rows: done, failed, seconds: secondsSoFar() }));
process.exit();
