import { Document, isCollection, Scalar, visit } from 'yaml';
import type { Plain } from './plain.ts';

const longestFlow = 90;
const layout = {
  lineWidth: 0,
  flowCollectionPadding: true,
  // A text in quotes stays on its line, where it can be indented.
  doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
} as const;

/**
 * A value as it stands behind its key or its dash in a block, without a line end: short collections on one line, unless the
 * value itself is to be `open`.
 */
export function blockValue(value: Plain, indent: string, eol: string, open = false): string {
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

/** A value as it stands within brackets. */
export function flowValue(value: Plain): string {
  const document = new Document({ k: value });
  visit(document, {
    Collection(_key, node) {
      node.flow = true;
    },
    Scalar: (_key, node) => onOneLine(node),
  });
  return document.toString(layout).trim().slice('{ k: '.length, -' }'.length);
}

/** Within brackets a text with line ends is written in quotes. */
function onOneLine(node: Scalar): void {
  if (typeof node.value === 'string' && /[\t\r\n]/.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
}

/** A key as it is written in a block, or within brackets. */
export function keyText(key: string, inFlow: boolean): string {
  const document = new Document({ [key]: 1 });
  if (isCollection(document.contents)) document.contents.flow = inFlow;
  const text = document.toString(layout).trim();
  return inFlow ? text.slice('{ '.length, -': 1 }'.length) : text.slice(0, -': 1'.length);
}
