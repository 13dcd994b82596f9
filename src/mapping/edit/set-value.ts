import { isCollection, isMap, isScalar, isSeq, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { keysAt } from '../document/schema-keys.ts';
import type { PlacesInText } from './places-in-text.ts';
import { type Edited, type Plain, refusedEdit, type YamlPath } from './plain.ts';
import { blockValue, flowValue, keyText } from './render.ts';

/** A parsed text, and what schema its keys have. */
export interface ParsedText {
  readonly places: PlacesInText;
  readonly root: YAMLMap;
  readonly schema: unknown;
}

/** Sets what stands at a path; what of the path is not there is made. */
export function setValue(parsed: ParsedText, path: YamlPath, value: Plain): Edited {
  let holder: YAMLMap | YAMLSeq = parsed.root;
  for (const [depth, step] of path.entries()) {
    const rest = path.slice(depth + 1);
    const found = stepInto(holder, step);
    if (found === undefined) return insert(parsed, holder, path.slice(0, depth + 1), nested(rest, value));
    const isNothing = isScalar(found.value) && found.value.value === null;
    if (rest.length === 0 || isNothing)
      return { ok: true, text: replaced(parsed, holder, found, nested(rest, value)) };
    if (!isCollection(found.value)) return notAMap(path.slice(0, depth + 1));
    holder = found.value;
  }
  return refusedEdit('The whole file cannot be set.');
}

interface Found {
  readonly pair: Pair | undefined;
  readonly value: unknown;
}

/** What a step of a path leads to; undefined where there is nothing. */
export function stepInto(holder: YAMLMap | YAMLSeq, step: string | number): Found | undefined {
  if (isMap(holder)) {
    const pair = holder.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(step));
    return pair && { pair, value: pair.value };
  }
  const value = holder.items[Number(step)];
  return value === undefined ? undefined : { pair: undefined, value };
}

function notAMap(path: YamlPath): Edited {
  return refusedEdit(`${path.join('.')} holds a single value: it has no keys.`);
}

/** A value below keys that are not there yet. */
function nested(path: YamlPath, value: Plain): Plain {
  return path.reduceRight<Plain>(
    (below, step) => (typeof step === 'number' ? [below] : { [step]: below }),
    value,
  );
}

function replaced(
  { places }: ParsedText,
  holder: YAMLMap | YAMLSeq,
  { pair, value: old }: Found,
  value: Plain,
): string {
  const { eol } = places;
  if (holder.flow === true && !places.isNothing(old))
    return places.spliced(places.from(old), places.end(old), flowValue(value));
  if (holder.flow === true) {
    const at = places.end(pair?.key);
    return places.spliced(at, Math.max(at, places.endOfPair(pair)), `: ${flowValue(value)}`);
  }
  const indent = places.indent(holder);
  if (pair === undefined)
    return places.spliced(places.from(old), places.end(old), itemText(value, indent, eol, old));
  const colon = places.colon(places.end(pair.key));
  return places.spliced(colon, Math.max(colon, places.endOfPair(pair)), blockValue(value, indent, eol));
}

/** An item behind its dash, on several lines where another item is. */
function itemText(value: Plain, indent: string, eol: string, other: unknown): string {
  const open = isCollection(other) && other.flow !== true;
  return blockValue(value, indent, eol, open).trimStart();
}

function insert(parsed: ParsedText, holder: YAMLMap | YAMLSeq, path: YamlPath, value: Plain): Edited {
  const { places } = parsed;
  const step = path.at(-1) ?? '';
  if (isSeq(holder) && Number(step) !== holder.items.length)
    return refusedEdit(`${path.slice(0, -1).join('.')} has only ${holder.items.length} entries.`);
  if (holder.flow === true || holder.items.length === 0)
    return {
      ok: true,
      text: insertedInFlow(places, holder, isMap(holder) ? `${keyText(String(step), true)}: ` : '', value),
    };
  const indent = places.indent(holder);
  const { eol } = places;
  if (isSeq(holder)) {
    const at = places.lineEnd(places.end(holder));
    const text = itemText(value, indent, eol, holder.items[0]);
    return { ok: true, text: places.spliced(at, at, `${eol}${indent}- ${text}`) };
  }
  const before = pairBefore(parsed, holder, path);
  const at = places.lineEnd(places.endOfPair(before));
  const blank = holder === parsed.root && hasBlankLines(places, holder) ? eol : '';
  const entry = `${keyText(String(step), false)}:${blockValue(value, indent, eol)}`;
  return { ok: true, text: places.spliced(at, at, `${eol}${blank}${indent}${entry}`) };
}

function insertedInFlow(places: PlacesInText, holder: YAMLMap | YAMLSeq, key: string, value: Plain): string {
  const entry = key + flowValue(value);
  const [from, to] = [places.from(holder), places.end(holder)];
  const open = isMap(holder) ? '{ ' : '[';
  const close = isMap(holder) ? ' }' : ']';
  if (holder.items.length === 0) return places.spliced(from, to, open + entry + close);
  const last = isMap(holder) ? places.endOfPair(holder.items.at(-1)) : places.end(holder.items.at(-1));
  return places.spliced(last, last, `, ${entry}`);
}

/** The pair behind which a key belongs, by the order of the schema; the last one where that has none. */
function pairBefore({ root, schema }: ParsedText, holder: YAMLMap, path: YamlPath): Pair | undefined {
  const order = keysAt(schema, root.toJSON(), path.slice(0, -1));
  const rank = (key: unknown): number => order.indexOf(String(key));
  const own = rank(path.at(-1));
  const before = own < 0 ? [] : holder.items.filter(({ key }) => rank(isScalar(key) ? key.value : key) < own);
  return before.at(-1) ?? holder.items.at(-1);
}

function hasBlankLines(places: PlacesInText, { items }: YAMLMap): boolean {
  return items.slice(1).some(({ key }, index) => {
    const between = places.text.slice(places.endOfPair(items[index]), places.from(key));
    return /\n\s*\n/.test(between);
  });
}
