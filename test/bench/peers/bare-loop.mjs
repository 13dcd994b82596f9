// The limit: the requests of an import of new people by undici's pool alone, without journal, mapping or pacing.
// Usage: bare-loop.mjs JSON, with origin, rows, concurrency, requestsPerRow (1, or 3: two look-ups and the create) and seconds (the most).
import { Pool } from 'undici';
import { bodyOf, emailOf, phoneOf } from '../run/people.mjs';

const { origin, rows, concurrency, requestsPerRow, seconds: most = 60 } = JSON.parse(process.argv[2]);
const pool = new Pool(origin, { connections: concurrency });
const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' };
let next = 0;
let done = 0;
const begun = performance.now();
const secondsSoFar = () => (performance.now() - begun) / 1_000;
await Promise.all(Array.from({ length: concurrency }, worker));
const seconds = secondsSoFar();
await pool.close();
process.stdout.write(JSON.stringify({ rows: done, requests: done * requestsPerRow, seconds }));

async function worker() {
  while (next < rows && secondsSoFar() < most) {
    const n = next++;
    const path = `/v1/contact/email:${encodeURIComponent(emailOf(n))}`;
    if (requestsPerRow === 3) {
      const phone = `/v1/contact/phone:${encodeURIComponent(phoneOf(n))}`;
      await Promise.all([send('GET', path), send('GET', phone)]);
    }
    await send('POST', path, JSON.stringify(bodyOf(n)));
    done += 1;
  }
}

async function send(method, path, body = null) {
  const response = await pool.request({ method, path, headers, body });
  await response.body.text();
}
