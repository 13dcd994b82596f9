/** Where the end of a YAML text stands: in which keys, and what is being typed there. */
export interface YamlPlace {
  /** Keys from the outside in; an item of a list is `[]`. */
  readonly path: readonly string[];
  readonly is: 'key' | 'value';
  /** What is typed of it so far. */
  readonly typed: string;
}

type Flow = { readonly kind: 'map' | 'list'; key: string | null; token: string };

const keyAtStart = /^("[^"]*"|'[^']*'|[^\s#:{}[\],"'][^#]*?)\s*:(?:\s+|$)/;

/** Finds the place by the indentation of the lines above and the brackets that are open; it never fails. */
export function yamlPlace(text: string): YamlPlace {
  let block: { readonly indent: number; readonly key: string }[] = [];
  const flow: Flow[] = [];
  let place: Omit<YamlPlace, 'path'> = { is: 'key', typed: '' };
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
  return { path: [...above, ...keys], is, typed: inner.token.trimStart() };
}

function scanFlow(flow: Flow[], line: string): void {
  let quote = '';
  for (const [index, letter] of [...line].entries()) {
    const top = flow.at(-1);
    if (quote !== '') {
      if (letter === quote) quote = '';
      if (top) top.token += letter;
    } else if (letter === '{' || letter === '[')
      flow.push({ kind: letter === '{' ? 'map' : 'list', key: null, token: '' });
    else if (top === undefined) return;
    else if (letter === '}' || letter === ']') {
      flow.pop();
    } else if (letter === ',') {
      top.key = null;
      top.token = '';
    } else if (letter === ':' && top.kind === 'map' && top.key === null && /^(?:\s|$)/.test(line[index + 1] ?? '')) {
      top.key = unquoted(top.token.trim());
      top.token = '';
    } else {
      if ((letter === '"' || letter === "'") && top.token.trim() === '') quote = letter;
      top.token += letter;
    }
  }
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
