import type { ContactFields } from '../../../../src/model/contact.ts';
import type { CustomValue } from '../../../../src/model/custom-field.ts';
import type { Mapped } from '../../../../src/model/draft.ts';
import type { Randomness } from '../../../../src/model/ports.ts';
import type { Row, SourceItem } from '../../../../src/model/row.ts';
import { refusedName } from './model-workspace.ts';

/** A contact without its id, as a test compares it. */
export interface Plain {
  readonly fields: Readonly<Record<string, string>>;
  readonly custom: Readonly<Record<string, CustomValue>>;
}

/** What an import is to do: who is there, and what the input says. */
export interface Scene {
  readonly there: readonly Plain[];
  readonly items: readonly SourceItem[];
}

const names = ['Ada', 'Bob', 'Cy', 'Dee'] as const;
const contactColumns = ['firstName', 'lastName', 'email', 'phone'] as const;

/** A scene drawn from all kinds of people that an import meets. */
export function drawScene(randomness: Randomness, size: number): Scene {
  const there: Plain[] = [];
  const items: SourceItem[] = [];
  const chance = (share: number) => randomness.next() < share;
  const pick = <T>(all: readonly [T, ...T[]]): T => all[Math.floor(randomness.next() * all.length)] ?? all[0];
  const add = (cells: Readonly<Record<string, string>>) => items.push(rowOf(items.length + 2, cells));

  const details = () => ({
    firstName: pick(names),
    ...(chance(0.5) ? { lastName: pick(['Lovelace', 'Stone']) } : {}),
    ...(chance(0.5) ? { Score: pick(['1', '42', '4.5']) } : {}),
    ...(chance(0.3) ? { VIP: pick(['true', 'false']) } : {}),
    ...(chance(0.3) ? { Note: pick(['hello', '42', 'true']) } : {}),
  });
  const kinds: readonly [() => void, ...(() => void)[]] = [
    () => add({ ...details(), ...identity(items.length, pick(['email', 'phone', 'both'])) }),
    () => add({ ...details(), ...identity(items.length, pick(['email', 'phone', 'both'])) }),
    // There already, as the row says or not.
    () => {
      const who = identity(items.length, pick(['email', 'phone', 'both']));
      const known = details();
      there.push(plainOf({ ...known, ...who }));
      add({ ...(chance(0.5) ? known : details()), ...who });
    },
    // Several under one phone: the first is the one.
    () => {
      const phone = phoneOf(items.length);
      there.push(plainOf({ ...details(), phone }), plainOf({ ...details(), phone }));
      add({ ...details(), phone });
    },
    // The e-mail is one contact, the phone another.
    () => {
      const { email = '', phone = '' } = identity(items.length, 'both');
      there.push(plainOf({ ...details(), email }), plainOf({ ...details(), phone }));
      add({ ...details(), email, phone });
    },
    () => add({ ...details(), firstName: refusedName, ...identity(items.length, 'both') }),
    () => {
      const who = identity(items.length, 'both');
      there.push(plainOf({ ...details(), ...who }));
      add({ firstName: refusedName, ...who });
    },
    () => add({ ...details() }),
    () =>
      items.push({
        kind: 'broken',
        line: items.length + 2,
        problem: { code: 'row.quote', column: null, reason: 'a stray quote' },
        raw: 'a,"b',
      }),
    // One person two or three times, also by way of one identifier, then the other.
    () => {
      const number = items.length;
      const first = details();
      if (chance(0.3)) there.push(plainOf({ ...details(), ...identity(number, 'both') }));
      add({ ...first, ...identity(number, pick(['email', 'both'])) });
      add({ ...(chance(0.3) ? first : details()), ...identity(number, 'both') });
      if (chance(0.5)) add({ ...details(), ...identity(number, pick(['email', 'phone', 'both'])) });
    },
  ];
  while (items.length < size) pick(kinds)();
  return { there, items };
}

function phoneOf(n: number): string {
  return `+6012345${String(n).padStart(4, '0')}`;
}

function identity(n: number, which: 'email' | 'phone' | 'both'): { email?: string; phone?: string } {
  return {
    ...(which === 'phone' ? {} : { email: `p${n}@example.test` }),
    ...(which === 'email' ? {} : { phone: phoneOf(n) }),
  };
}

function rowOf(line: number, cells: Readonly<Record<string, string>>): Row {
  return {
    kind: 'row',
    line,
    cell: (column) => cells[column],
    entries: () => Object.entries(cells),
  };
}

/** The mapping: columns are named like the fields. */
export function mapRow(row: Row): Mapped {
  const contact: Record<string, string> = {};
  const customFields: Record<string, CustomValue> = {};
  for (const [column, cell] of row.entries()) {
    if (cell === null) continue;
    if (contactColumns.some((name) => name === column)) contact[column] = cell;
    else customFields[column] = customValue(column, cell);
  }
  const values: ContactFields = contact;
  if (values.email === undefined && values.phone === undefined) {
    const reason = 'neither e-mail nor phone';
    return { ok: false, key: null, problems: [{ code: 'identity.missing', column: null, reason }] };
  }
  return {
    ok: true,
    draft: {
      key: String(row.line),
      emailAsWritten: null,
      values: { contact: values, customFields },
      defaults: { contact: { firstName: 'Unknown', language: 'en' }, customFields: {} },
      dropped: [],
    },
  };
}

function customValue(name: string, cell: string): CustomValue {
  if (name === 'Score') return Number(cell);
  return name === 'VIP' ? cell === 'true' : cell;
}

function plainOf(cells: Readonly<Record<string, string>>): Plain {
  const entries = Object.entries(cells);
  const isContact = ([name]: readonly [string, string]) => contactColumns.some((each) => each === name);
  return {
    fields: Object.fromEntries(entries.filter(isContact)),
    custom: Object.fromEntries(
      entries.filter((entry) => !isContact(entry)).map(([name, cell]) => [name, customValue(name, cell)]),
    ),
  };
}
