import { keptValue } from '../identity/kept-value.ts';
import type { KeepRule } from '../model/keep.ts';

/** What two contacts that become one, and the row, say about a field; null is empty. */
export interface Said<V> {
  readonly older: V | null;
  readonly newer: V | null;
  /** undefined where the row says nothing, null where it clears. */
  readonly row: V | null | undefined;
}

/** The value that stays: by the field's rule, else the row's word, else the older contact's value, else the newer's. */
export function mergedValue<V extends string | number | boolean>(
  { older, newer, row }: Said<V>,
  rule: KeepRule | undefined,
): V | string | null {
  if (rule === undefined) return row === undefined ? (older ?? newer) : row;
  return keptValue([older, newer, row], rule) ?? null;
}
