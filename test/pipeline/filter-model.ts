import { DateTime } from 'luxon';
import type { FilterOperatorName } from '../../src/pipeline/export/filter-fields.ts';

/** What a contact has under the name of a field: nothing, a value, or (of tags) several. */
export type Held = string | number | boolean | readonly string[] | undefined;

type Value = string | number | boolean;

/** How a text of a filter is read beside a field, and how two values of it are ordered. */
export interface FieldRule {
  /** The first and the last value that the text names. */
  range(text: string): readonly [Value, Value];
}

const whole = (value: Value): readonly [Value, Value] => [value, value];

export const asText: FieldRule = { range: whole };
export const asNumber: FieldRule = { range: (text) => whole(Number(text)) };
export const asFlag: FieldRule = { range: (text) => whole(text === 'true') };
export const asEmail: FieldRule = { range: (text) => whole(text.toLowerCase()) };

/** A day is all its seconds in the zone of the filter; a number is one second. */
export function asMoment(zone: string): FieldRule {
  return {
    range(text) {
      if (/^\d+$/.test(text)) return whole(Number(text));
      const day = DateTime.fromISO(text, { zone });
      return [day.startOf('day').toUnixInteger(), day.endOf('day').toUnixInteger()];
    },
  };
}

/** Whether a contact meets one condition; the rule as a person would put it, apart from any database. */
export function meets(held: Held, rule: FieldRule, operator: FilterOperatorName, text: string): boolean {
  const values: readonly Value[] = held === undefined ? [] : typeof held === 'object' ? held : [held];
  const texts = text.split(',').map((each) => each.trim());
  const has = (one: string): boolean => {
    const [low, high] = rule.range(one);
    return values.some((value) => value >= low && value <= high);
  };
  const some = (test: (value: Value) => boolean): boolean => values.some(test);
  const between = (): boolean => {
    const [from = '', to = ''] = texts;
    return some((value) => value >= rule.range(from)[0] && value <= rule.range(to)[1]);
  };
  switch (operator) {
    case 'isEqualTo':
      return has(text);
    case 'isNotEqualTo':
      return !has(text);
    case 'exists':
      return some((value) => value !== '');
    case 'doesNotExist':
      return !some((value) => value !== '');
    case 'isTimestampAfter':
    case 'isGreaterThan':
      return some((value) => value > rule.range(text)[1]);
    case 'isTimestampBefore':
    case 'isLessThan':
      return some((value) => value < rule.range(text)[0]);
    case 'isTimestampBetween':
    case 'isBetween':
      return between();
    case 'hasAnyOf':
      return texts.some(has);
    case 'hasAllOf':
      return texts.every(has);
    case 'hasNoneOf':
      return !texts.some(has);
  }
}
