import { type Document, isMap, isNode, isScalar, isSeq, type Node } from 'yaml';

/** A place in a YAML file: line and column from 1, and the dotted path of its key. */
export interface KeyPlace {
  readonly line: number;
  readonly column: number;
  readonly key: string;
}

export type IssuePath = readonly PropertyKey[];

/** Finds the places of keys and values in a parsed file. */
export type KeyPlaceFinder = ReturnType<typeof createKeyPlaceFinder>;

type Position = (offset: number) => { readonly line: number; readonly column: number };

export function createKeyPlaceFinder(document: Document, position: Position) {
  const keys = new Map<object, string>();
  if (document.contents) nameNodes(document.contents, '', keys);
  const start = (node: unknown): { readonly line: number; readonly column: number } =>
    position(isNode(node) ? (node.range?.[0] ?? 0) : 0);
  const of = (path: IssuePath, side: 'key' | 'value'): KeyPlace => {
    let node: unknown = document.contents;
    let shown: unknown = node;
    for (const [index, step] of path.entries()) {
      const next = stepInto(node, step);
      if (!next) break;
      shown = index === path.length - 1 && side === 'value' ? next.value : next.key;
      node = next.value;
    }
    return { ...start(shown), key: dotted(path) };
  };
  return {
    /** Returns the place of the value at a path, or of its nearest parent that exists. */
    ofValue: (path: IssuePath): KeyPlace => of(path, 'value'),
    /** Returns the place of the key or list entry at a path, or of its nearest parent that exists. */
    ofKey: (path: IssuePath): KeyPlace => of(path, 'key'),
    /** Returns the place of a node of the file. */
    ofNode: (node: object): KeyPlace => ({ ...start(node), key: keys.get(node) ?? '' }),
  };
}

function stepInto(node: unknown, step: PropertyKey): { key: unknown; value: unknown } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => keyText(key) === String(step));
    return pair && { key: pair.key, value: pair.value ?? pair.key };
  }
  if (isSeq(node)) {
    const value = node.items[Number(step)];
    return value === undefined ? undefined : { key: value, value };
  }
  return undefined;
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value ?? '') : String(key);
}

function nameNodes(node: Node, name: string, keys: Map<object, string>): void {
  keys.set(node, name);
  const under = (step: PropertyKey): string => (name === '' ? String(step) : `${name}.${String(step)}`);
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const path = under(keyText(key));
      if (isNode(key)) keys.set(key, path);
      if (isNode(value)) nameNodes(value, path, keys);
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      if (isNode(item)) nameNodes(item, under(index), keys);
    }
  }
}

/** Returns a path in dotted form: `customFields.Plan.allowed.0`. */
function dotted(path: IssuePath): string {
  return path.map(String).join('.');
}
