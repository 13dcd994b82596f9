import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../src/sandbox/index.ts';

/** A made-up input of people, of whom every fourth is in the workspace already, and what must come of it. */
export interface People {
  readonly pipeline: string;
  readonly rows: number;
  readonly seed: Parameters<Sandbox['add']>[0];
  /** By e-mail: the contact as it must stand in the end. */
  readonly expected: ReadonlyMap<string, Wanted>;
}

export interface Wanted {
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly Score: string;
  readonly Note: string | null;
}

/** Writes input, mapping and pipeline into `folder`. */
export function writePeople(folder: string, rows: number, limits: string, policy?: string): People {
  mkdirSync(folder, { recursive: true });
  const lines = ['ID,First,Last,Email,Phone,Score'];
  const expected = new Map<string, Wanted>();
  const contacts = [];
  for (let n = 0; n < rows; n += 1) {
    const email = `person${n}@example.com`;
    const phone = `+1201${String(5_550_000 + n).padStart(7, '0')}`;
    const wanted = { firstName: `First${n}`, lastName: `Last${n}`, phone, Score: String(n), Note: null };
    lines.push(`${n},${wanted.firstName},${wanted.lastName},${email},${phone},${n}`);
    if (n % 4 === 3) {
      // Every eighth has nothing to change; the others lose nothing of what the row does not name.
      const same = n % 8 === 7;
      contacts.push({
        firstName: wanted.firstName,
        lastName: same ? wanted.lastName : 'Before',
        email,
        ...(same ? { phone } : {}),
        custom_fields: [
          { name: 'Score', value: same ? n : 9_999 },
          { name: 'Note', value: `kept ${n}` },
        ],
      });
      expected.set(email, { ...wanted, Note: `kept ${n}` });
    } else expected.set(email, wanted);
  }
  writeFileSync(join(folder, 'people.csv'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'mapping.yaml'), mapping);
  const pipeline = join(folder, 'pipeline.yaml');
  writeFileSync(pipeline, pipelineWith(limits, policy));
  const customFields = [
    { name: 'Score', dataType: 'number' as const },
    { name: 'Note', dataType: 'text' as const },
  ];
  return { pipeline, rows, seed: { customFields, contacts }, expected };
}

const mapping = `mapping: people
key: ID
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
customFields:
  Score: { from: Score, type: number }
`;

const pipelineWith = (limits: string, policy: string | undefined) => `pipeline: people
import:
  source: { format: csv, path: people.csv }
  mapping: mapping.yaml
  limits: ${limits}
${policy === undefined ? '' : `  policy: ${policy}\n`}`;

/** What stands in the workspace, by e-mail; somebody who is there twice stands here twice. */
export function standing(sandbox: Sandbox): [email: string, contact: Wanted][] {
  return sandbox.contacts().map((contact) => {
    const custom = new Map(contact.custom_fields.map(({ name, value }) => [name, value]));
    const { email, firstName, lastName, phone } = contact;
    return [
      email ?? '',
      {
        firstName: firstName ?? '',
        lastName: lastName ?? '',
        phone: phone ?? '',
        Score: custom.get('Score') ?? '',
        Note: custom.get('Note') ?? null,
      },
    ];
  });
}

/** In the order of their e-mails, for a comparison that shows what differs. */
export function inOrder<T>(entries: Iterable<[string, T]>): [string, T][] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
