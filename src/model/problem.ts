/** What is wrong with a row or a cell: a value, never thrown. */
export interface Problem {
  /** `<field>.<problem>`, as `email.invalid` or `customFields.Plan.notAllowed`. */
  readonly code: string;
  /** The input column, where one is to blame. */
  readonly column: string | null;
  /** A sentence for a person: what is wrong, and what would be right. */
  readonly reason: string;
}
