/**
 * The requests that a rule applies to: by method and by path, where `*` matches anything; absent properties match all.
 */
export interface RequestPattern {
  readonly method?: string | undefined;
  /** Matched against the decoded path and the template, both without `/v1`. */
  readonly path?: string | undefined;
}

export type RequestMatcher = (method: string, path: string, template: string) => boolean;

export function createRequestMatcher(pattern: RequestPattern): RequestMatcher {
  const method = pattern.method?.toUpperCase();
  if (pattern.path === undefined) return (m) => method === undefined || m === method;
  const literal = pattern.path.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^${literal.join('.*')}$`, 's');
  return (m, path, template) =>
    (method === undefined || m === method) && (expression.test(path) || expression.test(template));
}
