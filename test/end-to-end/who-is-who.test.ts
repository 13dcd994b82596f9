import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { isLong } from '../long.ts';
import { atScene, customField, type Report } from './scene.ts';
import {
  choices,
  type Expected,
  expectedOf,
  type Fate,
  type Policy,
  type Row,
  type Standing,
} from './who-is-who-model.ts';

const phone = (n: number) => `+120155501${String(n).padStart(2, '0')}`;
const email = (name: string) => `${name}@example.com`;

/** Pairs have nothing that both of them know and no row does, so that no rule but the row's decides what stays. */
const present: readonly Standing[] = [
  {
    id: 101,
    since: 1,
    firstName: 'Mai',
    email: email('mai'),
    phone: phone(1),
    City: 'Hue',
    Note: 'by e-mail',
  },
  { id: 102, since: 2, firstName: 'Phil', phone: phone(2), Note: 'by phone' },
  { id: 103, since: 3, firstName: 'Xenia', email: email('xenia'), City: 'Bern', Note: 'older' },
  { id: 104, since: 4, firstName: 'Xenia', phone: phone(4), lastName: 'Xander' },
  { id: 105, since: 5, firstName: 'Fay', email: email('fay'), City: 'Lima' },
  { id: 109, since: 8, firstName: 'Yuri', email: email('yuri'), Source: 'web' },
  { id: 110, since: 7, firstName: 'Yuri', phone: phone(10), lastName: 'Young', Note: 'older, the phone' },
  {
    id: 111,
    since: 9,
    firstName: 'Uma',
    lastName: 'Ural',
    email: email('uma'),
    phone: phone(11),
    City: 'Ufa',
  },
  { id: 120, since: 10, firstName: 'Bo', email: email('bo'), phone: phone(20), Note: 'in no row' },
];

const rows: readonly Row[] = (
  [
    // Found by e-mail only, with another phone than the contact has.
    { firstName: 'Maia', lastName: 'Mars', email: email('mai'), phone: phone(31), City: 'Hanoi' },
    // Found by phone only, with an e-mail that nobody has.
    { firstName: 'Philip', lastName: 'Post', email: email('phil'), phone: phone(2), Source: 'fair' },
    // Nobody.
    {
      firstName: 'Nina',
      lastName: 'New',
      email: email('nina'),
      phone: phone(33),
      City: 'Nice',
      Source: 'web',
    },
    // Nothing to find anybody by.
    { firstName: 'Zoe', lastName: 'Zero', City: 'Zurich' },
    // Nothing to change.
    { firstName: 'Uma', lastName: 'Ural', email: email('uma'), phone: phone(11), City: 'Ufa' },
    // E-mail and phone are two contacts.
    { firstName: 'Yuriy', lastName: 'Yak', email: email('yuri'), phone: phone(10), City: 'York' },
    // One person in two rows, the second of which is two contacts.
    { firstName: 'Xeni', lastName: 'Xu', email: email('xenia'), Source: 'mail' },
    { firstName: 'Xenia', email: email('xenia'), phone: phone(4), City: 'Basel', Source: 'desk' },
    // A chain of three, whose ends share nothing and whose link comes last.
    { firstName: 'Deir', phone: phone(41), City: 'Oslo', Source: 'list' },
    { firstName: 'Deirdre', email: email('dee'), City: 'Rome', Source: 'form' },
    { lastName: 'Doe', firstName: 'D.', email: email('dee'), phone: phone(41) },
    // Somebody who is there, in two rows.
    { firstName: 'Fay', lastName: 'Fox', email: email('fay'), City: 'Cusco' },
    { firstName: 'Faye', email: email('fay'), phone: phone(5), Source: 'call' },
  ] satisfies readonly Omit<Row, 'line'>[]
).map((row, n) => ({ line: n + 2, ...row }));

const mapping = `mapping: who-is-who
key: ID
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
customFields:
  City: { from: City, type: text }
  Source: { from: Source, type: text, keep: first }
`;

const cells: readonly Policy[] = choices.onMatch.flatMap((onMatch) =>
  choices.onConflict.flatMap((onConflict) =>
    choices.duplicates.map((duplicates) => ({ onMatch, onConflict, duplicates })),
  ),
);

/** `npm test` plays every third: of each choice some. */
const played = cells.filter((_, n) => isLong || n % 3 === 0);

