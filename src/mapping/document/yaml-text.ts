import {
  type Document,
  isMap,
  isScalar,
  Lexer,
  type LineCounter,
  parseAllDocuments,
  visit,
  YAMLParseError,
} from 'yaml';

const deepest = 64;

/** The longest YAML text that is read, in bytes of a file and in characters of a text. */
export const maxYamlLength = 4 * 1024 * 1024;

/** The message for an alias, which could expand to more than fits into memory. */
export const aliasesUnsupportedMessage = 'aliases (*name) are not supported; write it out';

/**
 * Returns the line and the reason if a text is too long or too deeply nested to be parsed; undefined if it can be
 * parsed.
 */
export function checkYamlLimits(
  text: string,
): { readonly line: number; readonly reason: string } | undefined {
  if (text.length > maxYamlLength) {
    const sizes = `${text.length} characters; at most ${maxYamlLength} are read`;
    return { line: 1, reason: `the file is too long: it has ${sizes}` };
  }
  const deep = tooDeepAt(text);
  return deep === undefined ? undefined : { line: deep, reason: 'the file is nested too deeply' };
}

/**
 * Returns the line where a YAML text exceeds 64 levels; undefined if it does not. Counts tokens, because the recursive
 * parser would abort the process on a hundred thousand brackets.
 */
function tooDeepAt(text: string): number | undefined {
  let line = 1;
  let lineBegins = true;
  const indents: number[] = [];
  const inLine = new DepthInLine();
  for (const token of new Lexer().lex(text)) {
    if (lineBegins && token !== '' && !token.startsWith('\n')) {
      noteIndent(indents, /^ +$/.test(token) ? token.length : 0);
      lineBegins = false;
    }
    inLine.note(token);
    if (Math.max(inLine.depth, indents.length) > deepest) return line;
    const breaks = lineBreaks(token);
    if (breaks > 0) {
      line += breaks;
      inLine.end();
      lineBegins = true;
    }
  }
  return undefined;
}

/**
 * Counts the open brackets, and the indicators (`- `, `? `, `: `) of the current line. After a comma, only the
 * indicators before the open bracket count.
 */
class DepthInLine {
  /** The number of indicators before each open bracket. */
  readonly #brackets: number[] = [];
  #indicators = 0;

  get depth(): number {
    return Math.max(this.#brackets.length, this.#indicators);
  }

  note(token: string): void {
    if (token === '[' || token === '{') this.#brackets.push(this.#indicators);
    else if (token === ',') this.#indicators = this.#brackets.at(-1) ?? this.#indicators;
    else if (token === ']' || token === '}') this.#indicators = this.#brackets.pop() ?? this.#indicators;
    else if (token === '-' || token === '?' || token === ':') this.#indicators++;
  }

  /** Ends a line: resets the indicators; open brackets continue on the next line. */
  end(): void {
    this.#indicators = 0;
  }
}

function noteIndent(indents: number[], indent: number): void {
  while ((indents.at(-1) ?? -1) >= indent) indents.pop();
  indents.push(indent);
}

function lineBreaks(token: string): number {
  let found = 0;
  for (let at = token.indexOf('\n'); at >= 0; at = token.indexOf('\n', at + 1)) found++;
  return found;
}

/**
 * Parses a YAML 1.2 text into its documents, and adds an error to a document for each duplicate key. The parser does
 * not search for duplicates itself: it would compare each key with all others, which takes minutes in a long file.
 */
export function parseYamlDocuments(text: string, lineCounter?: LineCounter): readonly Document[] {
  const options = { version: '1.2', prettyErrors: false, uniqueKeys: false } as const;
  const documents = parseAllDocuments(
    text,
    lineCounter === undefined ? options : { ...options, lineCounter },
  );
  if (!Array.isArray(documents)) return [];
  for (const document of documents) document.errors.push(...duplicateKeys(document));
  return documents;
}

function duplicateKeys(document: Document): YAMLParseError[] {
  const found: YAMLParseError[] = [];
  visit(document, {
    Map(_key, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          const [from = 0, to = from] = key.range ?? [];
          found.push(new YAMLParseError([from, to], 'DUPLICATE_KEY', String(key.value)));
        }
        seen.add(key.value);
      }
    },
  });
  return found;
}

/**
 * Returns the document of a text that is a map of keys without aliases (an alias could expand to more than fits into
 * memory); otherwise the mistake in the text.
 */
export function parseYamlMap(text: string): Document | { readonly mistake: string } {
  const document = plainDocument(text);
  if (document === undefined) return { mistake: notAMap };
  return 'mistake' in document || isMap(document.contents) ? document : { mistake: notAMap };
}

const notAMap = 'it is no map of keys';

/**
 * Parses the first document of a YAML text to plain values, null for an empty text; returns the first mistake if it
 * cannot be parsed or has an alias.
 */
export function parsePlainYaml(text: string): { readonly value: unknown } | { readonly mistake: string } {
  const document = plainDocument(text);
  if (document === undefined) return { value: null };
  return 'mistake' in document ? document : { value: document.toJS({ maxAliasCount: 0 }) };
}

/** Returns the first document of a text, without aliases, or the mistake in it; undefined if there is none. */
function plainDocument(text: string): Document | { readonly mistake: string } | undefined {
  const refused = checkYamlLimits(text);
  if (refused !== undefined) return { mistake: `${refused.reason} (line ${refused.line})` };
  const [document] = parseYamlDocuments(text);
  const [error] = document?.errors ?? [];
  if (document === undefined || error !== undefined) return error && { mistake: error.message };
  let hasAlias = false;
  visit(document, {
    Alias() {
      hasAlias = true;
      return visit.BREAK;
    },
  });
  return hasAlias ? { mistake: aliasesUnsupportedMessage } : document;
}
