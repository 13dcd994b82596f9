import { Document, isCollection, type Node, Pair, Scalar, visit, YAMLMap, YAMLSeq } from 'yaml';
import { escapeControlCharacters } from '../../../model/escape-controls.ts';
import type { YamlEntry, YamlEntryValue, YamlValue } from './entry.ts';

const longestFlow = 90;
const document = new Document();

/** Returns a YAML file of a map with comment lines above and below; control and invisible characters are escaped. */
export function formatYamlFile(
  head: readonly string[],
  entries: readonly YamlEntry[],
  foot: readonly string[],
): string {
  const file = new Document();
  file.contents = mapOf(entries);
  const lines = (comments: readonly string[]): string =>
    comments.map((each) => `# ${each.replaceAll('\n', ' ')}`.trimEnd()).join('\n');
  const body = file.toString({ lineWidth: 0, flowCollectionPadding: true });
  return escapeControlCharacters(`${lines(head)}\n${body}${foot.length === 0 ? '' : `\n${lines(foot)}\n`}`);
}

/** Returns a value as YAML on one line, as an answer to a question is typed. */
export function formatYamlFlow(value: YamlValue): string {
  const one = new Document(value);
  visit(one, {
    Collection(_key, each) {
      each.flow = true;
    },
  });
  return one.toString({ lineWidth: 0, flowCollectionPadding: true }).trim();
}

function mapOf(entries: readonly YamlEntry[]): YAMLMap {
  const map = new YAMLMap();
  for (const { key, value, comment, above = [] } of entries) {
    const name = scalar(key);
    if (above.length > 0) name.commentBefore = above.map((line) => ` ${line}`).join('\n');
    const node = nodeOf(value);
    if (comment !== undefined) {
      // A comment after a map or list in block style would land at its end, so it goes above the key.
      if (isCollection(node) && node.flow !== true)
        name.commentBefore = [...above, comment].map((line) => ` ${line}`).join('\n');
      else node.comment = ` ${comment}`;
    }
    map.items.push(new Pair(name, node));
  }
  return map;
}

function nodeOf(value: YamlEntryValue): Node {
  if ('entries' in value) return mapOf(value.entries);
  if ('plain' in value) return plainNode(value.plain);
  const list = new YAMLSeq();
  for (const item of value.items) list.items.push(plainNode(item));
  return list;
}

/**
 * Returns the node of a value: short maps and lists on one line; texts with tabs, line ends or invisible characters in
 * quotes.
 */
function plainNode(plain: YamlValue): Node {
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

const isInLines = /^\S[^\t\n]*\n[^\t]*\n[^\t]*\S$/;

/**
 * Puts a text with control characters in double quotes, where YAML can escape them; a text of several lines is written
 * in lines.
 */
function quoteControls(node: Scalar, text: string): void {
  if (isInLines.test(text) && escapeControlCharacters(text) === text) node.type = Scalar.BLOCK_LITERAL;
  else if (/[\t\n]/.test(text) || escapeControlCharacters(text) !== text) node.type = Scalar.QUOTE_DOUBLE;
}
