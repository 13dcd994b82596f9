/** What a code means, for somebody who sees it for the first time. */
export interface Explanation {
  /** As it is typed; `<field>` stands for `email`, `customFields.Plan` and the like. */
  readonly code: string;
  /** In one sentence. */
  readonly meaning: string;
  readonly example: string;
  /** What to do next. */
  readonly next: string;
}
