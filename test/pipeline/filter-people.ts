import type { FilterOperatorName } from '../../src/pipeline/export/filter-fields.ts';
import type { SandboxOptions } from '../../src/sandbox/index.ts';
import { seeded } from '../workspace/seeded.ts';
import { asEmail, asFlag, asMoment, asNumber, asText, type FieldRule, type Held } from './filter-model.ts';

/** The zone that filters are read in; its days begin eight hours before those of UTC. */
export const zone = 'Asia/Kuala_Lumpur';

/** A contact of the tests. */
export interface Person {
  readonly id: number;
  readonly plain: Readonly<Record<string, string | undefined>>;
  readonly tags: readonly string[];
  readonly isBlocked: boolean;
  readonly created_at: number;
  readonly custom: Readonly<Record<string, string | number | boolean>>;
}

const randomness = seeded(7);

function pick<T>(values: readonly T[]): T | undefined {
  return values[Math.floor(randomness.next() * (values.length + 1))];
}

const pools: Readonly<Record<string, readonly string[]>> = {
  firstName: ['Ada', 'ada', 'Bob "the" Builder', '=1+1'],
  lastName: ['Lovelace', 'Müller', '100%', "O'Neil"],
  language: ['en', 'ms', 'de'],
  countryCode: ['GB', 'MY', 'DE'],
  profilePic: ['https://example.com/a.png', 'https://example.com/b.png'],
  lifecycle: ['Customer', 'New Lead', 'Hot Lead'],
  assignee: ['owner@sandbox.test', 'agent@sandbox.test'],
};

const customPools = {
  text: ['x', 'It’s, well', '007', 'true'],
  number: [-5, 0, 10, 10.5, 42],
  email: ['a@example.com', 'b@example.com'],
  url: ['www.example.com', 'https://example.com/a?b=c'],
  list: ['gold', 'silver'],
  date: ['2025-12-31', '2026-01-01', '2026-02-28'],
  time: ['00:00', '09:30', '17:00'],
  checkbox: [true, false],
} as const;

const tagPool = ['vip', 'partner', 'V.I.P.', 'true'];
const firstDay = Date.parse('2025-12-31T12:00:00Z') / 1_000;
const eightHours = 28_800;

export const people: readonly Person[] = Array.from({ length: 60 }, (_, index) => ({
  id: index + 1,
  plain: {
    ...Object.fromEntries(Object.entries(pools).map(([name, values]) => [name, pick(values)])),
    email: pick([`Person${index}@example.com`, `person${index}@example.com`]),
    phone: pick([`+1202555${String(index).padStart(4, '0')}`]),
    status: pick(['open', 'closed']) ?? 'blocked',
  },
  tags: tagPool.filter(() => randomness.next() < 0.4),
  isBlocked: randomness.next() < 0.3,
  created_at: firstDay + Math.floor(randomness.next() * 9) * eightHours,
  custom: Object.fromEntries(
    Object.entries(customPools).flatMap(([name, values]) => {
      const value = pick<string | number | boolean>(values);
      return value === undefined ? [] : [[name, value]];
    }),
  ),
}));

/** The workspace of these people. */
export const seed: NonNullable<SandboxOptions['seed']> = {
  users: [
    { id: 1, firstName: 'Olive', lastName: 'Owner', email: 'owner@sandbox.test' },
    { id: 2, firstName: 'Ada', lastName: 'Agent', email: 'agent@sandbox.test' },
  ],
  customFields: (['text', 'number', 'email', 'url', 'list', 'date', 'time', 'checkbox'] as const).map(
    (dataType) => ({
      name: `A ${dataType}, v2.0`,
      dataType,
      ...(dataType === 'list' ? { allowedValues: [...customPools.list] } : {}),
    }),
  ),
  contacts: people.map(({ id, plain, tags, isBlocked, created_at, custom }) => {
    const { status, ...rest } = plain;
    return {
      id,
      ...rest,
      status: status === 'open' || status === 'closed' ? status : ('blocked' as const),
      tags: [...tags],
      isBlocked,
      created_at,
      custom_fields: Object.entries(custom).map(([type, value]) => ({ name: `A ${type}, v2.0`, value })),
    };
  }),
};

