import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { countLimits } from '../../src/app/preview/counts.ts';
import { lossKinds } from '../../src/app/run/left-behind/kinds.ts';
import { formatEvidence } from '../../src/identity/evidence.ts';
import { leftBehindTitle } from '../../src/model/left-behind.ts';
import { pageRowStateLabels } from '../../src/studio/server/routes/project.ts';

const page = 'src/studio/page';
const languages = ['de', 'es', 'fr', 'pt'];

/** Names that are the same in every language. */
const names = new Set(['Longshore', 'CSV', 'JSON', 'YAML', 'XLSX', 'HubSpot', 'ID']);

/** Elements whose text is typed or read by a machine. */
const machineElements = new Set(['code', 'kbd', 'pre', 'samp']);

/** Attributes whose text is never shown. */
const technicalAttributes =
  /^(?:class|id|type|href|role|for|name|scope|accept|list|key|autocomplete|rel|target|src|d|viewBox|fill|transform|points|preserveAspectRatio|style|tone|kind|view|step|pattern|value|inputMode|data-.*|aria-(?:labelledby|controls|describedby|live|current|haspopup|hidden|busy|keyshortcuts|sort|autocomplete|modal|pressed|expanded|orientation))$/i;

/** Calls whose texts are selectors, keys or media queries. */
const technicalCalls =
  /^(?:querySelector(?:All)?|closest|matches|matchMedia|getElementById|getItem|setItem|removeItem|test|join|split|startsWith|endsWith|includes|replaceAll|replace|callRoute|callUntilAnswered|useRouteAnswer|useStreamedAnswer|useLatestStreamEvent|listenToStream|buildHref|addEventListener|removeEventListener)$/;

/** Files whose texts are YAML or styles. */
const withoutMessages = new Set(['exports/pipeline-yaml.ts', 'language.ts', 'mapping/editor/looks.ts']);

/** Keys of a keyboard, a command line, an address and a style. */
const technicalTexts = /^(?:Arrow\w+|Home|End|Escape|Enter|longshore .*|https?:\S*|button, select.*)$/;

const files = readdirSync(page, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .sort();
const found = files.map((name) => ({ name, ...messagesAndOtherTexts(name) }));
const engineTexts = [
  ...Object.values(pageRowStateLabels).flatMap(({ label, meaning }) => [label, meaning]),
  ...lossKinds.flatMap(({ title, titleOfRows = title, fix }) => [title, titleOfRows, fix]),
  ...countLimits,
  leftBehindTitle,
  ...evidenceWords(),
];
const engineSource = readEngineSource();
const messages = new Set([...found.flatMap((file) => file.messages), ...engineTexts, ...readEditorPhrases()]);

describe('the words of the page', () => {
  it('are messages of the catalogue, in every file', () => {
    const outside = found.flatMap(({ name, others }) => others.map((text) => `${name}${text}`));
    expect(outside).toEqual([]);
    expect(messages.size).toBeGreaterThan(3);
  });

  it('are constants where they are translated', () => {
    expect(found.flatMap(({ name, computed }) => computed.map((text) => `${name}${text}`))).toEqual([]);
  });
});

describe.each(languages)('the catalogue %s', (language) => {
  const catalogue = readCatalogue(language);

  it('has a translation of every message, and otherwise only texts of the engine', () => {
    const known = new Set(Object.keys(catalogue));
    expect([...messages].filter((message) => !known.has(message))).toEqual([]);
    expect([...known].filter((message) => !messages.has(message) && !isEngineText(message))).toEqual([]);
  });

  it('has the same texts as the other catalogues', () => {
    expect(Object.keys(catalogue)).toEqual(Object.keys(readCatalogue('de')).sort());
  });

  it('has the same values and elements in every translation, and the plurals of its language', () => {
    const wrong = Object.entries(catalogue).filter(
      ([message, translation]) => argumentsOf(message) !== argumentsOf(translation),
    );
    expect(wrong).toEqual([]);
  });
});

it('the English catalogue has other words only for texts of the engine', () => {
  const catalogue = readCatalogue('en');
  expect(Object.keys(catalogue).filter((message) => !isEngineText(message))).toEqual([]);
  expect(Object.entries(catalogue).filter(([one, other]) => argumentsOf(one) !== argumentsOf(other))).toEqual(
    [],
  );
});

function readCatalogue(language: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(page, 'words', `${language}.json`), 'utf8'));
}

/** Returns the code of the engine, from which the texts in the catalogues are. */
function readEngineSource(): string {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith(join('studio', 'page')))
    .map((name) => readFileSync(join('src', name), 'utf8').toLowerCase())
    .join('\n');
}

