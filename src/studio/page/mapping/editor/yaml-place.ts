/** The position of the cursor at the end of a YAML text: the enclosing keys, and the word being typed. */
export interface YamlCursor {
  /** The enclosing keys, from the outside in; an item of a list is `[]`. */
  readonly path: readonly string[];
  readonly is: 'key' | 'value';
  readonly typed: string;
}

type Flow = { readonly kind: 'map' | 'list'; key: string | null; typed: string };

const keyAtStart = /^("[^"]*"|'[^']*'|[^\s#:{}[\],"'][^#]*?)\s*:(?:\s+|$)/;

/** Finds the cursor at the end of a text, valid or not, from its indentation and its open brackets. */
export function findYamlCursor(text: string): YamlCursor {
  let block: { readonly indent: number; readonly key: string }[] = [];
  const flow: Flow[] = [];
  let place: Omit<YamlCursor, 'path'> = { is: 'key', typed: '' };
  for (const line of text.split('\n')) {
    if (flow.length > 0) {
      scanFlow(flow, line);
      continue;
    }
    let rest = line.trimStart();
    let indent = line.length - rest.length;
    if (rest.startsWith('#')) continue;
    block = block.filter((each) => each.indent < indent);
    for (let dash = /^-(?:\s+|$)/.exec(rest)?.[0]; dash !== undefined; dash = /^-(?:\s+|$)/.exec(rest)?.[0]) {
      block.push({ indent, key: '[]' });
      rest = rest.slice(dash.length);
      indent += dash.length;
    }
    const key = keyAtStart.exec(rest);
    if (key === null) {
      place = { is: 'key', typed: rest };
      if (/^[{[]/.test(rest)) scanFlow(flow, rest);
      continue;
    }
    block.push({ indent, key: unquoted(key[1] ?? '') });
    const value = rest.slice(key[0].length);
    place = { is: 'value', typed: value };
    if (/^[{[]/.test(value)) scanFlow(flow, value);
  }
  const above = block.map(({ key }) => key);
  const inner = flow.at(-1);
  if (inner === undefined) return { path: above, ...place };
  const keys = flow.map(({ kind, key }) => (kind === 'list' ? '[]' : key)).filter((key) => key !== null);
  const is = inner.kind === 'map' && inner.key === null ? 'key' : 'value';
  return { path: [...above, ...keys], is, typed: inner.typed.trimStart() };
}

const flowTokens = /"[^"]*"?|'[^']*'?|[{}[\],]|:(?=\s|$)|[^"'{}[\],:]+|./g;

/** Updates the open brackets by those of a line; stops where all are closed. */
function scanFlow(flow: Flow[], line: string): void {
  for (const [token] of line.matchAll(flowTokens)) {
    const top = flow.at(-1);
    if (token === '{' || token === '[') {
      flow.push({ kind: token === '{' ? 'map' : 'list', key: null, typed: '' });
      continue;
    }
    if (top === undefined) return;
    if (token === '}' || token === ']') flow.pop();
    else takeInFlow(top, token);
  }
}

function takeInFlow(top: Flow, token: string): void {
  const endsKey = token === ':' && top.kind === 'map' && top.key === null;
  if (token === ',') top.key = null;
  else if (endsKey) top.key = unquoted(top.typed.trim());
  top.typed = token === ',' || endsKey ? '' : top.typed + token;
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
