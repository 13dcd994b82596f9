import fc from 'fast-check';
import type { SandboxOptions } from '../../../src/sandbox/index.ts';

type Seed = Exclude<SandboxOptions['seed'], string | undefined>;
type ContactSeed = NonNullable<Seed['contacts']>[number];

/** A row of the input as it is generated. */
interface Person {
  /** Whether it has the key of the row before it. */
  readonly again: boolean;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly plan: string;
  readonly born: string;
  readonly tags: string;
  readonly stage: string;
  readonly owner: string;
  readonly note: string;
}

/** An import with what comes after it, generated: conflicts, duplicates, chains, bad rows, deferred steps, a delta. */
export interface Case {
  readonly mapping: string;
  readonly settings: readonly string[];
  readonly rows: readonly string[];
  /** The same input later. */
  readonly later: readonly string[];
  readonly seed: Seed;
  readonly sandbox: {
    readonly customFieldArrays: 'replace' | 'merge';
    readonly existing: 'refuse' | 'duplicate';
  };
  readonly deferred: readonly string[];
  /** Whether each import is given its plan. */
  readonly agreed: boolean;
  /** After how many writes an import is interrupted. */
  readonly cut: number;
}

const columns = ['name', 'email', 'phone', 'plan', 'born', 'tags', 'stage', 'owner', 'note'] as const;

/** A few of each, so that rows and contacts meet. */
const some = (values: readonly string[]) => fc.constantFrom('', ...values);
const emails = some(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((name) => `${name}@example.test`));
const phones = some([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `+6012345678${n}`));

const born = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('1960-02-03', '1988-07-09') },
);

