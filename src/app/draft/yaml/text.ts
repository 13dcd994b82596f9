import { Document, isCollection, type Node, Pair, Scalar, visit, YAMLMap, YAMLSeq } from 'yaml';
import { escapeControls } from '../../../model/escape-controls.ts';
import type { Entry, Plain, Value } from './entry.ts';

const longestFlow = 90;
const document = new Document();

/** A YAML file of a map, with lines above it as comments; controls and what is invisible are escaped. */
export function yamlText(
  head: readonly string[],
  entries: readonly Entry[],
  foot: readonly string[],
): string {
  const file = new Document();
  file.contents = mapOf(entries);
  const lines = (comments: readonly string[]): string =>
    comments.map((each) => `# ${each.replaceAll('\n', ' ')}`.trimEnd()).join('\n');
  const body = file.toString({ lineWidth: 0, flowCollectionPadding: true });
  return escapeControls(`${lines(head)}\n${body}${foot.length === 0 ? '' : `\n${lines(foot)}\n`}`);
}

function mapOf(entries: readonly Entry[]): YAMLMap {
  const map = new YAMLMap();
  for (const { key, value, comment, above = [] } of entries) {
    const name = scalar(key);
    if (above.length > 0) name.commentBefore = above.map((line) => ` ${line}`).join('\n');
    const node = nodeOf(value);
    if (comment !== undefined) {
      // Behind a map or a list that goes on below, a comment would stand at its end: it goes above the key.
      if (isCollection(node) && node.flow !== true)
        name.commentBefore = [...above, comment].map((line) => ` ${line}`).join('\n');
      else node.comment = ` ${comment}`;
    }
    map.items.push(new Pair(name, node));
  }
  return map;
}

function nodeOf(value: Value): Node {
  if ('entries' in value) return mapOf(value.entries);
  if ('plain' in value) return plainNode(value.plain);
  const list = new YAMLSeq();
  for (const item of value.items) list.items.push(plainNode(item));
  return list;
}

/** A short map or list stands on one line; text with line ends is written in quotes. */
function plainNode(plain: Plain): Node {
  const node = document.createNode(plain);
  const flow = JSON.stringify(plain).length <= longestFlow;
  visit(node, {
    Collection(_key, each) {
      each.flow = flow || JSON.stringify(each.toJSON()).length <= longestFlow;
    },
    Scalar(_key, each) {
      if (typeof each.value === 'string') quoteControls(each, each.value);
    },
  });
  return node;
}

function scalar(text: string): Scalar {
  const node = new Scalar(text);
  quoteControls(node, text);
  return node;
}

/** Only in quotes is an escaped character the same text. */
function quoteControls(node: Scalar, text: string): void {
  if (/[\t\n]/.test(text) || escapeControls(text) !== text) node.type = Scalar.QUOTE_DOUBLE;
}
