/** A reference page: its file name and its text. */
export type Page = readonly [name: string, text: string];

/** Columns of the reference's tables that explain, and promise no name and no shape. */
const explaining = new Set(['meaning', 'example', 'what to do', 'what it holds']);

interface Table {
  readonly section: string;
  readonly rows: readonly (readonly string[])[];
}

/**
 * Returns what users rely on, one fact a line, sorted: commands with their flags, keys of YAML files, JSON shapes, codes, file names
 * and columns, as the reference pages have them, without the words that explain them and without the names of JSON types.
 */
export function contractLines(pages: readonly Page[]): readonly string[] {
  const lines = pages.flatMap(([name, text]) =>
    name === 'json.md' ? jsonLines(text) : [...tableLines(name, text), ...usageLines(name, text)],
  );
  return [...new Set(lines)].sort();
}

function tableLines(page: string, text: string): readonly string[] {
  return tablesOf(text).flatMap(({ section, rows }) =>
    rows.map((cells) => `${page} · ${section} · ${cells.join(' · ')}`),
  );
}

/** Returns the lines that show how a command is typed. */
function usageLines(page: string, text: string): readonly string[] {
  return [...text.matchAll(/```text\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `${page} · ${line.trim()}`),
  );
}

/** Returns the tables of a page under their headings, without the columns that explain. */
function tablesOf(text: string): readonly Table[] {
  const tables: { section: string; rows: string[][]; kept: readonly number[] }[] = [];
  let section = '';
  let isInTable = false;
  for (const line of text.split('\n')) {
    const cells = line.startsWith('|') ? line.slice(1, -1).split(/(?<!\\)\|/) : undefined;
    const trimmed = cells?.map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('`', '')) ?? [];
    if (cells === undefined) {
      section = /^#+ (.*)/.exec(line)?.[1] ?? section;
      isInTable = false;
    } else if (!isInTable) {
      const kept = trimmed.flatMap((column, n) => (explaining.has(column) ? [] : [n]));
      tables.push({ section, rows: [], kept });
      isInTable = true;
    } else if (!/^[-:]+$/.test(trimmed[0] ?? '')) {
      const last = tables.at(-1);
      last?.rows.push(last.kept.map((n) => trimmed[n] ?? '').filter((cell) => cell !== ''));
    }
  }
  return tables;
}

/** The properties of a JSON type by name, or the type that it is another name of. */
type JsonType = readonly (readonly string[])[] | string;

/** Returns the paths of every JSON shape with their types; a named type is replaced by its own properties. */
function jsonLines(text: string): readonly string[] {
  const everywhere = typesOf(text);
  return text.split(/^## /m).flatMap((part) => {
    const section = part.slice(0, part.indexOf('\n'));
    const own = typesOf(part);
    const used = new Set([...own].flatMap(([name, type]) => namesIn(type).filter((each) => each !== name)));
    // A type that an earlier section has shown is not shown again.
    const types = new Map([...everywhere, ...own]);
    const roots = [...own.keys()].filter((name) => !used.has(name));
    return roots.flatMap((root) => shapeLines(types, root, `json.md · ${section} · `, []));
  });
}

function typesOf(text: string): Map<string, JsonType> {
  const types = new Map<string, JsonType>(tablesOf(text).map(({ section, rows }) => [section, rows]));
  for (const [, name = '', type = ''] of text.matchAll(/^type (\w+) = (.*)$/gm)) types.set(name, type);
  return types;
}

function namesIn(type: JsonType): readonly string[] {
  const texts = typeof type === 'string' ? [type] : type.map(([, shape = '']) => shape);
  return texts.flatMap((each) => [...each.matchAll(/\b[A-Z]\w+/g)].map(([name]) => name));
}

function shapeLines(
  types: ReadonlyMap<string, JsonType>,
  name: string,
  path: string,
  above: readonly string[],
): readonly string[] {
  const type = types.get(name);
  if (type === undefined || above.includes(name)) return [];
  const properties = typeof type === 'string' ? [['', type]] : type;
  return properties.flatMap(([property = '', shape = '']) => {
    const resolved = withoutAliases(types, shape, []);
    const at = `${path}${property}`;
    const nested = namesIn(resolved).flatMap((each) =>
      shapeLines(types, each, `${at}${at.endsWith(' ') ? '' : '.'}`, [...above, name]),
    );
    return [`${at} · ${withoutNames(types, resolved)}`, ...nested];
  });
}

/** Replaces the names of types that are another type by that type. */
function withoutAliases(
  types: ReadonlyMap<string, JsonType>,
  shape: string,
  above: readonly string[],
): string {
  return shape.replace(/\b[A-Z]\w+/g, (name) => {
    const type = types.get(name);
    return typeof type === 'string' && !above.includes(name)
      ? withoutAliases(types, type, [...above, name])
      : name;
  });
}

/** Replaces the names of types and constants, which are the code's own, so that only the shape is left. */
function withoutNames(types: ReadonlyMap<string, JsonType>, shape: string): string {
  const bare = shape.replace(/\b[A-Z]\w+/g, (name) => (types.has(name) ? '{}' : name));
  return bare.replace(/typeof \w+/g, 'typeof …');
}
