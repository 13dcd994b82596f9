import { describe, expect, it } from 'vitest';
import { decideOnMatches, type OnConflictPolicy, type OnMatchPolicy } from '../../src/identity/decide.ts';
import type { MatchedContacts } from '../../src/identity/look-up.ts';
import type { Contact } from '../../src/model/contact.ts';
import { contact } from './contact.ts';

/** A is the oldest though it has the largest id; D and E are as old as each other. */
const contacts = {
  A: contact(9, { created_at: 100 }),
  B: contact(2, { created_at: 200 }),
  C: contact(3, { created_at: 300 }),
  D: contact(4, { created_at: 400 }),
  E: contact(5, { created_at: 400 }),
  X: contact(1, { created_at: null }),
} as const;

/** `key A, email B, phone B C` as a look-up gives it. */
function found(text: string): MatchedContacts {
  return text.split(', ').flatMap((part) => {
    const [by, ...names] = part.split(' ');
    if (by !== 'key' && by !== 'email' && by !== 'phone') return [];
    const of = (name: string): Contact[] =>
      Object.entries(contacts).flatMap(([n, c]) => (n === name ? [{ ...c }] : []));
    return names.flatMap(of).map((each) => ({ by: by === 'key' ? 'id' : by, contact: each }));
  });
}

const onePerson = () => true;

const nameOf = (each: Contact): string =>
  Object.entries(contacts).find(([, { id }]) => id === each.id)?.[0] ?? '?';

/** A decision in a word or two: `B without phone`, `merge A B`, `propose A B, A C`. */
function inWords(decision: ReturnType<typeof decideOnMatches>): string {
  switch (decision.kind) {
    case 'create':
      return 'create';
    case 'update': {
      const verb = decision.only === 'empty' ? 'fill' : 'update';
      const without = decision.leaveOut === undefined ? '' : ` without ${decision.leaveOut}`;
      return `${verb} ${nameOf(decision.contact)}${without}`;
    }
    case 'merge':
      return `merge ${decision.contacts.map(nameOf).join(' ')} ${decision.only}`;
    case 'propose':
      return `propose ${decision.pairs.map((pair) => pair.map(nameOf).join(' ')).join(', ')}`;
    case 'skip':
      return `skip ${nameOf(decision.contact)}`;
    case 'reject':
      return `${decision.problem.code} ${nameOf(decision.contact)}`;
  }
}

const onConflicts = [
  'review',
  'merge',
  'prefer-email',
  'prefer-phone',
  'reject',
] as const satisfies OnConflictPolicy[];

/** Under onMatch: update, a column for each onConflict; a row for each way a look-up can end. */
const table: Readonly<Record<string, readonly [string, string, string, string, string]>> = {
  nobody: ['create', 'create', 'create', 'create', 'create'],
  'email A': ['update A', 'update A', 'update A', 'update A', 'update A'],
  'phone A': ['update A', 'update A', 'update A', 'update A', 'update A'],
  'key A': ['update A', 'update A', 'update A', 'update A', 'update A'],
  'email A, phone A': ['update A', 'update A', 'update A', 'update A', 'update A'],
  'key A, email A, phone A': ['update A', 'update A', 'update A', 'update A', 'update A'],
  // The identifiers disagree.
  'email A, phone B': [
    'propose A B',
    'merge A B',
    'update A without phone',
    'update B without email',
    'reject',
  ],
  'email B, phone A': [
    'propose A B',
    'merge A B',
    'update B without phone',
    'update A without email',
    'reject',
  ],
  'email E, phone D': [
    'propose D E',
    'merge D E',
    'update E without phone',
    'update D without email',
    'reject',
  ],
  'email X, phone B': [
    'propose B X',
    'merge B X',
    'update X without phone',
    'update B without email',
    'reject',
  ],
  // One identifier leads to several contacts.
  'email A B': ['propose A B', 'merge A B', 'propose A B', 'propose A B', 'reject'],
  'phone B A': ['propose A B', 'merge A B', 'propose A B', 'propose A B', 'reject'],
  'email A, phone A B': ['propose A B', 'merge A B', 'update A without phone', 'propose A B', 'reject'],
  'email A B, phone B': ['propose A B', 'merge A B', 'propose A B', 'update B without email', 'reject'],
  'email A B, phone A B': ['propose A B', 'merge A B', 'propose A B', 'propose A B', 'reject'],
  // The contact that an earlier run knows by the key is not the one the identifiers lead to.
  'key A, email B': ['propose A B', 'merge A B', 'update B', 'update A without email', 'reject'],
  'key A, phone B': ['propose A B', 'merge A B', 'update A without phone', 'update B', 'reject'],
  'key A, email A, phone B': [
    'propose A B',
    'merge A B',
    'update A without phone',
    'update B without email',
    'reject',
  ],
  'key A, email B, phone A': [
    'propose A B',
    'merge A B',
    'update B without phone',
    'update A without email',
    'reject',
  ],
  'key A, email B, phone B': ['propose A B', 'merge A B', 'update B', 'update B', 'reject'],
  'key A, email A B': ['propose A B', 'merge A B', 'update A', 'update A without email', 'reject'],
  'key A, phone A B': ['propose A B', 'merge A B', 'update A without phone', 'update A', 'reject'],
  'key A B': ['propose A B', 'merge A B', 'propose A B', 'propose A B', 'reject'],
  'key A B, email B': ['propose A B', 'merge A B', 'update B', 'propose A B', 'reject'],
  // More than two.
  'email B, phone A C': [
    'propose A B, A C',
    'propose A B, A C',
    'propose A B, A C',
    'propose A B, A C',
    'reject',
  ],
  'key C, email B, phone A': [
    'propose A B, A C',
    'propose A B, A C',
    'propose A B, A C',
    'propose A B, A C',
    'reject',
  ],
  'email D C B A': [
    'propose A B, A C, A D',
    'propose A B, A C, A D',
    'propose A B, A C, A D',
    'propose A B, A C, A D',
    'reject',
  ],
};

