/** The place behind the quote that closes the one at `at`; behind the text where there is none. */
export function stringEnd(text: string, at: number, escapes: boolean): number {
  const quote = text.charCodeAt(at);
  for (let next = at + 1; next < text.length; next += 1) {
    const code = text.charCodeAt(next);
    if (code === 92 && escapes) next += 1;
    else if (code === quote) {
      if (text.charCodeAt(next + 1) !== quote) return next + 1;
      next += 1;
    }
  }
  return text.length + 1;
}

/** The place of the comma or bracket that ends the expression at `at`. */
export function expressionEnd(text: string, at: number, backslash: boolean): number {
  let depth = 0;
  let next = at;
  while (next < text.length) {
    const code = text.charCodeAt(next);
    if (code === 39 || code === 34 || code === 96) {
      const before = text.charCodeAt(next - 1);
      next = stringEnd(text, next, (backslash && code !== 96) || (code === 39 && (before | 32) === 101));
      continue;
    }
    if (code === 40 || code === 91 || code === 123) depth += 1;
    else if (code === 41 || code === 93 || code === 125) {
      if (depth === 0) return next;
      depth -= 1;
    } else if (code === 44 && depth === 0) return next;
    next += 1;
  }
  return next;
}
