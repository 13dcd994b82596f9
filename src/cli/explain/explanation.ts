/** The explanation of a code, for a user who sees it for the first time. */
export interface CodeExplanation {
  /** The code as a user types it; `<field>` stands for `email`, `customFields.Plan` and the like. */
  readonly code: string;
  /** What the code means, in one sentence. */
  readonly meaning: string;
  readonly example: string;
  /** What to do next. */
  readonly next: string;
}

/** Explanations by code. */
export type ExplanationsByCode = Readonly<Record<string, Omit<CodeExplanation, 'code'>>>;

/** Returns explanations as a list, each with its code. */
export function toExplanationList<T>(
  byCode: Readonly<Record<string, T>>,
): readonly (T & { readonly code: string })[] {
  return Object.entries(byCode).map(([code, each]) => ({ code, ...each }));
}
