/**
 * The version segment that a path begins with, and the path behind it; a path without one is whole. Published clients of the
 * service also use `/v2`.
 */
export function versionOf(path: string): { readonly version: string | undefined; readonly rest: string } {
  const [, version, rest = path] = /^\/(v[12])(\/.*)$/s.exec(path) ?? [];
  return { version, rest };
}

/** The parts of a request's address; `decoded` is undefined where a percent sequence is broken. */
export function pathOf(url: string): {
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
