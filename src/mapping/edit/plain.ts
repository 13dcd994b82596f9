/** A value of YAML that JSON can express. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** The keys and indices that lead to a value. */
export type YamlPath = readonly (string | number)[];

/** A changed text, or the reason why it could not be changed. */
export type YamlEditResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** Returns the result for a text that cannot be edited. */
export function createEditFailure(reason: string): YamlEditResult {
  return { ok: false, reason };
}
