// A script as a user would write it: csv-parse, fetch, 16 requests at once, and a retry on 429 and where the network fails.
// Usage: plain-script.mjs JSON, with origin, path (of the CSV), concurrency, comment (whether each person gets one) and seconds (the most).
import { createReadStream } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'csv-parse';

const { origin, path, concurrency = 16, comment = false, seconds: most = 60 } = JSON.parse(process.argv[2]);
const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' };
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
      await importRow(row);
    } catch {
      failed.push(row.Email);
    }
    done += 1;
  }
}

async function importRow(row) {
  const contact = `${origin}/v1/contact/${encodeURIComponent(`email:${row.Email.trim().toLowerCase()}`)}`;
  await post(contact, {
    firstName: row['First Name'],
    lastName: row['Last Name'],
    email: row.Email.trim().toLowerCase(),
    phone: row.Phone,
    countryCode: row.Country,
  });
  if (comment) await post(`${contact}/comment`, { text: `Record ${row['Record ID']}` });
}

async function post(url, body) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).catch(
      (error) => {
        if (attempt === 5) throw error;
      },
    );
    await response?.text();
    if (response?.ok) return;
    if (response !== undefined && response.status !== 429) throw new Error(`${response.status} from ${url}`);
    await wait(Number(response?.headers.get('retry-after') ?? 1) * 1_000);
  }
}
