import { messagesOf, type SeedOf } from './messages.ts';
import { longText, nastyTexts } from './nasty.ts';
import { type Dice, dice } from './randomness.ts';

type SeedContact = NonNullable<SeedOf['contacts']>[number];

const users: SeedOf['users'] = [
  { id: 31, firstName: 'Jane', lastName: 'Doe', email: 'jane@example.com', role: 'manager' },
  { id: 32, firstName: 'Żółć', lastName: "O'Neil, Jr.", email: 'max@example.com', team: null },
  { id: 33, firstName: '=1+1', lastName: '', email: 'eve@example.com', restrictions: ['a', 'b, c'] },
];

const plans = ['gold', 'silver, plated', '=bronze', "'tin", 'Größe 3'];

/** Of every data type, with names that a file could get wrong. */
const customFields: NonNullable<SeedOf['customFields']> = [
  { id: 301, name: 'Company', dataType: 'text', description: 'Where they work' },
  { id: 302, name: 'Notes, "long"\nand = nasty', dataType: 'text' },
  { id: 303, name: '=Formula', dataType: 'text' },
  { id: 304, name: 'email', dataType: 'email' },
  { id: 305, name: 'Score', dataType: 'number' },
  { id: 306, name: 'Plan', dataType: 'list', allowedValues: plans },
  { id: 307, name: 'Birth.day', dataType: 'date' },
  { id: 308, name: 'Call at', dataType: 'time' },
  { id: 309, name: 'Opted in', dataType: 'checkbox' },
  { id: 310, name: 'Website', dataType: 'url' },
  { id: 311, name: 'constructor', dataType: 'text' },
  { id: 312, name: 'Größe 日本 😀', dataType: 'text' },
  { id: 313, name: 'Never filled', dataType: 'text' },
];

const numbers = [0, -5, 42, 0.1, -1234.5678, 9_007_199_254_740_991, 1_000_000, 3.14];

function customValues(
  dice: Dice,
  n: number,
  text: () => string,
  whole: boolean,
): SeedContact['custom_fields'] {
  if (n % 11 === 0) return [];
  const values: [name: string, value: string | number | boolean | null][] = [
    ['Company', dice.below(3) === 0 ? null : text()],
    ['Notes, "long"\nand = nasty', n === 40 && whole ? longText : text()],
    ['=Formula', text()],
    ['email', `second.${n}@example.com`],
    ['Score', whole && n % 97 === 0 ? dice.pick([1e21, 1e-7]) : dice.pick([0, ...numbers])],
    ['Plan', dice.pick(['gold', ...plans])],
    ['Birth.day', dice.pick(['1985-12-10', '2000-02-29', '1899-12-31', '1900-03-01', '2100-01-01'])],
    ['Call at', dice.pick(['00:00', '09:30', '23:59'])],
    ['Opted in', dice.below(2) === 0],
    ['Website', dice.pick(['www.example.com', 'https://example.com/a?b=c,d', 'example.test'])],
    ['constructor', text()],
    ['Größe 日本 😀', text()],
  ];
  return values.filter(() => dice.below(4) > 0).map(([name, value]) => ({ name, value }));
}

/** How somebody can be reached: every 40th in no way, many by one of two. */
function identifiers(n: number): Pick<SeedContact, 'email' | 'phone'> {
  const email = n % 5 === 0 ? `Pérson.${n}@Example.com` : `p${n}@example.com`;
  const phone = `+1201${5_550_000 + n}`;
  if (n % 40 === 39) return {};
  return [{ email }, { email, phone }, { phone, email: null }, { email, phone: null }][n % 4] ?? { email };
}

function contactOf(dice: Dice, n: number, id: number, whole: boolean): SeedContact {
  const text = (): string => nastyTexts[dice.below(nastyTexts.length)] ?? '';
  const blocked = n % 29 === 28;
  return {
    id,
    firstName: n % 17 === 16 ? null : n % 3 === 0 ? text() : `First ${n}`,
    lastName: n % 7 === 6 ? null : n % 2 === 0 ? `Läst "${n}"` : text(),
    ...identifiers(n),
    language: dice.pick(['en', 'fr', 'ms', null]),
    profilePic: dice.pick([null, null, `https://pics.example.com/${n}.png?a=1&b=%20`]),
    countryCode: dice.pick(['US', 'MY', null]),
    custom_fields: customValues(dice, n, text, whole),
    status: blocked ? 'blocked' : dice.pick(['open', 'closed']),
    tags: Array.from({ length: dice.below(3) === 0 ? dice.below(11) : 0 }, (_, place) => tagOf(n, place)),
    assignee: dice.pick([null, 'jane@example.com', 'max@example.com', 'eve@example.com']),
    lifecycle: dice.pick([null, 'New Lead', 'Customer', '=Cold, "lead"']),
    created_at: 1_500_000_000 + n * 61,
    isBlocked: blocked,
  };
}

function tagOf(n: number, place: number): string {
  return place === 0
    ? (['vip', 'trade fair', '=tag', 'a;b, c', '日本 😀'][n % 5] ?? 'vip')
    : `tag ${(n + place) % 12}`;
}

export interface BigWorkspace {
  readonly contacts: number;
  readonly messages: number;
  /** Also what a file can hold and an import cannot take; on unless stated. */
  readonly whole?: boolean;
  readonly seed?: number;
}

/** A workspace with every contact field and every message in all the shapes that they come in; the same for the same seed. */
export function bigWorkspace({ contacts, messages, whole = true, seed = 1 }: BigWorkspace): SeedOf {
  const rolls = dice(seed);
  // Contacts were deleted in between, and one has the largest id that the sandbox takes.
  const ids = Array.from({ length: contacts }, (_, n) =>
    n === contacts - 1 ? 999_999_999_999_999 : 100_000_000 + n * 3,
  );
  return {
    users,
    customFields,
    closingNotes: [
      { category: 'Resolved', description: 'The matter is settled.' },
      { category: '=Spam, "and" more', description: null },
    ],
    tags: [{ id: 501, name: 'vip', description: 'Very important', emoji: '⭐', colorCode: '#ff0000' }],
    channels: [{ id: 1, templates: [{ id: 701, name: 'order_update' }] }, { id: 2 }],
    contacts: ids.map((id, n) => contactOf(rolls, n, id, whole)),
    messages: messagesOf(ids, messages, rolls, whole),
  };
}
