// The same requests as an import of new people sends, by undici's pool alone: no journal, no mapping, no pacing.
import { Pool } from 'undici';

const [origin, rows, concurrency] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const pool = new Pool(origin, { connections: concurrency });
const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' };
let next = 0;
const begun = performance.now();
await Promise.all(Array.from({ length: concurrency }, worker));
const seconds = (performance.now() - begun) / 1000;
process.send?.({ requests: rows * 3, seconds });
await pool.close();

async function worker() {
  for (;;) {
    const n = next++;
    if (n >= rows) return;
    const email = `/v1/contact/email:${encodeURIComponent(`person${n}@example.com`)}`;
    const phone = `/v1/contact/phone:${encodeURIComponent(phoneOf(n))}`;
    await Promise.all([send('GET', email), send('GET', phone)]);
    await send(
      'POST',
      email,
      JSON.stringify({
        firstName: `First${n}`,
        lastName: `Last${n}`,
        email: `person${n}@example.com`,
        phone: phoneOf(n),
        countryCode: 'US',
      }),
    );
  }
}

async function send(method, path, body) {
  const response = await pool.request({ method, path, headers, body: body ?? null });
  await response.body.text();
}

export function phoneOf(n) {
  return `+1201${String(2_000_000 + (n % 7_900_000)).padStart(7, '0')}`;
}
