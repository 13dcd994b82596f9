// A script in the manner of the vendor's SDK: a client with a method for each operation, awaited one after the other, that retries
// on 429 and throws on everything else. Usage: sdk-script.mjs JSON, with origin, path, comment and seconds as of plain-script.mjs.
import { createReadStream } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'csv-parse';

const { origin, path, comment = false, seconds: most = 60 } = JSON.parse(process.argv[2]);

class Client {
  #baseUrl;
  #headers;

  constructor({ baseUrl, token }) {
    this.#baseUrl = baseUrl;
    this.#headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  }

  createContact(identifier, contact) {
    return this.#post(`/contact/${encodeURIComponent(identifier)}`, contact);
  }

  createComment(identifier, text) {
    return this.#post(`/contact/${encodeURIComponent(identifier)}/comment`, { text });
  }

  async #post(path, body, attempts = 4) {
    const options = { method: 'POST', headers: this.#headers, body: JSON.stringify(body) };
    const response = await fetch(`${this.#baseUrl}${path}`, options);
    const answer = await response.json();
    if (response.ok) return answer;
    if (response.status !== 429 || attempts === 1) throw new Error(answer.message);
    await wait(Number(response.headers.get('retry-after') ?? 1) * 1_000);
    return await this.#post(path, body, attempts - 1);
  }
}

const client = new Client({ baseUrl: `${origin}/v1`, token: 'bench' });
const begun = performance.now();
const secondsSoFar = () => (performance.now() - begun) / 1_000;
let done = 0;
const failed = [];
for await (const row of createReadStream(path).pipe(parse({ columns: true }))) {
  if (secondsSoFar() > most) break;
  const identifier = `email:${row.Email}`;
  const { Email: email, Phone: phone, Country: countryCode } = row;
  const contact = { firstName: row['First Name'], lastName: row['Last Name'], email, phone, countryCode };
  try {
    await client.createContact(identifier, contact);
    if (comment) await client.createComment(identifier, `Record ${row['Record ID']}`);
  } catch {
    failed.push(row.Email);
  }
  done += 1;
}
process.stdout.write(JSON.stringify({ rows: done, failed, seconds: secondsSoFar() }));
process.exit();
