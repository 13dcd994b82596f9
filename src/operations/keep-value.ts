import type { KeepRule } from '../model/keep.ts';

/** What two contacts that become one, and the row, say about a field; null is empty. */
export interface Said<V> {
  readonly older: V | null;
  readonly newer: V | null;
  /** undefined where the row says nothing, null where it clears. */
  readonly row: V | null | undefined;
}

/** The value that stays: by the field's rule, else the row's word, else the older contact's value, else the newer's. */
export function keptValue<V extends string | number | boolean>(
  { older, newer, row }: Said<V>,
  rule: KeepRule | undefined,
): V | string | null {
  if (rule === undefined) return row === undefined ? (older ?? newer) : row;
  const values = [older, newer, row].filter((value) => value !== null && value !== undefined);
  switch (rule.keep) {
    case 'first':
      return values[0] ?? null;
    case 'last':
      return values.at(-1) ?? null;
    case 'longest':
      return values.reduce<V | null>(
        (longest, value) => (longest === null || length(value) > length(longest) ? value : longest),
        null,
      );
    case 'union':
      return united(values, rule.join);
  }
}

function length(value: string | number | boolean): number {
  return String(value).length;
}

/** The first value with what the others add: parts that stand there already are not added again. */
function united<V extends string | number | boolean>(values: readonly V[], join: string): V | string | null {
  const [first, ...others] = values;
  if (first === undefined) return null;
  const there = new Set(parts(first, join));
  const added: string[] = [];
  for (const part of others.flatMap((value) => parts(value, join))) {
    if (there.has(part)) continue;
    there.add(part);
    added.push(part);
  }
  return added.length === 0 ? first : [String(first), ...added].join(join);
}

function parts(value: string | number | boolean, join: string): readonly string[] {
  const text = String(value);
  const all = join === '' ? [text] : text.split(join);
  return all.map((part) => part.trim()).filter((part) => part !== '');
}
