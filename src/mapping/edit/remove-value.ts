import { isCollection, isMap, type YAMLMap, type YAMLSeq } from 'yaml';
import type { PlacesInText } from './places-in-text.ts';
import { type Edited, refusedEdit, type YamlPath } from './plain.ts';
import { type ParsedText, stepInto } from './set-value.ts';

type Holder = YAMLMap | YAMLSeq;

/** Removes what stands at a path, and what would be left empty by that. Comments on lines of their own stay. */
export function removeValue({ places, root }: ParsedText, path: YamlPath): Edited {
  const holders: Holder[] = [];
  let node: unknown = root;
  for (const step of path) {
    if (!isCollection(node)) return gone(path);
    const found = stepInto(node, step);
    if (found === undefined) return gone(path);
    holders.push(node);
    node = found.value;
  }
  // What holds nothing else goes with it.
  let depth = holders.length - 1;
  while (depth > 0 && holders[depth]?.items.length === 1) depth -= 1;
  const holder = holders[depth];
  if (holder === undefined || holder.items.length === 1)
    return refusedEdit('A mapping cannot be left without a key.');
  const index = isMap(holder)
    ? holder.items.findIndex((pair) => pair === stepInto(holder, path[depth] ?? '')?.pair)
    : Number(path[depth]);
  return {
    ok: true,
    text: holder.flow === true ? withoutPart(places, holder, index) : withoutLines(places, holder, index),
  };
}

function gone(path: YamlPath): Edited {
  return refusedEdit(`${path.join('.')} is not in the mapping any more.`);
}

function begin(places: PlacesInText, holder: Holder, index: number): number {
  return places.from(isMap(holder) ? holder.items[index]?.key : holder.items[index]);
}

function end(places: PlacesInText, holder: Holder, index: number): number {
  return isMap(holder) ? places.endOfPair(holder.items[index]) : places.end(holder.items[index]);
}

function withoutPart(places: PlacesInText, holder: Holder, index: number): string {
  if (index + 1 < holder.items.length)
    return places.spliced(begin(places, holder, index), begin(places, holder, index + 1), '');
  return places.spliced(end(places, holder, index - 1), end(places, holder, index), '');
}

function withoutLines(places: PlacesInText, holder: Holder, index: number): string {
  const from = places.lineBegin(begin(places, holder, index));
  const to = places.lineEnd(end(places, holder, index));
  // The first key of an item shares its line with the dash.
  if (isMap(holder) && /\S/.test(places.text.slice(from, begin(places, holder, index))))
    return withoutPart(places, holder, index);
  const next = places.text.startsWith(places.eol, to) ? to + places.eol.length : to;
  return places.spliced(from, next, '');
}
