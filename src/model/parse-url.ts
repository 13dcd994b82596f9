/**
 * Parses a URL; undefined if the text is none. `URL.canParse` is not used anywhere: on Node 20 it returns false for URLs
 * with letters such as ü as soon as V8 has optimised the call, after some ten thousand of them.
 */
export function tryParseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    // The only error of this constructor is that the text is no URL.
    return undefined;
  }
}
