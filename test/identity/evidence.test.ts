import { describe, expect, test } from 'vitest';
import { type IdentityEvidence, isRoleAddress, judgeSamePerson } from '../../src/identity/evidence.ts';
import { compareNames } from '../../src/identity/names.ts';

const side = (given: Partial<IdentityEvidence>): IdentityEvidence => ({
  ...{ key: null, email: null, phone: null, first: null, family: null },
  ...given,
});

const anna = { first: 'Anna', family: 'Meyer' };
const tom = { first: 'Tom', family: 'Meyer' };
const otto = { first: 'Otto', family: 'Schulz' };
const ivan = { first: 'Иван', family: 'Петров' };

/** The table of decisions: a line each, in its order. */
const lines: readonly (readonly [
  line: string,
  row: Partial<IdentityEvidence>,
  other: Partial<IdentityEvidence>,
  otherIs: 'row' | 'contact',
  verdict: string,
])[] = [
  [
    'key, something in common',
    { key: '1', ...anna },
    { key: '1', first: 'Anna', family: 'Schulz' },
    'row',
    'same',
  ],
  ['key, one name missing', { key: '1', ...anna }, { key: '1' }, 'contact', 'same'],
  [
    'key, e-mail equal',
    { key: '1', email: 'a@x.test', ...anna },
    { key: '1', email: 'a@x.test', ...otto },
    'row',
    'same',
  ],
  [
    'key, nothing in common, phone equal',
    { key: '1', phone: '+1', ...anna },
    { key: '1', phone: '+1', ...otto },
    'row',
    'ask',
  ],
  [
    'key, not comparable, phone equal',
    { key: '1', phone: '+1', ...anna },
    { key: '1', phone: '+1', ...ivan },
    'row',
    'same',
  ],
  [
    'key, nothing in common, nothing else equal',
    { key: '1', ...anna },
    { key: '1', ...otto },
    'contact',
    'reused',
  ],
  [
    'e-mail, the first names match in part',
    { email: 'a@x.test', first: 'Anna Maria', family: 'Meyer' },
    { email: 'a@x.test', first: 'Anna Sophie', family: 'Meyer' },
    'row',
    'ask',
  ],
  [
    'e-mail, a further first name',
    { email: 'a@x.test', first: 'Anna Maria', family: 'Meyer' },
    { email: 'a@x.test', ...anna },
    'row',
    'same',
  ],
  ['e-mail, first names differ', { email: 'a@x.test', ...anna }, { email: 'a@x.test', ...tom }, 'row', 'ask'],
  [
    'e-mail and phone, first names differ: parent and child',
    { email: 'a@x.test', phone: '+1', ...anna },
    { email: 'a@x.test', phone: '+1', ...tom },
    'row',
    'ask',
  ],
  [
    'e-mail and phone, first names differ, of a contact',
    { email: 'a@x.test', phone: '+1', ...anna },
    { email: 'a@x.test', phone: '+1', ...tom },
    'contact',
    'ask',
  ],
  [
    'e-mail, first names and phones differ',
    { email: 'a@x.test', phone: '+1', ...anna },
    { email: 'a@x.test', phone: '+2', ...tom },
    'row',
    'ask',
  ],
  [
    'e-mail, first names and phones differ, of a contact',
    { email: 'a@x.test', phone: '+1', ...anna },
    { email: 'a@x.test', phone: '+2', ...tom },
    'contact',
    'ask',
  ],
  [
    'e-mail, phones and words of names in one column differ',
    { email: 'a@x.test', phone: '+1', first: 'Anna Meyer' },
    { email: 'a@x.test', phone: '+2', first: 'Tom Meyer' },
    'row',
    'ask',
  ],
  [
    'e-mail, phones differ, one first name missing',
    { email: 'a@x.test', phone: '+1', ...anna },
    { email: 'a@x.test', phone: '+2', family: 'Meyer' },
    'row',
    'same',
  ],
  [
    'e-mail, phones and family names differ',
    { email: 'a@x.test', phone: '+1', ...anna },
    { email: 'a@x.test', phone: '+2', first: 'Anna', family: 'Schulz' },
    'row',
    'same',
  ],
  [
    'e-mail, first names differ, one phone is a further one of the other',
    { email: 'a@x.test', phone: '+1', further: ['+2'], ...anna },
    { email: 'a@x.test', phone: '+2', ...tom },
    'row',
    'ask',
  ],
  [
    'e-mail that is a further one of the other, names match',
    { email: 'a@x.test', further: ['b@x.test'], ...anna },
    { email: 'b@x.test', ...anna },
    'row',
    'same',
  ],
  [
    'e-mail that is a further one of the other, which has no name',
    { email: 'a@x.test', further: ['b@x.test'], ...anna },
    { email: 'b@x.test' },
    'row',
    'same',
  ],
  [
    'e-mail that is a further one of the other, family names differ',
    { email: 'a@x.test', further: ['b@x.test'], ...anna },
    { email: 'b@x.test', first: 'Anna', family: 'Schulz' },
    'row',
    'ask',
  ],
  [
    'e-mail that is a further one of the other, first names differ',
    { email: 'a@x.test', further: ['b@x.test'], ...anna },
    { email: 'b@x.test', ...tom },
    'row',
    'different',
  ],
  [
    'e-mail that is a further one of both, nothing in common',
    { email: 'a@x.test', further: ['b@x.test'], ...anna },
    { email: 'c@x.test', further: ['b@x.test'], ...otto },
    'row',
    'different',
  ],
  [
    'e-mail that is a further one of the row, contact without another identifier, first names differ',
    { email: 'a@x.test', further: ['b@x.test'], ...anna },
    { email: 'b@x.test', ...tom },
    'contact',
    'different',
  ],
  ['e-mail, one name missing', { email: 'a@x.test', ...anna }, { email: 'a@x.test' }, 'contact', 'same'],
  [
    'e-mail, nothing in common',
    { email: 'a@x.test', ...anna },
    { email: 'a@x.test', ...otto },
    'contact',
    'ask',
  ],
  ['e-mail, not comparable', { email: 'a@x.test', ...anna }, { email: 'a@x.test', ...ivan }, 'row', 'ask'],
  [
    'weak only, contact without another identifier',
    { phone: '+1', email: 'a@x.test', ...anna },
    { phone: '+1', ...otto },
    'contact',
    'same',
  ],
  [
    'weak only, first names match, family names match',
    { phone: '+1', email: 'a@x.test', ...anna },
    { phone: '+1', email: 'b@x.test', ...anna },
    'row',
    'same',
  ],
  [
    'weak only, first names match, one family name missing',
    { phone: '+1', email: 'a@x.test', ...anna },
    { phone: '+1', email: 'b@x.test', first: 'Anna' },
    'row',
    'same',
  ],
  [
    'weak only, no name, one lacks the other identifier',
    { phone: '+1', email: 'a@x.test', ...anna },
    { phone: '+1' },
    'row',
    'same',
  ],
  [
    'weak only, no name, both have another identifier',
    { phone: '+1', email: 'a@x.test', ...anna },
    { phone: '+1', email: 'b@x.test' },
    'contact',
    'ask',
  ],
  [
    'weak only, first names match, family names differ',
    { phone: '+1', email: 'a@x.test', ...anna },
    { phone: '+1', email: 'b@x.test', first: 'Anna', family: 'Schulz' },
    'contact',
    'ask',
  ],
  [
    'weak only, unsplit and partly equal',
    { phone: '+1', email: 'a@x.test', first: 'Anna Meyer' },
    { phone: '+1', email: 'b@x.test', first: 'Anna Schulz' },
    'contact',
    'ask',
  ],
  [
    'weak only, not comparable',
    { phone: '+1', email: 'a@x.test', ...anna },
    { phone: '+1', email: 'b@x.test', ...ivan },
    'row',
    'ask',
  ],
  [
    'weak only, first names and e-mails differ',
    { phone: '+1', email: 'a@x.test', ...anna },
    { phone: '+1', email: 'b@x.test', ...tom },
    'row',
    'different',
  ],
  [
    'weak only, two rows, first names differ, one lacks the e-mail',
    { phone: '+1', email: 'a@x.test', ...anna },
    { phone: '+1', ...tom },
    'row',
    'ask',
  ],
  [
    'a role address is weak',
    { email: 'info@x.test', phone: '+1', ...anna },
    { email: 'info@x.test', phone: '+2', ...otto },
    'row',
    'different',
  ],
  ['nothing equal', { email: 'a@x.test', ...anna }, { email: 'b@x.test', ...anna }, 'row', 'different'],
];

