/** The text on one line, without control characters: a terminal must not obey what stands in the data. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
