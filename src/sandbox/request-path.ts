/**
 * Splits a path into its version segment (undefined if it has none) and the rest. Published clients of the service also
 * use `/v2`.
 */
export function splitApiVersion(path: string): {
  readonly version: string | undefined;
  readonly rest: string;
} {
  const [, version, rest = path] = /^\/(v[12])(\/.*)$/s.exec(path) ?? [];
  return { version, rest };
}

/** Splits a request's URL into path and query; `decoded` is undefined if a percent sequence is broken. */
export function splitUrl(url: string): {
  readonly raw: string;
  readonly decoded: string | undefined;
  readonly query: string;
} {
  const mark = url.indexOf('?');
  const raw = mark < 0 ? url : url.slice(0, mark);
  return { raw, decoded: decoded(raw), query: mark < 0 ? '' : url.slice(mark + 1) };
}

function decoded(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
