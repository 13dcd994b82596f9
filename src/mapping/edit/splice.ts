import {
  Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Pair,
  Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { listSchemaKeys } from '../document/schema-keys.ts';
import { createEditFailure, type JsonValue, type YamlEditResult, type YamlPath } from './plain.ts';

/** A parsed text, with the schema of its keys. */
export interface EditableYaml {
  readonly places: YamlNodeOffsets;
  readonly root: YAMLMap;
  readonly schema: unknown;
}

/**
 * Returns the text with the value at a path set, or the reason why it cannot be set; missing parents are
 * created.
 */
export function setYamlValue(parsed: EditableYaml, path: YamlPath, value: JsonValue): YamlEditResult {
  let holder: YAMLMap | YAMLSeq = parsed.root;
  for (const [depth, step] of path.entries()) {
    const rest = path.slice(depth + 1);
    const found = findYamlChild(holder, step);
    if (found === undefined) return insert(parsed, holder, path.slice(0, depth + 1), nested(rest, value));
    const isNothing = isScalar(found.value) && found.value.value === null;
    if (rest.length === 0 || isNothing)
      return applied(parsed, [replaced(parsed, holder, found, nested(rest, value))]);
    if (!isCollection(found.value)) return notAMap(path.slice(0, depth + 1));
    holder = found.value;
  }
  return createEditFailure('The whole file cannot be set.');
}

/** Returns the text with keys of the map at a path set, new ones in this order at its end; a missing map is created. */
export function setYamlKeys(
  parsed: EditableYaml,
  path: YamlPath,
  entries: readonly (readonly [key: string, value: JsonValue])[],
): YamlEditResult {
  const holder = parsed.root.getIn(path, true);
  if (holder === undefined || parsed.places.isNothing(holder))
    return setYamlValue(parsed, path, Object.fromEntries(entries));
  if (!isMap(holder)) return notAMap(path);
  const children = new Map(holder.items.map((pair) => [keyOf(pair), { pair, value: pair.value }]));
  const found = entries.map(([key, value]) => ({ key, value, child: children.get(key) }));
  const added = found.flatMap(({ key, value, child }) =>
    child === undefined ? [[key, value] as const] : [],
  );
  return applied(parsed, [
    ...found.flatMap(({ value, child }) => (child ? [replaced(parsed, holder, child, value)] : [])),
    ...(added.length === 0 ? [] : [insertedKeys(parsed, holder, path, added)]),
  ]);
}

/**
 * Returns the text with the list at a key of the root in a map of its own: under the key `into`, after another key.
 * Nothing but the indentation of the list changes.
 */
export function wrapYamlList(
  parsed: EditableYaml,
  key: string,
  [added, value]: readonly [key: string, value: JsonValue],
  into: string,
): YamlEditResult {
  const { places, root } = parsed;
  const { eol } = places;
  const list = findYamlChild(root, key)?.value;
  if (!isSeq(list)) return notAMap([key]);
  const [from, to] = [places.from(list), places.end(list)];
  const text = places.text.slice(from, to);
  if (list.flow === true)
    return applied(parsed, [{ from, to, into: `{ ${added}: ${formatFlowValue(value)}, ${into}: ${text} }` }]);
  const indent = places.indent(list) || '  ';
  const moved = places.text.slice(places.lineBegin(from), to).replaceAll(/^(?=.)/gm, '  ');
  return applied(parsed, [
    {
      ...{ from: places.lineBegin(from), to },
      into: `${indent}${added}:${formatBlockValue(value, indent, eol)}${eol}${indent}${into}:${eol}${moved}`,
    },
  ]);
}

/** A part of a text, and the text that replaces it. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly into: string;
}

function applied({ places }: EditableYaml, splices: readonly Splice[]): YamlEditResult {
  // Splices are applied from the last to the first, so that the offsets of the earlier ones stay valid.
  const ordered = splices.toSorted((one, other) => other.from - one.from);
  const text = ordered.reduce(
    (before, { from, to, into }) => before.slice(0, from) + into + before.slice(to),
    places.text,
  );
  return { ok: true, text };
}

interface Found {
  readonly pair: Pair | undefined;
  readonly value: unknown;
}

/** Returns the value that a step of a path leads to; undefined if there is none. */
export function findYamlChild(holder: YAMLMap | YAMLSeq, step: string | number): Found | undefined {
  if (isMap(holder)) {
    const pair = holder.items.find((each) => keyOf(each) === String(step));
    return pair && { pair, value: pair.value };
  }
  const value = holder.items[Number(step)];
  return value === undefined ? undefined : { pair: undefined, value };
}

function keyOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

function notAMap(path: YamlPath): YamlEditResult {
  return createEditFailure(`${path.join('.')} holds a single value: it has no keys.`);
}

/** Returns the value nested in the keys of a path that do not exist yet. */
function nested(path: YamlPath, value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>(
    (below, step) => (typeof step === 'number' ? [below] : { [step]: below }),
    value,
  );
}

function replaced(
  { places }: EditableYaml,
  holder: YAMLMap | YAMLSeq,
  { pair, value: old }: Found,
  value: JsonValue,
): Splice {
  const { eol } = places;
  if (holder.flow === true && !places.isNothing(old))
    return { from: places.from(old), to: places.end(old), into: formatFlowValue(value) };
  if (holder.flow === true) {
    const at = places.end(pair?.key);
    return { from: at, to: Math.max(at, places.endOfPair(pair)), into: `: ${formatFlowValue(value)}` };
  }
  const indent = places.indent(holder);
  if (pair === undefined)
    return { from: places.from(old), to: places.end(old), into: itemText(value, indent, eol, old) };
  const from = places.colon(places.end(pair.key));
  return {
    ...{ from, to: Math.max(from, places.endOfPair(pair)) },
    into: formatBlockValue(value, indent, eol),
  };
}

/**
 * Returns the text of a list item after its dash; a collection is written in block style if `other`, an item of the
 * same list, is a block-style collection.
 */
function itemText(value: JsonValue, indent: string, eol: string, other: unknown): string {
  const open = isCollection(other) && other.flow !== true;
  return formatBlockValue(value, indent, eol, open).trimStart();
}

function insert(
  parsed: EditableYaml,
  holder: YAMLMap | YAMLSeq,
  path: YamlPath,
  value: JsonValue,
): YamlEditResult {
  const { places } = parsed;
  const step = path.at(-1) ?? '';
  if (isMap(holder))
    return applied(parsed, [insertedKeys(parsed, holder, path.slice(0, -1), [[String(step), value]])]);
  if (Number(step) !== holder.items.length)
    return createEditFailure(`${path.slice(0, -1).join('.')} has only ${holder.items.length} entries.`);
  if (holder.flow === true || holder.items.length === 0)
    return applied(parsed, [insertedInFlow(places, holder, formatFlowValue(value))]);
  const indent = places.indent(holder);
  const { eol } = places;
  const at = places.lineEnd(places.end(holder));
  const text = itemText(value, indent, eol, holder.items[0]);
  return applied(parsed, [{ from: at, to: at, into: `${eol}${indent}- ${text}` }]);
}

function insertedKeys(
  parsed: EditableYaml,
  holder: YAMLMap,
  path: YamlPath,
  entries: readonly (readonly [key: string, value: JsonValue])[],
): Splice {
  const { places, root } = parsed;
  if (holder.flow === true || holder.items.length === 0) {
    const written = entries.map(([key, value]) => `${formatYamlKey(key, true)}: ${formatFlowValue(value)}`);
    return insertedInFlow(places, holder, written.join(', '));
  }
  const indent = places.indent(holder);
  const { eol } = places;
  const at = places.lineEnd(places.endOfPair(pairBefore(parsed, holder, [...path, entries[0]?.[0] ?? ''])));
  const blank = holder === root && hasBlankLines(places, holder) ? eol : '';
  const written = entries.map(
    ([key, value]) =>
      `${eol}${blank}${indent}${formatYamlKey(key, false)}:${formatBlockValue(value, indent, eol)}`,
  );
  return { from: at, to: at, into: written.join('') };
}

function insertedInFlow(places: YamlNodeOffsets, holder: YAMLMap | YAMLSeq, entries: string): Splice {
  const open = isMap(holder) ? '{ ' : '[';
  const close = isMap(holder) ? ' }' : ']';
  if (holder.items.length === 0)
    return { from: places.from(holder), to: places.end(holder), into: open + entries + close };
  const last = isMap(holder) ? places.endOfPair(holder.items.at(-1)) : places.end(holder.items.at(-1));
  return { from: last, to: last, into: `, ${entries}` };
}

/**
 * Returns the pair after which a new key is inserted: the last pair that precedes it in the order of the schema. If
 * there is none, or the schema does not have the key, it is the last pair of the map.
 */
function pairBefore({ root, schema }: EditableYaml, holder: YAMLMap, path: YamlPath): Pair | undefined {
  const order = listSchemaKeys(schema, root.toJSON(), path.slice(0, -1));
  const rank = (key: unknown): number => order.indexOf(String(key));
  const own = rank(path.at(-1));
  const before = own < 0 ? [] : holder.items.filter(({ key }) => rank(isScalar(key) ? key.value : key) < own);
  return before.at(-1) ?? holder.items.at(-1);
}

function hasBlankLines(places: YamlNodeOffsets, { items }: YAMLMap): boolean {
  return items.slice(1).some(({ key }, index) => {
    const between = places.text.slice(places.endOfPair(items[index]), places.from(key));
    return /\n\s*\n/.test(between);
  });
}

type Holder = YAMLMap | YAMLSeq;

/**
 * Returns the text without the value at a path and parents that would be empty; comments on separate lines
 * stay.
 */
export function removeYamlValue({ places, root }: EditableYaml, path: YamlPath): YamlEditResult {
  const holders: Holder[] = [];
  let node: unknown = root;
  for (const step of path) {
    if (!isCollection(node)) return gone(path);
    const found = findYamlChild(node, step);
    if (found === undefined) return gone(path);
    holders.push(node);
    node = found.value;
  }
  // Parents with nothing else in them are removed, too.
  let depth = holders.length - 1;
  while (depth > 0 && holders[depth]?.items.length === 1) depth -= 1;
  const holder = holders[depth];
  if (holder === undefined || holder.items.length === 1)
    return createEditFailure('A mapping cannot be left without a key.');
  const index = isMap(holder)
    ? holder.items.findIndex((pair) => pair === findYamlChild(holder, path[depth] ?? '')?.pair)
    : Number(path[depth]);
  return {
    ok: true,
    text: holder.flow === true ? withoutPart(places, holder, index) : withoutLines(places, holder, index),
  };
}

function gone(path: YamlPath): YamlEditResult {
  return createEditFailure(`${path.join('.')} is not in the mapping any more.`);
}

function begin(places: YamlNodeOffsets, holder: Holder, index: number): number {
  return places.from(isMap(holder) ? holder.items[index]?.key : holder.items[index]);
}

function end(places: YamlNodeOffsets, holder: Holder, index: number): number {
  return isMap(holder) ? places.endOfPair(holder.items[index]) : places.end(holder.items[index]);
}

function withoutPart(places: YamlNodeOffsets, holder: Holder, index: number): string {
  if (index + 1 < holder.items.length)
    return places.spliced(begin(places, holder, index), begin(places, holder, index + 1), '');
  return places.spliced(end(places, holder, index - 1), end(places, holder, index), '');
}

function withoutLines(places: YamlNodeOffsets, holder: Holder, index: number): string {
  const from = places.lineBegin(begin(places, holder, index));
  const to = places.lineEnd(end(places, holder, index));
  // The first key of an item shares its line with the dash.
  if (isMap(holder) && /\S/.test(places.text.slice(from, begin(places, holder, index))))
    return withoutPart(places, holder, index);
  const next = places.text.startsWith(places.eol, to) ? to + places.eol.length : to;
  return places.spliced(from, next, '');
}

const longestFlow = 90;
const layout = {
  lineWidth: 0,
  flowCollectionPadding: true,
  // A text in quotes is never spread over several lines, because the lines of the result are indented afterwards.
  doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
} as const;

/**
 * Returns the text to write after a key or dash in a block, without a line end. Collections of at most 90 characters
 * are written on one line; with `open`, the outermost collection is always written in block style.
 */
export function formatBlockValue(value: JsonValue, indent: string, eol: string, open = false): string {
  const document = new Document({ k: value });
  visit(document, {
    Collection(_key, node, { length: depth }) {
      const isOutside = depth <= (open ? 3 : 1);
      if (!isOutside && isCollection(node)) node.flow = JSON.stringify(node.toJSON()).length <= longestFlow;
    },
    Scalar(_key, node, path) {
      if (path.some((each) => isCollection(each) && each.flow === true)) onOneLine(node);
    },
  });
  const [first = '', ...more] = document.toString(layout).trimEnd().slice(2).split('\n');
  return [first, ...more.map((line) => (line === '' ? line : indent + line))].join(eol);
}

/** Returns the text of a value for use within brackets, on one line. */
export function formatFlowValue(value: JsonValue): string {
  const document = new Document({ k: value });
  visit(document, {
    Collection(_key, node) {
      node.flow = true;
    },
    Scalar: (_key, node) => onOneLine(node),
  });
  return document.toString(layout).trim().slice('{ k: '.length, -' }'.length);
}

/** Double-quotes a text with tabs or line ends, so that it stays on one line within brackets. */
function onOneLine(node: Scalar): void {
  if (typeof node.value === 'string' && /[\t\r\n]/.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
}

/** Returns the text of a key, quoted where YAML needs it in a block or within brackets (`inFlow`). */
export function formatYamlKey(key: string, inFlow: boolean): string {
  const document = new Document({ [key]: 1 });
  if (isCollection(document.contents)) document.contents.flow = inFlow;
  const text = document.toString(layout).trim();
  return inFlow ? text.slice('{ '.length, -': 1 }'.length) : text.slice(0, -': 1'.length);
}

/** The offsets of nodes in a parsed YAML text. */
export class YamlNodeOffsets {
  readonly text: string;
  readonly eol: string;

  constructor(text: string) {
    this.text = text;
    this.eol = text.includes('\r\n') ? '\r\n' : '\n';
  }

  /** Returns the offset where a node begins. */
  from(node: unknown): number {
    return isNode(node) ? (node.range?.[0] ?? 0) : 0;
  }

  /** Returns the offset where a node's own text ends, without the comments and line ends after it. */
  end(node: unknown): number {
    if (!isNode(node)) return 0;
    const [from, to] = node.range ?? [0, 0];
    if (isCollection(node) && node.flow !== true) {
      const last = node.items.at(-1);
      if (last === undefined) return to;
      return isMap(node) ? this.endOfPair(node.items.at(-1)) : this.end(last);
    }
    return from + this.text.slice(from, to).trimEnd().length;
  }

  /** Returns the offset where a key with its value ends. */
  endOfPair(pair: Pair | undefined): number {
    const key = this.end(pair?.key);
    const value = pair?.value;
    return this.isNothing(value) ? this.colon(key) : this.end(value);
  }

  /** Returns true if the value is missing in the text. */
  isNothing(value: unknown): boolean {
    return !isNode(value) || (isScalar(value) && value.value === null && (value.source ?? '') === '');
  }

  /** Returns the offset after the colon of a key. */
  colon(endOfKey: number): number {
    return this.text.indexOf(':', endOfKey) + 1;
  }

  lineBegin(at: number): number {
    return this.text.lastIndexOf('\n', at - 1) + 1;
  }

  /** Returns the offset of the end of the line, before its line break. */
  lineEnd(at: number): number {
    const end = this.text.indexOf('\n', at);
    if (end < 0) return this.text.length;
    return this.text[end - 1] === '\r' ? end - 1 : end;
  }

  /** Returns the indentation of the keys of a block map, or of the dashes of a block list. */
  indent(collection: YAMLMap | YAMLSeq): string {
    const [first] = collection.items;
    const at = isMap(collection) ? this.from(collection.items[0]?.key) : this.from(first);
    const before = this.text.slice(this.lineBegin(at), at);
    return ' '.repeat(isMap(collection) ? before.length : Math.max(0, before.lastIndexOf('-')));
  }

  /** Returns the text with a part replaced by another. */
  spliced(from: number, to: number, into: string): string {
    return this.text.slice(0, from) + into + this.text.slice(to);
  }
}
