import type { ContactFieldName } from './contact.ts';

/** Which value stays where several rows or contacts are one person (design: `keep`). */
export type Keep = 'first' | 'last' | 'longest' | 'union';

/** How values are kept together: `union` joins the distinct ones with `join`. */
export interface KeepRule {
  readonly keep: Keep;
  readonly join: string;
}

/** The keep rules that a mapping states, by field; a field that is not here has none. */
export interface KeepRules {
  readonly contact: { readonly [F in ContactFieldName]?: KeepRule };
  readonly customFields: Readonly<Record<string, KeepRule>>;
}
