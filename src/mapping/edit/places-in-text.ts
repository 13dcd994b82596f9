import { isCollection, isMap, isNode, isScalar, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';

/** Where things of a parsed YAML text stand in it. */
export class PlacesInText {
  readonly text: string;
  readonly eol: string;

  constructor(text: string) {
    this.text = text;
    this.eol = text.includes('\r\n') ? '\r\n' : '\n';
  }

  /** Where a node begins. */
  from(node: unknown): number {
    return isNode(node) ? (node.range?.[0] ?? 0) : 0;
  }

  /** Where a node's own text ends, comments and line ends behind it left out. */
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

  /** Where a key with its value ends. */
  endOfPair(pair: Pair | undefined): number {
    const key = this.end(pair?.key);
    const value = pair?.value;
    return this.isNothing(value) ? this.colon(key) : this.end(value);
  }

  /** Whether nothing is written where the value would be. */
  isNothing(value: unknown): boolean {
    return !isNode(value) || (isScalar(value) && value.value === null && (value.source ?? '') === '');
  }

  /** Where the colon behind a key ends. */
  colon(endOfKey: number): number {
    return this.text.indexOf(':', endOfKey) + 1;
  }

  lineBegin(at: number): number {
    return this.text.lastIndexOf('\n', at - 1) + 1;
  }

  /** Where the line ends, before its line end. */
  lineEnd(at: number): number {
    const end = this.text.indexOf('\n', at);
    if (end < 0) return this.text.length;
    return this.text[end - 1] === '\r' ? end - 1 : end;
  }

  /** What the keys of a block map, or the dashes of a block list, are indented by. */
  indent(collection: YAMLMap | YAMLSeq): string {
    const [first] = collection.items;
    const at = isMap(collection) ? this.from(collection.items[0]?.key) : this.from(first);
    const before = this.text.slice(this.lineBegin(at), at);
    return ' '.repeat(isMap(collection) ? before.length : Math.max(0, before.lastIndexOf('-')));
  }

  /** The text with another in place of a part. */
  spliced(from: number, to: number, into: string): string {
    return this.text.slice(0, from) + into + this.text.slice(to);
  }
}