const cells = Object.entries(table).flatMap(([who, row]) =>
  onConflicts.map((onConflict, n) => [who, onConflict, row[n] ?? ''] as const),
);

describe('a decision', () => {
  it.each(cells)('where %s, under onMatch: update and onConflict: %s, is %s', (who, onConflict, expected) => {
    const decision = decideOnMatches(found(who), { onMatch: 'update', onConflict }, {}, onePerson);
    const name = found(who)[0]?.contact;
    const words = expected === 'reject' ? `identity.conflict ${name ? nameOf(name) : ''}` : expected;
    expect(inWords(decision)).toBe(words.startsWith('merge') ? `${words} changed` : words);
  });

  it.each(cells)(
    'where %s, under onMatch: fill and onConflict: %s, is the same, of empty fields only',
    (who, onConflict) => {
      const update = inWords(decideOnMatches(found(who), { onMatch: 'update', onConflict }, {}, onePerson));
      const filled = update.replace(/^update/, 'fill').replace(/changed$/, 'empty');
      expect(inWords(decideOnMatches(found(who), { onMatch: 'fill', onConflict }, {}, onePerson))).toBe(
        filled,
      );
    },
  );

  it.each(cells)(
    'where %s, under skip and reject leaves everybody alone, onConflict: %s or not',
    (who, onConflict) => {
      const [first] = found(who);
      const one = first && nameOf(first.contact);
      expect(inWords(decideOnMatches(found(who), { onMatch: 'skip', onConflict }, {}, onePerson))).toBe(
        one ? `skip ${one}` : 'create',
      );
      expect(inWords(decideOnMatches(found(who), { onMatch: 'reject', onConflict }, {}, onePerson))).toBe(
        one ? `identity.exists ${one}` : 'create',
      );
    },
  );
});

describe('contacts that are not one person among themselves', () => {
  it('are proposed where they would be merged, and everything else is as it is', () => {
    const [who, twoPeople] = [found('email A, phone B'), () => false];
    const under = (onConflict: OnConflictPolicy) =>
      inWords(decideOnMatches(who, { onMatch: 'update', onConflict }, {}, twoPeople));
    expect(onConflicts.map(under)).toEqual([
      'propose A B',
      'propose A B',
      'update A without phone',
      'update B without email',
      'identity.conflict A',
    ]);
  });
});

describe('the identifiers of merged rows that lead to two contacts', () => {
  const both: MatchedContacts = [
    { by: 'email', contact: { ...contact(1), email: 'a@example.test', phone: '+12015550101' } },
    { by: 'email', contact: { ...contact(2), email: 'b@example.test', phone: '+12015550102' } },
    { by: 'phone', contact: { ...contact(1), email: 'a@example.test', phone: '+12015550101' } },
    { by: 'phone', contact: { ...contact(2), email: 'b@example.test', phone: '+12015550102' } },
  ];
  const sent = { email: 'B@example.test', phone: '+12015550101' };

  it.each([
    ['prefer-email', 2],
    ['prefer-phone', 1],
  ] as const)(
    'under %s propose a merge, or the one that is sent decides among remembered contacts',
    (onConflict, id) => {
      const decide = (found: MatchedContacts) =>
        decideOnMatches(found, { onMatch: 'update', onConflict }, sent, onePerson);
      expect(decide(both).kind).toBe('propose');
      for (const { contact: remembered } of both)
        expect(decide([{ by: 'id', contact: remembered }, ...both])).toMatchObject({
          kind: 'update',
          contact: { id },
        });
    },
  );
});

describe('a decision says why', () => {
  const say = (who: string, onConflict: OnConflictPolicy, onMatch: OnMatchPolicy = 'update') =>
    decideOnMatches(found(who), { onMatch, onConflict }, {}, onePerson);

  it('and names the contacts and how each was found', () => {
    const where = 'the key is contact 9, the e-mail is contact 2, the phone is contact 9';
    const who = 'key A, email B, phone A';
    for (const onConflict of ['review', 'reject'] as const) {
      expect(say(who, onConflict)).toMatchObject({ problem: { reason: expect.stringContaining(where) } });
    }
    expect(say(who, 'review', 'reject')).toMatchObject({
      problem: { reason: expect.stringContaining(where) },
    });
    expect(say(who, 'prefer-email')).toMatchObject({
      note: {
        code: 'phone.leftOut',
        reason: `${where}: under onConflict: prefer-email the row goes to contact 2, and its phone is left out`,
      },
    });
  });

  it('without naming hundreds of them', () => {
    const many: MatchedContacts = Array.from({ length: 300 }, (_, n) => ({
      by: 'phone',
      contact: contact(n + 1),
    }));
    expect(decideOnMatches(many, { onMatch: 'update', onConflict: 'reject' }, {}, onePerson)).toMatchObject({
      problem: {
        reason: expect.stringContaining('the phone is contact 5 (and 295 more): they are 300 contacts'),
      },
    });
  });

  it('and has no note where nothing is left out', () => {
    expect(say('key A, email B', 'prefer-email')).not.toHaveProperty('note');
  });
});
