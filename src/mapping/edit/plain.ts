/** A value as YAML has it, without what JSON has not. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

/** The keys and indices that lead to a value. */
export type YamlPath = readonly (string | number)[];

/** A text that was changed, or why it could not be. */
export type Edited =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** Why a text cannot be edited. */
export function refusedEdit(reason: string): Edited {
  return { ok: false, reason };
}