const person: fc.Arbitrary<Person> = fc.record({
  again: fc.oneof({ weight: 7, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  name: some(['Ann', 'Ann', 'ANN', 'A.', 'Bo']),
  email: fc.oneof({ weight: 24, arbitrary: emails }, { weight: 1, arbitrary: fc.constant('not an e-mail') }),
  phone: fc.oneof({ weight: 24, arbitrary: phones }, { weight: 1, arbitrary: fc.constant('12') }),
  plan: some(['gold', 'silver', 'none of these']),
  born,
  tags: some(['vip', 'vip;new', 'old']),
  stage: some(['Customer', 'New Lead']),
  owner: some(['1', '2']),
  note: some(['called', 'wrote']),
});

const there = fc.record({
  firstName: fc.constantFrom('Ann', 'A.', 'Bo', 'B.', 'Di', 'D.'),
  email: emails,
  phone: phones,
  plan: some(['gold', 'silver']),
  born,
  status: fc.constantFrom('open', 'closed'),
  lifecycle: some(['Customer']),
  assignee: some(['1']),
});

const policies = fc.record({
  onMatch: fc.constantFrom('update', 'update', 'fill', 'skip', 'reject'),
  onConflict: fc.constantFrom('merge', 'merge', 'review', 'prefer-email', 'prefer-phone', 'reject'),
  duplicates: fc.constantFrom('merge', 'merge', 'first', 'last', 'reject'),
  lookup: fc.constantFrom('auto', 'single', 'snapshot'),
});

const made = fc.record({
  people: fc.array(person, { minLength: 4, maxLength: 14 }),
  laterPeople: fc.array(person, { minLength: 0, maxLength: 4 }),
  there: fc.array(there, { minLength: 2, maxLength: 12 }),
  policy: policies,
  keyed: fc.boolean(),
  attach: fc.constantFrom('extension', 'file'),
  deferred: fc.subarray(['lifecycle', 'assignee', 'conversation']),
  existing: fc.boolean(),
  createField: fc.boolean(),
  customFieldArrays: fc.constantFrom('replace', 'merge'),
  twins: fc.constantFrom('refuse', 'duplicate'),
  agreed: fc.boolean(),
  cut: fc.integer({ min: 1, max: 12 }),
});

type Made = typeof made extends fc.Arbitrary<infer T> ? T : never;

export const cases: fc.Arbitrary<Case> = made.map(caseOf);

type There = Made['there'][number];

const said = (name: string, email: string, phone = '', more: Partial<Person> = {}): Person => ({
  ...{ again: false, name, phone, plan: 'gold', born: '', tags: 'vip', stage: '', owner: '', note: 'called' },
  ...{ email: email && `${email}@example.test`, ...more },
});
const standing = (firstName: There['firstName'], email: string, phone = ''): There => ({
  ...{ firstName, phone, plan: 'silver', born: '', status: 'open', lifecycle: '', assignee: '' },
  email: email && `${email}@example.test`,
});
const phone = (n: number) => `+6012345678${n}`;

/** A case with each kind of decision about who is who: the few that `npm test` draws may miss one. */
export const everyDecision: Case = caseOf({
  people: [
    // One person in two rows.
    ...[said('Ann', 'a', phone(1)), said('ANN', 'a')],
    // The contact of which one phone is known.
    said('Bo', 'b', phone(2)),
    // Two people with one phone, and a third one of whom it is asked.
    ...[said('Cy', 'c', phone(3)), said('Ann', 'd', phone(3)), said('Bo', 'c')],
    // A key of two people.
    ...[said('Ann', 'e'), said('Cy', 'f', '', { again: true })],
    // One contact, one in question, and two that are merged.
    ...[said('Bo', 'g'), said('Cy', 'h'), said('Di', 'i', phone(5))],
  ],
  // The key of another one, and a name that differs a little.
  laterPeople: [said('Cy', 'j'), said('A.', 'a'), said('Bo', 'b', phone(6), { note: 'wrote' })],
  there: [
    ...[standing('Di', '', phone(2)), standing('B.', 'g'), standing('Ann', 'h')],
    ...[standing('D.', 'i'), standing('Di', '', phone(5))],
  ],
  policy: { onMatch: 'update', onConflict: 'merge', duplicates: 'merge', lookup: 'snapshot' },
  ...{ keyed: true, attach: 'extension', deferred: ['lifecycle'], existing: true, createField: false },
  ...{ customFieldArrays: 'merge', twins: 'refuse', agreed: true, cut: 5 },
});

function caseOf(of: Made): Case {
  const { people, laterPeople, policy, deferred } = of;
  return {
    mapping: mappingOf(of),
    settings: [
      `  policy: { onMatch: ${policy.onMatch}, onConflict: ${policy.onConflict}, duplicates: ${policy.duplicates}, lookup: ${policy.lookup}, maxErrors: 100% }`,
      '  extensions: { attachTags: { method: POST, path: "/contact/{identifier}/tag", body: tags } }',
      // One after the other: where rows lead to one contact, which one is last cannot be predicted.
      '  limits: { settle: 2s, concurrency: 1 }',
      ...(deferred.length > 0 ? [`  deferred: [${deferred.join(', ')}]`] : []),
    ],
    rows: linesOf(people),
    // Some rows of before are as they were, some are others, some are gone.
    later: linesOf(people.map((row, n) => laterPeople[n] ?? row)),
    seed: seedOf(of.there, of.createField),
    sandbox: { customFieldArrays: of.customFieldArrays, existing: of.twins },
    deferred,
    agreed: of.agreed,
    cut: of.cut,
  };
}

function linesOf(people: readonly Person[]): readonly string[] {
  return [
    `Id,${columns.join(',')}`,
    ...people.map(
      (row, n) => `${row.again ? Math.max(1, n) : n + 1},${columns.map((column) => row[column]).join(',')}`,
    ),
  ];
}

function mappingOf(made: {
  readonly keyed: boolean;
  readonly attach: string;
  readonly existing: boolean;
  readonly createField: boolean;
}): string {
  return `mapping: generated
${made.keyed ? 'key: Id\n' : ''}contact:
  firstName: { from: name, default: Unknown }
  email: { from: email, onInvalid: reject }
  phone: { from: phone, country: MY, onInvalid: drop }
customFields:
  Plan: { from: plan, type: list, allowed: [gold, silver], onInvalid: drop${made.createField ? ', create: true' : ''} }
  Born: { from: born, type: date, birthDate: true }
tags: { from: tags, split: ";", attach: ${made.attach} }
lifecycle: { from: stage }
assignee: { from: owner }
conversation: { status: closed, existing: ${made.existing} }
comments:
  existing: ${made.existing ? 'send' : 'skip'}
  entries: [{ name: note, text: "{note}" }]
`;
}

function seedOf(
  people: readonly {
    readonly firstName: string;
    readonly email: string;
    readonly phone: string;
    readonly plan: string;
    readonly born: string;
    readonly status: string;
    readonly lifecycle: string;
    readonly assignee: string;
  }[],
  createField: boolean,
): Seed {
  const contacts: ContactSeed[] = people.map((each, n) => ({
    id: 10 + n,
    created_at: 1_700_000_000 + n,
    firstName: each.firstName,
    ...(each.email !== '' && { email: each.email }),
    ...(each.phone !== '' && { phone: each.phone }),
    ...(each.lifecycle !== '' && { lifecycle: each.lifecycle }),
    custom_fields: [
      ...(each.plan !== '' && !createField ? [{ name: 'Plan', value: each.plan }] : []),
      ...(each.born !== '' ? [{ name: 'Born', value: each.born }] : []),
    ],
  }));
  const plan = { id: 1, name: 'Plan', dataType: 'list' as const, allowedValues: ['gold', 'silver'] };
  const born = { id: 2, name: 'Born', dataType: 'date' as const };
  return { contacts, customFields: createField ? [born] : [plan, born] };
}