/** A field that contacts are filtered by: what a person has there, how texts are read, and which are asked for. */
export interface FilteredField {
  readonly held: (person: Person) => Held;
  readonly rule: FieldRule;
  readonly operators: readonly FilterOperatorName[];
  readonly texts: (operator: FilterOperatorName) => readonly string[];
}

const choices: readonly FilterOperatorName[] = [
  'isEqualTo',
  'isNotEqualTo',
  'exists',
  'doesNotExist',
  'hasAnyOf',
  'hasAllOf',
  'hasNoneOf',
];
const ordered: readonly FilterOperatorName[] = [...choices, 'isGreaterThan', 'isLessThan', 'isBetween'];
const moments: readonly FilterOperatorName[] = [
  ...ordered,
  'isTimestampAfter',
  'isTimestampBefore',
  'isTimestampBetween',
];

const several: readonly FilterOperatorName[] = ['hasAnyOf', 'hasAllOf', 'hasNoneOf'];
const two: readonly FilterOperatorName[] = ['isBetween', 'isTimestampBetween'];

/** One value, two, or some, as the operator takes them; the interface's commas stand in no value of several. */
function textsOf(values: readonly string[]): (operator: FilterOperatorName) => readonly string[] {
  return (operator) => {
    const single = values.filter((value) => !value.includes(','));
    const [first = '', ...rest] = single;
    const last = rest.at(-1) ?? first;
    if (two.includes(operator)) return [`${first},${last}`, `${last}, ${last}`];
    if (several.includes(operator)) return [first, `${first},${last}`, `${last}, ${first}`];
    return values;
  };
}

const field = (
  held: (person: Person) => Held,
  rule: FieldRule,
  operators: readonly FilterOperatorName[],
  values: readonly string[],
): FilteredField => ({ held, rule, operators, texts: textsOf(values) });

const plain = (name: string, values: readonly string[] = pools[name] ?? [], rule = asText) =>
  [name, field((person) => person.plain[name], rule, choices, values)] as const;

const custom = (
  type: keyof typeof customPools,
  rule: FieldRule,
  operators: readonly FilterOperatorName[] = choices,
) => {
  const held = (person: Person): Held => person.custom[type];
  return [
    `customFields.A ${type}, v2.0`,
    field(held, rule, operators, customPools[type].map(String)),
  ] as const;
};

const days = ['2026-01-01', '2026-01-02', String(firstDay + eightHours)];

/** Every field of the interface, and a custom field of every data type. */
export const fields: ReadonlyMap<string, FilteredField> = new Map([
  ['id', field(({ id }) => id, asNumber, ordered, ['7', '20', '41'])],
  plain('firstName'),
  plain('lastName'),
  [
    'email',
    field(({ plain: { email } }) => email?.toLowerCase(), asEmail, choices, [
      'PERSON3@example.com',
      'person4@example.com',
      'person5@example.com',
    ]),
  ],
  plain('phone', ['+12025550003', '+12025550004', '+12025550007']),
  plain('language'),
  plain('countryCode'),
  plain('profilePic'),
  plain('lifecycle'),
  plain('assignee'),
  plain('status', ['open', 'closed', 'blocked']),
  ['tags', field(({ tags }) => tags, asText, choices, tagPool)],
  ['isBlocked', field(({ isBlocked }) => isBlocked, asFlag, choices, ['true', 'false'])],
  ['created_at', field((person) => person.created_at, asMoment(zone), moments, days)],
  custom('text', asText),
  custom('number', asNumber, ordered),
  custom('email', asText),
  custom('url', asText),
  custom('list', asText),
  custom('date', asText, moments),
  custom('time', asText, ordered),
  custom('checkbox', asFlag),
]);
