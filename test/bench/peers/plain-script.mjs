// A script as a user would write it: csv-parse, fetch, 16 requests at once, and a retry on 429 and where the network fails.
// Usage: plain-script.mjs JSON, with origin, path (of the CSV), concurrency, comment (whether each person gets one) and seconds (the most).
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { createPerson } from './create-person.mjs';

const { origin, path, concurrency = 16, comment = false, seconds: most = 60 } = JSON.parse(process.argv[2]);
const records = createReadStream(path)
  .pipe(parse({ columns: true }))
  [Symbol.asyncIterator]();
const begun = performance.now();
const secondsSoFar = () => (performance.now() - begun) / 1_000;
let done = 0;
const failed = [];
await Promise.all(Array.from({ length: concurrency }, worker));
process.stdout.write(JSON.stringify({ rows: done, failed, seconds: secondsSoFar() }));
process.exit();

async function worker() {
  while (secondsSoFar() < most) {
    const { done: isOver, value: row } = await records.next();
    if (isOver) return;
    try {
      await createPerson(origin, row, comment);
    } catch {
      failed.push(row.Email);
    }
    done += 1;
  }
}
