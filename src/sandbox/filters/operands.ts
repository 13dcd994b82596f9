import { DateTime, IANAZone } from 'luxon';
import type { SqlValue } from '../../storage/sql.ts';
import { createValidationError } from '../api-error.ts';
import type { FieldDataType } from '../rules/data-types.ts';
import { toEmailKey } from '../rules/identifier.ts';
import { isDate, isTime } from '../rules/shapes.ts';
import type { SandboxStore } from '../store/store.ts';

/** The range of values that a filter text means: usually a single one, for a day all of its seconds. */
export interface ValueRange {
  readonly low: SqlValue;
  readonly high: SqlValue;
}

/** A property of a contact that conditions compare, as an SQL expression. */
export interface FilterOperand {
  readonly sql: string;
  /** `plain` has no order, `ordered` has one, `timestamp` is a point in time. */
  readonly kind: 'plain' | 'ordered' | 'timestamp';
  /** Parses the text of a condition; throws a 400 for a text that is not a value of this operand. */
  read(text: string): ValueRange;
}

type Reader = (text: string) => ValueRange;

const same = (value: SqlValue): ValueRange => ({ low: value, high: value });

const text: Reader = same;

const number: Reader = (value) => {
  const found = Number(value);
  if (value.trim() === '' || !Number.isFinite(found)) throw createValidationError(`"${value}" is no number`);
  return same(found);
};

const flag: Reader = (value) => {
  if (value !== 'true' && value !== 'false') throw createValidationError(`"${value}" must be true or false`);
  return same(value === 'true' ? 1 : 0);
};

const checked =
  (fits: (value: string) => boolean, shape: string): Reader =>
  (value) => {
    if (!fits(value)) throw createValidationError(`"${value}" is not of the shape ${shape}`);
    return same(value);
  };

const customKinds: { readonly [T in FieldDataType]: readonly [FilterOperand['kind'], Reader] } = {
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

/**
 * Returns the operand of a contact field, or of the custom field with that name or slug; throws a 400 if there is
 * neither.
 */
export function resolveContactOperand(field: string, store: SandboxStore, zone: string): FilterOperand {
  if (plainColumns.includes(field)) return { sql: field, kind: 'plain', read: text };
  switch (field) {
    case 'id':
      return { sql: 'id', kind: 'ordered', read: number };
    case 'email':
      return { sql: 'emailKey', kind: 'plain', read: (value) => same(toEmailKey(value)) };
    case 'isBlocked':
      return { sql: 'isBlocked', kind: 'plain', read: flag };
    case 'created_at':
      return { sql: 'created_at', kind: 'timestamp', read: (value) => parseTimestampRange(value, zone) };
    case 'assignee':
      return { sql: 'assignee', kind: 'plain', read: (value) => same(userId(value, store)) };
    default:
      return customOperand(field, store);
  }
}

function customOperand(name: string, store: SandboxStore): FilterOperand {
  const field = store.customFields.named(name) ?? store.customFields.withSlug(name);
  if (field === undefined)
    throw createValidationError(`there is no contact field and no custom field "${name}"`);
  const [kind, read] = customKinds[field.dataType];
  return { sql: `json_extract(custom, '$."${field.id}"')`, kind, read };
}

/** An id that no user has: ids begin at 1. */
const noUserId = 0;

function userId(value: string, store: SandboxStore): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  return store.users.byEmail(value)?.id ?? noUserId;
}

/** The first and the last second (Unix time) that a filter value means. */
export interface TimestampRange {
  readonly low: number;
  readonly high: number;
}

export function parseTimeZone(value: unknown): string {
  if (value === undefined) return 'UTC';
  if (typeof value !== 'string' || !IANAZone.isValidZone(value)) {
    throw createValidationError('timezone must be an IANA zone name');
  }
  return value;
}

/**
 * Parses Unix seconds, `yyyy-mm-dd` (the whole day in the zone) or `yyyy-mm-ddTHH:MM[:SS][Z or ±hh:mm]`;
 * throws a 400 for any other text.
 */
export function parseTimestampRange(text: string, zone: string): TimestampRange {
  if (/^\d{1,12}$/.test(text)) return { low: Number(text), high: Number(text) };
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.test(text);
  const time = DateTime.fromISO(text.replace(' ', 'T'), { zone });
  if (!(isDay || isTime) || !time.isValid) {
    throw createValidationError(`"${text}" is no timestamp: Unix seconds, yyyy-mm-dd or yyyy-mm-ddTHH:MM:SS`);
  }
  const low = Math.floor(time.toSeconds());
  return isDay ? { low, high: Math.floor(time.endOf('day').toSeconds()) } : { low, high: low };
}
