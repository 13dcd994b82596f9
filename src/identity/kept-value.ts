import type { KeepRule } from '../model/keep.ts';

type Value = string | number | boolean;

/**
 * Returns the value to keep for a field of one person: the last one in `said` unless the rule says otherwise. `said`
 * has the values of the person's rows or contacts, in order. If none of them is filled, returns the last null or empty
 * text, which clears the field; undefined if all are undefined.
 */
export function chooseKeptValue<V extends Value>(
  said: readonly (V | null | undefined)[],
  rule: KeepRule | undefined,
): V | string | null | undefined {
  const values = said.filter(isValue);
  const last = values.at(-1);
  if (last === undefined) return said.findLast((value) => value !== undefined);
  switch (rule?.keep) {
    case undefined:
    case 'last':
      return last;
    case 'first':
      return values[0];
    case 'longest':
      return longest(last, values);
    case 'union':
      // Numbers and checkboxes cannot be joined to a text.
      return values.every((value) => typeof value === 'string') ? united(values, rule.join) : last;
  }
}

/** Returns the first text, joined with those parts of the others that it does not contain. */
function united(texts: readonly string[], join: string): string {
  const [first = '', ...others] = texts;
  const there = new Set(parts(first, join));
  const added: string[] = [];
  for (const part of others.flatMap((text) => parts(text, join))) {
    if (there.has(part)) continue;
    there.add(part);
    added.push(part);
  }
  return [first, ...added].join(join);
}

function parts(text: string, join: string): readonly string[] {
  const all = join === '' ? [text] : text.split(join);
  return all.map((part) => part.trim()).filter((part) => part !== '');
}

function isValue<V extends Value>(value: V | null | undefined): value is V {
  return value !== undefined && value !== null && value !== '';
}

/** Returns the longest value; of two that are equally long, the later one. */
function longest<V extends Value>(last: V, values: readonly V[]): V {
  let best = last;
  for (const value of values.toReversed()) if (String(value).length > String(best).length) best = value;
  return best;
}
