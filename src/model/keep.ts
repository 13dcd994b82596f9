import type { ContactFieldName } from './contact.ts';

/** The strategy that picks a field's value where several rows or contacts are one person (`keep` in a mapping). */
export type KeepStrategy = 'first' | 'last' | 'longest' | 'union';

/** A keep strategy, and the separator with which `union` joins the distinct values. */
export interface KeepRule {
  readonly keep: KeepStrategy;
  readonly join: string;
}

/** The keep rules of a mapping, by field; a field that is absent has none. */
export interface KeepRulesByField {
  readonly contact: { readonly [F in ContactFieldName]?: KeepRule };
  readonly customFields: Readonly<Record<string, KeepRule>>;
}
