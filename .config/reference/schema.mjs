// A JSON Schema as lines of a table: one for each key, by its path.

/** Every key below a schema: `{ path, takes, needed, text, initial }`, in the order of the schema. */
export function keysOf(schema, defs, path = '', seen = new Map()) {
  return linesBelow(schema, defs, path, seen).lines;
}

/** The lines, or where the same keys are listed already: those of a comment, or of a join, are listed once. */
function linesBelow(schema, defs, path, seen) {
  const lines = [];
  let same;
  for (const { schema: object, suffix } of objectsIn(schema, defs)) {
    const print = JSON.stringify(object.properties);
    if (seen.has(print)) {
      same ??= seen.get(print);
      continue;
    }
    seen.set(print, `${path}${suffix}`);
    for (const [key, property] of Object.entries(object.properties)) {
      if (isForbidden(property)) continue;
      const at = join(`${path}${suffix}`, key);
      const below = linesBelow(property, defs, at, seen);
      const line = lineOf(at, key, property, object, defs);
      const before =
        below.lines.length === 0 && below.same ? ` The keys are those of \`${below.same}\`.` : '';
      lines.push({ ...line, text: `${line.text}${before}` }, ...below.lines);
    }
  }
  return { lines: unique(lines), same };
}

/** The table of such lines. */
export function table(lines) {
  return [
    '| key | takes | left out | meaning |',
    '|---|---|---|---|',
    ...lines.map(({ path, takes, needed, text, initial, same }) => {
      const absent = initial === undefined ? (needed ? 'required' : '') : code(initial);
      return `| \`${path}\` | ${takes} | ${absent} | ${cell(text)}${same === undefined ? '' : ` The keys are those of \`${same}\`.`} |`;
    }),
  ].join('\n');
}

/** Keys that all of several objects have alike, and the rest of each by its name. */
export function sharedAndOwn(variants) {
  const [first = [], ...others] = Object.values(variants);
  const print = ({ same, ...line }) => JSON.stringify(line);
  const shared = first.filter((line) =>
    others.every((lines) => lines.some((each) => print(each) === print(line))),
  );
  const isShared = new Set(shared.map(print));
  const own = Object.fromEntries(
    Object.entries(variants).map(([name, lines]) => [
      name,
      lines.filter((line) => !isShared.has(print(line))),
    ]),
  );
  return { shared, own };
}

/** A text within a cell of a Markdown table. */
export function cell(text) {
  const parts = text.replaceAll('|', '\\|').replaceAll('\n', ' ').split('`');
  // Every second part is code.
  return parts
    .map((part, n) => (n % 2 === 0 ? part.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : part))
    .join('`')
    .trim();
}

function lineOf(path, key, property, parent, defs) {
  const resolved = resolve(property, defs);
  return {
    path,
    takes: takes(property, defs),
    needed: (parent.required ?? []).includes(key),
    text: property.description ?? resolved.description ?? '',
    initial: initialOf(property),
  };
}

function initialOf({ default: value }) {
  if (value === undefined) return undefined;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0 ? undefined : value;
}

/** The objects with keys of their own that a value can be, and how the path to their keys goes on. */
function objectsIn(schema, defs, suffix = '', depth = 0) {
  if (depth > 6) return [];
  const s = resolve(schema, defs);
  if (s.properties !== undefined) return [{ schema: s, suffix }];
  if (Array.isArray(s.anyOf ?? s.oneOf))
    return (s.anyOf ?? s.oneOf).flatMap((each) => objectsIn(each, defs, suffix, depth + 1));
  if (s.items !== undefined) return objectsIn(s.items, defs, `${suffix}[]`, depth + 1);
  if (typeof s.additionalProperties === 'object')
    return objectsIn(s.additionalProperties, defs, `${suffix}.NAME`, depth + 1);
  return [];
}

/** What a value can be, in words. */
function takes(schema, defs, depth = 0) {
  const s = resolve(schema, defs);
  if (s.const !== undefined) return code(s.const);
  if (s.enum !== undefined) return s.enum.map(code).join(', ');
  const options = s.anyOf ?? s.oneOf;
  if (options !== undefined) return oneOf(options, defs, depth);
  if (s.type === 'array') {
    return depth > 3 ? 'a list' : `a list of: ${takes(s.items ?? {}, defs, depth + 1)}`;
  }
  if (s.type === 'object' || s.properties !== undefined) {
    if (s.properties !== undefined) return 'keys';
    if (typeof s.additionalProperties !== 'object' || depth > 3) return 'keys';
    return `names, each with: ${takes(s.additionalProperties, defs, depth + 1)}`;
  }
  return (
    {
      string: 'text',
      number: 'a number',
      integer: 'a whole number',
      boolean: '`true`, `false`',
      null: '`null`',
    }[s.type] ?? 'a value'
  );
}

/** A text, a number, a truth value: where all are taken, it is a value. */
function oneOf(options, defs, depth) {
  const allowed = options.filter((each) => !isForbidden(each));
  const isPlain = (each) =>
    ['string', 'number', 'boolean'].includes(each.type) &&
    !('enum' in each || 'const' in each || 'pattern' in each);
  const plain = allowed.filter(isPlain);
  const others = allowed.filter((each) => plain.length < 2 || (!isPlain(each) && each.type !== 'null'));
  const words = others.map((each) => takes(each, defs, depth + 1));
  return unique([...(plain.length < 2 ? [] : ['a value']), ...words]).join(' or ');
}

function resolve(schema, defs) {
  const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? '')?.[1];
  return name === undefined ? schema : { ...defs[name], ...schema, $ref: undefined };
}

const isForbidden = (schema) => schema.not !== undefined && Object.keys(schema.not).length === 0;
const join = (path, key) => (path === '' ? key : `${path}.${key}`);
const code = (value) =>
  `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``.replaceAll('|', '\\|');

function unique(list) {
  const seen = new Set();
  return list.filter((each) => {
    const print = JSON.stringify(each);
    return !seen.has(print) && seen.add(print);
  });
}
