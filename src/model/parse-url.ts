/**
 * Parses a URL; undefined if the text is not a URL. `URL.canParse` is not used anywhere: on Node 20 it returns false
 * for URLs with letters such as ü once V8 has optimised the call, after about ten thousand calls.
 */
export function tryParseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    // The constructor throws only if the text is not a URL.
    return undefined;
  }
}
