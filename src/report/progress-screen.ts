/** Where progress is seen: standard error, which escapes and colours what it is given. */
export interface ProgressScreen {
  /** `bar`: lines are drawn over; `plain`: a line now and then; `none`: only what is said. */
  readonly mode: 'bar' | 'plain' | 'none';
  /** Says something for good, above what is drawn. */
  say(text: string): void;
  /** Draws these lines below everything that was said, in place of those that were drawn before. */
  draw(lines: (columns: number) => readonly string[]): void;
  /** Takes away what is drawn. */
  clear(): void;
}
