import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** The columns of the input that every peer reads. */
export const columns = ['Record ID', 'First Name', 'Last Name', 'Email', 'Phone', 'Country'];

export function emailOf(n) {
  return `person${n}@example.com`;
}

export function phoneOf(n) {
  return `+1201${2_000_000 + (n % 7_900_000)}`;
}

/** The body that creates a person. */
export function bodyOf(n) {
  return {
    ...{ firstName: `First${n}`, lastName: `Last${n}` },
    ...{ email: emailOf(n), phone: phoneOf(n), countryCode: 'US' },
  };
}

/** Writes people as a CSV. */
export async function writePeople(path, count) {
  const out = createWriteStream(path);
  out.write(`${columns.join(',')}\n`);
  for (let n = 0; n < count; n += 1)
    if (!out.write(`${n},First${n},Last${n},${emailOf(n)},${phoneOf(n)},US\n`))
      await new Promise((resolve) => out.once('drain', resolve));
  out.end();
  await finished(out);
}
