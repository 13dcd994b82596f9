import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { longshore } from './command.mjs';
import { writePeople } from './people.mjs';

const contact = `mapping: bench
key: Record ID
identify: [email, phone]
contact:
  firstName: { from: First Name }
  lastName: { from: Last Name }
  email: { from: Email }
  phone: { from: Phone, country: US }
  countryCode: { from: Country }
`;

const mappings = {
  contact,
  comment: `${contact}comments: [{ name: origin, text: "Record {Record ID}" }]\n`,
  full: `${contact}lifecycle: { from: Country, values: { US: Customer }, stages: [Lead, Customer] }
assignee: { from: Country, users: { US: a@example.com } }
conversation: { status: open, existing: true }
comments:
  existing: send
  entries: [{ name: origin, text: "Record {Record ID}" }, { name: second, text: "Once more {Record ID}" }]
`,
};

/**
 * Imports people into a server. A run of the same `name` in the same folder knows the one before; `limits` and `policy` are those of
 * the pipeline, `mapping` is one of those above, `args` are further ones of the command.
 */
export async function importPeople({
  folder,
  origin,
  rows,
  name,
  limits,
  policy,
  mapping = 'contact',
  args = [],
  codes,
}) {
  const pipeline = await writePipeline({ folder, rows, name, limits, policy, mapping });
  const where = ['--workspace', `${origin}/v1`, '--work-dir', join(folder, name)];
  const ended = await longshore(['import', pipeline, ...where, ...args], { codes });
  const sent = Object.values(ended.summary.requests).reduce((sum, counts) => sum + counts.sent, 0);
  return { ...ended, sent };
}

/** Writes the pipeline of an import of so many people, with its mapping and its input. */
export async function writePipeline({ folder, rows, name, limits, policy, mapping = 'contact' }) {
  const input = await peopleFile(folder, rows);
  writeFileSync(join(folder, `${mapping}.yaml`), mappings[mapping]);
  const pipeline = join(folder, `${name}.pipeline.yaml`);
  const settings = { source: { format: 'csv', path: input }, mapping: `${mapping}.yaml`, limits, policy };
  writeFileSync(pipeline, JSON.stringify({ pipeline: name, import: settings }));
  return pipeline;
}

/** The file of so many people, written where it is not there yet. */
export async function peopleFile(folder, rows) {
  const path = join(folder, `${rows}.csv`);
  if (!existsSync(path)) await writePeople(path, rows);
  return path;
}

/** An error where the import did not create everybody. */
export function allCreated(ended, rows) {
  if (ended.summary.rows.created === rows) return ended;
  throw new Error(`${rows} created rows were expected: ${JSON.stringify(ended.summary.rows)}`);
}
