import { setTimeout as wait } from 'node:timers/promises';

const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' };

/** Creates the person of a row as a script does, with a comment or without: a retry on 429 and where the network fails. */
export async function createPerson(origin, row, comment) {
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
