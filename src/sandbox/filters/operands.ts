import { DateTime, IANAZone } from 'luxon';
import type { SqlValue } from '../../storage/sql.ts';
import { invalid } from '../refusal.ts';
import type { DataType } from '../rules/data-types.ts';
import { emailKey } from '../rules/identifier.ts';
import { isDate, isTime } from '../rules/shapes.ts';
import type { Store } from '../store/store.ts';

/** The range of values that a filter text means: usually a single one, for a day all of its seconds. */
export interface Range {
  readonly low: SqlValue;
  readonly high: SqlValue;
}

/** A property of a contact that conditions compare, as an SQL expression. */
export interface Operand {
  readonly sql: string;
  /** `plain` has no order, `ordered` has one, `timestamp` is a point in time. */
  readonly kind: 'plain' | 'ordered' | 'timestamp';
  /** Parses the text of a condition; throws a 400 where it cannot be such a value. */
  read(text: string): Range;
}

type Reader = (text: string) => Range;

const same = (value: SqlValue): Range => ({ low: value, high: value });

const text: Reader = same;

const number: Reader = (value) => {
  const found = Number(value);
  if (value.trim() === '' || !Number.isFinite(found)) throw invalid(`"${value}" is no number`);
  return same(found);
};

const flag: Reader = (value) => {
  if (value !== 'true' && value !== 'false') throw invalid(`"${value}" must be true or false`);
  return same(value === 'true' ? 1 : 0);
};

const checked =
  (fits: (value: string) => boolean, shape: string): Reader =>
  (value) => {
    if (!fits(value)) throw invalid(`"${value}" is not of the shape ${shape}`);
    return same(value);
  };

const customKinds: { readonly [T in DataType]: readonly [Operand['kind'], Reader] } = {
  text: ['plain', text],
  email: ['plain', text],
  url: ['plain', text],
  list: ['plain', text],
  checkbox: ['plain', flag],
  number: ['ordered', number],
  time: ['ordered', checked(isTime, 'HH:MM')],
  date: ['timestamp', checked(isDate, 'yyyy-mm-dd')],
};

const plainColumns = [
  'firstName',
  'lastName',
  'phone',
  'language',
  'profilePic',
  'countryCode',
  'status',
  'lifecycle',
];

/** Returns the operand of a `contactField` condition: a field of the contact, else a custom field by name or slug. */
export function contactOperand(field: string, store: Store, zone: string): Operand {
  if (plainColumns.includes(field)) return { sql: field, kind: 'plain', read: text };
  switch (field) {
    case 'id':
      return { sql: 'id', kind: 'ordered', read: number };
    case 'email':
      return { sql: 'emailKey', kind: 'plain', read: (value) => same(emailKey(value)) };
    case 'isBlocked':
      return { sql: 'isBlocked', kind: 'plain', read: flag };
    case 'created_at':
      return { sql: 'created_at', kind: 'timestamp', read: (value) => instantsOf(value, zone) };
    case 'assignee':
      return { sql: 'assignee', kind: 'plain', read: (value) => same(userId(value, store)) };
    default:
      return customOperand(field, store);
  }
}

function customOperand(name: string, store: Store): Operand {
  const field = store.customFields.named(name) ?? store.customFields.withSlug(name);
  if (field === undefined) throw invalid(`there is no contact field and no custom field "${name}"`);
  const [kind, read] = customKinds[field.dataType];
  return { sql: `json_extract(custom, '$."${field.id}"')`, kind, read };
}

/** An id that no user has: ids begin at 1. */
const nobody = 0;

function userId(value: string, store: Store): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  return store.users.byEmail(value)?.id ?? nobody;
}

/** The first and the last second (Unix time) that a filter value means. */
export interface Instants {
  readonly low: number;
  readonly high: number;
}

export function checkZone(value: unknown): string {
  if (value === undefined) return 'UTC';
  if (typeof value !== 'string' || !IANAZone.isValidZone(value)) {
    throw invalid('timezone must be an IANA zone name');
  }
  return value;
}

/** Parses Unix seconds, `yyyy-mm-dd` (the whole day in the zone) or `yyyy-mm-ddTHH:MM[:SS][Z or ±hh:mm]`. */
export function instantsOf(text: string, zone: string): Instants {
  if (/^\d{1,12}$/.test(text)) return { low: Number(text), high: Number(text) };
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.test(text);
  const time = DateTime.fromISO(text.replace(' ', 'T'), { zone });
  if (!(isDay || isTime) || !time.isValid) {
    throw invalid(`"${text}" is no timestamp: Unix seconds, yyyy-mm-dd or yyyy-mm-ddTHH:MM:SS`);
  }
  const low = Math.floor(time.toSeconds());
  return isDay ? { low, high: Math.floor(time.endOf('day').toSeconds()) } : { low, high: low };
}