describe('who is who, in every cell of the policy', () => {
  it.concurrent.each(played)(
    'onMatch $onMatch, onConflict $onConflict, duplicates $duplicates',
    async (policy) => {
      const expected = expectedOf(policy, present, rows);
      await atScene({ mapping, rows: rows.map(cellsOf), settings: { policy }, seed }, async (scene) => {
        const report = await scene.import();
        expect(sorted(standing(scene.sandbox))).toEqual(sorted(expected.contacts.map(comparable)));
        const inGroups = (fates: ReadonlyMap<number, Fate>) => byGroup(fates, expected.groups, policy);
        expect(inGroups(fatesOf(report))).toEqual(inGroups(expected.fates));
        expect(report.rows).toMatchObject({ read: rows.length, ...counted(expected.fates), notReached: 0 });
        expect(report.code).toBe(3);
        expect(scene.sandbox.counts()['POST /contact/merge']?.requests ?? 0).toBe(expected.merges);
        const proposed = (report.csv('merge-proposals.csv') ?? []).map(({ _line }) => Number(_line));
        expect(proposed.length).toBe(peopleWith('proposed', expected));
      });
    },
  );
});

const seed = {
  customFields: ['City', 'Source', 'Note'].map((name) => ({ name, dataType: 'text' as const })),
  contacts: present.map(({ id, since, City, Source, Note, ...plain }) => ({
    ...(id === 'new' ? {} : { id }),
    created_at: 1_700_000_000 + since,
    ...plain,
    custom_fields: Object.entries({ City, Source, Note }).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value }],
    ),
  })),
};

function cellsOf({ line, firstName, lastName, email, phone, City, Source }: Row): Record<string, string> {
  return {
    ID: `R${line}`,
    First: firstName ?? '',
    Last: lastName ?? '',
    Email: email ?? '',
    Phone: phone ?? '',
    City: City ?? '',
    Source: Source ?? '',
  };
}

type Comparable = Omit<Standing, 'since'>;

function comparable({ since: _, ...contact }: Standing): Comparable {
  return contact;
}

function standing(sandbox: Sandbox): Comparable[] {
  return sandbox.contacts().map((contact) => {
    const { id, firstName, lastName, email, phone } = contact;
    const [City, Source, Note] = ['City', 'Source', 'Note'].map((name) => customField(contact, name));
    const values = { firstName, lastName, email, phone, City, Source, Note };
    const present = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
    return { id: id > 120 ? 'new' : id, ...Object.fromEntries(present) };
  });
}

function sorted(contacts: readonly Comparable[]): Comparable[] {
  const key = ({ id, email, phone }: Comparable) => `${id} ${email} ${phone}`;
  return [...contacts].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function fatesOf(report: Report): ReadonlyMap<number, Fate> {
  const codes = new Map((report.csv('rejects.csv') ?? []).map(({ _line, _code }) => [Number(_line), _code]));
  return new Map(
    [...report.outcomes()].map(([line, outcome]) => {
      const code = codes.get(line);
      return [line, code === undefined ? { outcome } : { outcome, code }];
    }),
  );
}

/** Which of a person's folded rows stands for all of them is nobody's business: their fates have no order then. */
function byGroup(
  fates: ReadonlyMap<number, Fate>,
  groups: Expected['groups'],
  { duplicates }: Policy,
): { lines: readonly number[]; fates: readonly string[] }[] {
  return groups.map((lines) => {
    const inOrder = lines.map((line) => JSON.stringify(fates.get(line) ?? 'none'));
    return { lines, fates: duplicates === 'merge' ? inOrder.sort() : inOrder };
  });
}

function peopleWith(outcome: string, { groups, fates }: Expected): number {
  return groups.filter((lines) => lines.some((line) => fates.get(line)?.outcome === outcome)).length;
}

function counted(fates: ReadonlyMap<number, Fate>): Record<string, number> {
  const counts: Record<string, number> = {
    created: 0,
    updated: 0,
    merged: 0,
    folded: 0,
    unchanged: 0,
    skipped: 0,
  };
  for (const outcome of ['proposed', 'rejected', 'failed', 'uncertain', 'stale', 'filtered'])
    counts[outcome] = 0;
  for (const { outcome } of fates.values()) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