/** Returns the phrases that the packages of the editor look up in the catalogue. */
function readEditorPhrases(): readonly string[] {
  const packages = 'node_modules/@codemirror';
  const looksUp = /\bphrase\((?:[\w.]+ ?[,?] )?"([^"]+)"(?: : "([^"]+)")?/g;
  return readdirSync(packages)
    .map((name) => readFileSync(join(packages, name, 'dist', 'index.js'), 'utf8'))
    .flatMap((source) => [...source.matchAll(looksUp)].flatMap(([, one = '', other]) => [one, other ?? one]));
}

/** True if a part of the text, between its values and punctuation, is in the code of the engine: the longest that is. */
function isEngineText(message: string): boolean {
  const parts = message.toLowerCase().split(/\{\d\}|[.,:;()?"]/);
  const words = parts.map((part) => part.trim()).filter((part) => part.includes(' ') || part === message);
  const counted = /^(?:\{0\}|1) (?:failed )?rows?$/;
  return (
    words.some((part) => engineSource.includes(part)) ||
    counted.test(message) ||
    /^\w+ \{0\}(?:$|[ ;])/.test(message)
  );
}

/** Returns the words of the identifiers that two people share. */
function evidenceWords(): readonly string[] {
  const several = [
    ['key', 'email'],
    ['key', 'phone'],
    ['email', 'phone'],
    ['key', 'email', 'phone'],
  ] as const;
  return several.map((equal) =>
    formatEvidence({ equal, names: 'match', birthDatesDiffer: false }).replace(/^same |;.*$/g, ''),
  );
}

/** The names of a message's values and elements, sorted, or why it is no message. */
function argumentsOf(message: string): string {
  const all = new Set<string>();
  const visit = (elements: ReturnType<typeof parse>): void => {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
      all.add(element.type === TYPE.tag ? `<${element.value}>` : element.value);
      if (element.type === TYPE.tag) visit(element.children);
      if (element.type === TYPE.plural || element.type === TYPE.select)
        for (const option of Object.values(element.options)) visit(option.value);
    }
  };
  try {
    visit(parse(message));
  } catch (error) {
    return `${message}: ${String(error)}`;
  }
  return [...all].sort().join();
}

function messagesAndOtherTexts(name: string) {
  const source = readFileSync(join(page, name), 'utf8');
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const messages: string[] = [];
  const others: string[] = [];
  const computed: string[] = [];
  const place = (node: ts.Node, text: string) =>
    `:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${text.trim().replace(/\s+/g, ' ')}`;
  const visit = (node: ts.Node): void => {
    if (isTranslated(node)) {
      const [message, ...values] = node.arguments;
      if (message !== undefined && ts.isStringLiteralLike(message)) messages.push(message.text);
      else computed.push(place(node, node.getText()));
      for (const value of values) visit(value);
      return;
    }
    const text = textOf(node);
    if (text !== undefined && !withoutMessages.has(name) && isShown(node, text))
      others.push(place(node, text));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { messages, others, computed };
}

function isTranslated(node: ts.Node): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) && ts.isIdentifier(node.expression) && /^(?:t|rich)$/.test(node.expression.text)
  );
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('');
  return undefined;
}

/** True if a reader of the page may see the text: it has words, and is at no place for a machine. */
function isShown(node: ts.Node, text: string): boolean {
  if (!/\p{L}{2,}/u.test(text) || names.has(text.trim())) return false;
  if (ts.isJsxText(node)) return !isInMachineElement(node);
  const { parent } = node;
  if (ts.isJsxAttribute(parent))
    return !technicalAttributes.test(parent.name.getText()) && !technicalTexts.test(text);
  if (technicalTexts.test(text)) return false;
  const isSentence = /(?:^|[\s(“‘])\p{Lu}\p{Ll}|\p{L}{2,}[,.:…]? \p{L}/u.test(text);
  return isSentence && !isTechnical(node);
}

function isInMachineElement(node: ts.Node): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent)
    if (ts.isJsxElement(at) && machineElements.has(at.openingElement.tagName.getText())) return true;
  return false;
}

/** True if the text is compared, imported, or an argument of a technical call. */
function isTechnical(node: ts.Node): boolean {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (isNeverShown(parent, at)) return true;
    if (ts.isJsxAttribute(parent)) return technicalAttributes.test(parent.name.getText());
    if (ts.isCallExpression(parent) && at !== parent.expression) return isTechnicalCall(parent);
    if (ts.isStatement(parent) || ts.isJsxElement(parent)) return false;
  }
  return false;
}

function isNeverShown(parent: ts.Node, node: ts.Node): boolean {
  return (
    ts.isImportDeclaration(parent) ||
    ts.isTypeNode(parent) ||
    (ts.isCaseClause(parent) && parent.expression === node) ||
    (ts.isBinaryExpression(parent) && /^(?:[!=]==|in)$/.test(parent.operatorToken.getText())) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isElementAccessExpression(parent) && parent.argumentExpression === node)
  );
}

function isTechnicalCall({ expression }: ts.CallExpression): boolean {
  const callee = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return technicalCalls.test(callee.getText());
}
