import { type Document, isAlias, isNode, isScalar, LineCounter, type Scalar, visit } from 'yaml';
import { isTodoPlaceholder } from '../../model/todo.ts';
import type { YamlMistake } from './mistake.ts';
import { createKeyPlaceFinder, type KeyPlaceFinder } from './places.ts';
import { aliasesUnsupportedMessage, checkYamlLimits, parseYamlDocuments } from './yaml-text.ts';

export interface ParsedYaml {
  readonly mistakes: readonly YamlMistake[];
  /** Absent where the text could not be read at all. */
  readonly places?: KeyPlaceFinder;
  readonly value?: unknown;
}

/**
 * Parses one YAML 1.2 document to plain values, with the places of its keys and values. Mistakes include content that
 * YAML allows and these files do not, such as aliases, tags and TODOs.
 */
export function parseYaml(text: string): ParsedYaml {
  const refused = checkYamlLimits(text);
  if (refused !== undefined) return unreadable(refused.line, 1, refused.reason);
  const lines = new LineCounter();
  const [document, second] = parseYamlDocuments(text, lines);
  if (!document?.contents) return unreadable(1, 1, 'the file is empty');
  const at = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (second) {
    const { line, column } = at(second.range?.[0] ?? 0);
    return unreadable(line, column, 'a second YAML document begins here; only one is allowed');
  }
  const errors = [...document.errors, ...document.warnings];
  const mistakes = errors.map(({ code, message, pos }) => ({
    ...at(pos[0]),
    key: '',
    reason: plainSyntax(code, message),
  }));
  // The values of a file with duplicate keys can still be read; after any other error they cannot.
  if (errors.some(({ code }) => code !== 'DUPLICATE_KEY')) return { mistakes };
  const places = createKeyPlaceFinder(document, at);
  const content = contentMistakes(document, places);
  mistakes.push(...content.mistakes);
  if (!content.readable) return { mistakes };
  return { mistakes, places, value: document.toJS({ maxAliasCount: 0 }) };
}

function unreadable(line: number, column: number, reason: string): ParsedYaml {
  return { mistakes: [{ line, column, key: '', reason }] };
}

const syntaxWords: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'a tab is used for indentation; YAML needs spaces',
  BLOCK_AS_IMPLICIT_KEY: 'a text with ": " in it must be quoted',
  MULTILINE_IMPLICIT_KEY: 'a key must be on one line, followed by a colon and a space',
  MISSING_CHAR: 'a closing quote, bracket or colon is missing',
  TAG_RESOLVE_FAILED: 'YAML tags (!) are not supported; a text that begins with ! must be quoted',
};

function plainSyntax(code: string, message: string): string {
  if (code === 'DUPLICATE_KEY') return `duplicate key ${JSON.stringify(message)}; remove one`;
  const plain = syntaxWords[code];
  return plain === undefined ? message : `${plain} (${message})`;
}

/**
 * Returns mistakes for content that YAML allows and these files do not; `readable` is true if plain values can be made
 * of the rest.
 */
function contentMistakes(
  document: Document,
  places: KeyPlaceFinder,
): { readonly mistakes: readonly YamlMistake[]; readonly readable: boolean } {
  const mistakes: YamlMistake[] = [];
  let readable = true;
  const note = (node: object, reason: string): void => {
    mistakes.push({ ...places.ofNode(node), reason });
  };
  visit(document, {
    Alias(_key, node) {
      readable = false;
      note(node, aliasesUnsupportedMessage);
    },
    Pair(_key, { key }) {
      if (isScalar(key)) return;
      readable = false;
      if (isNode(key) && !isAlias(key)) {
        note(key, 'a key must be plain text; quote it if it begins with { or [');
      }
    },
    Scalar(position, node) {
      const reason = whatIsLost(node, position === 'key');
      if (reason !== undefined) note(node, reason);
    },
  });
  return { mistakes, readable };
}

/**
 * Returns the mistake of a scalar: a number that would not be read back as written (`+49`, `007`, `1.50`), a TODO, or
 * an unusable key; undefined if there is none.
 */
function whatIsLost({ value, source = '' }: Scalar, isKey: boolean): string | undefined {
  if (typeof value === 'number' && String(value) !== source) {
    return `${source} is read as the number ${value}; quote it: "${source}"`;
  }
  if (!isKey) return typeof value === 'string' && isTodoPlaceholder(value) ? stillToDo(value) : undefined;
  if (value === null) return `the key ${source || '~'} is read as nothing; quote it: "${source}"`;
  return value === '__proto__' ? 'this cannot be a key' : undefined;
}

function stillToDo(value: string): string {
  return `still to do: replace ${JSON.stringify(value)} with your answer`;
}