describe('the table of decisions', () => {
  test.each(lines)('%s', (_line, row, other, otherIs, verdict) => {
    expect(judgeSamePerson(side(row), side(other), otherIs).verdict).toBe(verdict);
    if (otherIs === 'row') expect(judgeSamePerson(side(other), side(row), otherIs).verdict).toBe(verdict);
  });
});

const names: readonly (readonly [
  one: readonly [string | null, string | null],
  other: readonly [string | null, string | null],
  match: string,
])[] = [
  [['Anna', 'Meyer'], ['anna', 'MEYER'], 'match'],
  [['José', 'Muñoz'], ['Jose', 'Munoz'], 'match'],
  [['Jörg', 'Müller'], ['Joerg', 'Mueller'], 'match'],
  [['Anna', 'Meyer'], ['Meyer', 'Anna'], 'match'],
  [['Dr. Anna', 'Meyer'], ['Anna', 'Meyer'], 'match'],
  [['A.', 'Meyer'], ['Anna', 'Meyer'], 'match'],
  [['Max', 'Meyer'], ['Maximilian', 'Meyer'], 'match'],
  [['Anna Maria', 'Meyer'], ['Anna', 'Meyer'], 'match'],
  [['Anna Meyer', null], ['Anna', 'Meyer'], 'match'],
  [['Meyer, Anna', null], ['Anna', 'Meyer'], 'match'],
  [['王小明', null], ['小明', '王'], 'match'],
  [['Joe', 'Meyer'], ['Joel', 'Meyer'], 'match'],
  [['Noé', 'Meyer'], ['Noel', 'Meyer'], 'match'],
  [['サクラ', 'タナカ'], ['さくら', 'たなか'], 'match'],
  [['さくら', '田中'], ['桜', '田中'], 'partly'],
  [['さくら', '田中'], ['美咲', '田中'], 'partly'],
  [['桜', '田中'], ['美咲', '田中'], 'family'],
  [['サクラ', 'タナカ'], ['桜', '田中'], 'incomparable'],
  [['Anna', null], ['Anna', 'Meyer'], 'match'],
  [['Anna', 'Meyer'], ['Anna', 'Schulz'], 'first'],
  [['Anna', 'Meyer'], ['Tom', 'Meyer'], 'family'],
  [['Hans Peter', 'Meyer'], ['Hans Georg', 'Meyer'], 'partly'],
  [[null, 'Meyer'], ['Anna', 'Meyer'], 'partly'],
  [['Anna Meyer', null], ['Anna Schulz', null], 'partly'],
  [['Anna Meyer', 'Meyer'], [null, 'Meyer'], 'partly'],
  [['Maximilian M', 'Meyer'], ['M Maximilian', 'Meyer'], 'match'],
  [['Anna', 'Meyer'], ['Otto', 'Schulz'], 'differ'],
  [['Anna', 'Meyer'], ['Иван', 'Петров'], 'incomparable'],
  [['Anna', 'Meyer'], ['Анна', 'Meyer'], 'partly'],
  [['Anna', 'Meyer'], ['Анна', 'Schulz'], 'incomparable'],
  [['Anna', 'Meyer'], ['Anna', 'Мейер'], 'first'],
  [['Meyer', 'Anna'], ['Анна', 'Meyer'], 'incomparable'],
  [['Unknown', null], ['Anna', 'Meyer'], 'missing'],
  [['N/A', '-'], ['Anna', 'Meyer'], 'missing'],
  [['anna@x.test', null], ['Otto', 'Schulz'], 'missing'],
  [['+49 171 1234567', null], ['Otto', 'Schulz'], 'missing'],
];

test.each(names)('%j and %j: %s', (one, other, match) => {
  const a = { first: one[0], family: one[1] };
  const b = { first: other[0], family: other[1] };
  expect(compareNames(a, b)).toBe(match);
  expect(compareNames(b, a)).toBe(match);
});

test.each(['info@x.test', 'Office@x.test', 'sales2@x.test', 'no-reply@x.test'])('%s is a role', (email) => {
  expect(isRoleAddress(email.toLowerCase())).toBe(true);
});
