import { Lexer } from 'yaml';

const deepest = 64;

/**
 * The line on which a YAML text nests deeper than any file of ours can need, or undefined. It is found on the tokens,
 * because the parser itself recurses and a hundred thousand brackets would abort the process.
 */
export function tooDeepAt(text: string): number | undefined {
  let line = 1;
  let brackets = 0;
  let indicators = 0;
  let lineBegins = true;
  const indents: number[] = [];
  for (const token of new Lexer().lex(text)) {
    if (lineBegins && token !== '' && !token.startsWith('\n')) {
      noteIndent(indents, /^ +$/.test(token) ? token.length : 0);
      lineBegins = false;
    }
    if (token === '[' || token === '{') brackets++;
    else if (token === ']' || token === '}') brackets--;
    else if (token === '-' || token === '?' || token === ':') indicators++;
    if (Math.max(brackets, indicators, indents.length) > deepest) return line;
    const breaks = lineBreaks(token);
    if (breaks > 0) {
      line += breaks;
      indicators = 0;
      lineBegins = true;
    }
  }
  return undefined;
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
