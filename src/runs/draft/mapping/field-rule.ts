import type { DataTypeName } from '../../../model/custom-field.ts';
import type { ColumnType } from '../profile/column-type.ts';
import { type Plain, percent, todo } from '../yaml/entry.ts';

/** The part of a custom field's rule that its type decides, and what to say of it. */
export interface TypedRule {
  readonly type: DataTypeName;
  readonly options: { readonly [key: string]: Plain };
  readonly words: string;
}

/** How the values of a column are read as a custom field. */
export function typedRule(type: ColumnType): TypedRule {
  const rule = ruleOf(type);
  if (type.others === 0) return rule;
  const none = `${percent(type.others, 1)} invalid: left out, and listed in dropped.csv`;
  return { ...rule, options: { ...rule.options, onInvalid: 'drop' }, words: `${rule.words}; ${none}` };
}

function ruleOf(type: ColumnType): TypedRule {
  switch (type.kind) {
    case 'email':
    case 'url':
    case 'time':
      return { type: type.kind, options: {}, words: wordsOf[type.kind] };
    case 'date':
      return dateRule(type);
    case 'number':
      return numberRule(type);
    case 'checkbox':
      return checkboxRule(type);
    case 'list':
      return listRule(type.values);
    default:
      return { type: 'text', options: {}, words: wordsOf[type.kind] };
  }
}

const wordsOf = {
  email: 'e-mail addresses',
  url: 'web addresses',
  time: 'times of day',
  phone: 'phone numbers',
  text: 'text',
  empty: 'text',
} as const;

function dateRule({ formats, either }: ColumnType & { kind: 'date' }): TypedRule {
  if (either !== undefined) {
    const [one, other] = either;
    const question = todo(
      `03/04 could be a day in March or in April; write [${one}] if the month comes first, [${other}] if the day does`,
    );
    return {
      type: 'date',
      options: { formats: monthFirst(one) ? question : swappedQuestion(one, other) },
      words: 'dates',
    };
  }
  const usual = formats.length === 1 && formats[0] === 'yyyy-MM-dd';
  return {
    type: 'date',
    options: usual ? {} : { formats: [...formats] },
    words: `dates (${formats.join(', ')})`,
  };
}

function monthFirst(format: string): boolean {
  return format.indexOf('M') < format.indexOf('d');
}

function swappedQuestion(one: string, other: string): string {
  return todo(
    `03/04 could be a day in March or in April; write [${other}] if the month comes first, [${one}] if the day does`,
  );
}

function numberRule(type: ColumnType & { kind: 'number' }): TypedRule {
  const { type: number, options, words } = plainNumberRule(type);
  const pattern = moneyPattern(type);
  if (pattern === '') return { type: number, options, words };
  const money = type.currency === '' ? words : `amounts in ${type.currency}`;
  return { type: number, options: { replace: { pattern, with: '' }, ...options }, words: money };
}

/** What is taken off an amount: its currency, and a dash in place of cents. */
function moneyPattern({
  currency,
  rounds,
}: {
  readonly currency: string;
  readonly rounds: readonly string[];
}): string {
  const parts = [
    ...(currency === '' ? [] : [`\\s*${escaped(currency)}\\s*`]),
    ...(rounds.length === 0 ? [] : ['[.,][-–—]+']),
  ];
  return parts.join('|');
}

function escaped(text: string): string {
  return text.replace(/[.$^*+?()[\]{}|\\]/g, '\\$&');
}

function plainNumberRule({ signs, either }: ColumnType & { kind: 'number' }): TypedRule {
  if (either !== undefined) {
    const sign = signs.decimal === ',' ? ',' : '.';
    const group = sign === ',' ? 'thousands: ","' : 'thousands: "."';
    const question = todo(
      `1${sign}234 could be a decimal number or one thousand two hundred and thirty-four; write '${sign}' for the first, or replace this key with ${group}`,
    );
    return { type: 'number', options: { decimal: question }, words: 'numbers' };
  }
  const { decimal, thousands } = signs;
  return {
    type: 'number',
    options: { ...(decimal && { decimal }), ...(thousands && { thousands }) },
    words: decimal === ',' ? 'numbers with a decimal comma' : 'numbers',
  };
}

function checkboxRule({ checked, unchecked }: ColumnType & { kind: 'checkbox' }): TypedRule {
  const options = {
    ...(checked.length > 0 ? { checked: [...checked] } : {}),
    ...(unchecked.length > 0 ? { unchecked: [...unchecked] } : {}),
  };
  return { type: 'checkbox', options, words: `${[...checked, ...unchecked].join(' or ')}` };
}

/** Spellings that differ in case alone become the first of them. */
function listRule(values: readonly string[]): TypedRule {
  const allowed = new Map<string, string>();
  const spelled: { [key: string]: string } = {};
  for (const value of values) {
    const first = allowed.get(value.toLowerCase());
    if (first === undefined) allowed.set(value.toLowerCase(), value);
    else spelled[value.toLowerCase()] = first;
  }
  const folded = Object.keys(spelled).length > 0 ? { values: spelled } : {};
  return {
    type: 'list',
    options: { ...folded, allowed: [...allowed.values()] },
    words: `${allowed.size} distinct`,
  };
}
