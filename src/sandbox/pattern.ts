/** Which requests a rule is about: `method` and `path` as they stand, `*` in a path for anything; absent means every. */
export interface RequestPattern {
  readonly method?: string | undefined;
  /** Matched against the decoded path and the template, both without `/v1`. */
  readonly path?: string | undefined;
}

export type Matcher = (method: string, path: string, template: string) => boolean;

export function matcherOf(pattern: RequestPattern): Matcher {
  const method = pattern.method?.toUpperCase();
  if (pattern.path === undefined) return (m) => method === undefined || m === method;
  const literal = pattern.path.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^${literal.join('.*')}$`, 's');
  return (m, path, template) =>
    (method === undefined || m === method) && (expression.test(path) || expression.test(template));
}
