import type { Cell } from '../../model/row.ts';
import type { Lexis } from './lexis.ts';
import { expressionEnd } from './strings.ts';

type Evaluate = (argument: string) => Cell | undefined;

const casted = /^([\s\S]*)\sAS\s+[\w\s(),."[\]]+$/i;
const transcoded = /^([\s\S]*)\sUSING\s+\w+$/i;

/** Functions that dumps write around values, each by what it gives; undefined where it is not that simple. */
const functions: Readonly<Record<string, (args: readonly string[]) => Cell | undefined>> = {
  REPLACE: ([text, what, by]) =>
    text === undefined || what === undefined || by === undefined
      ? undefined
      : text.replaceAll(what, () => by),
  CHAR: (codes) => codes.map((code) => String.fromCodePoint(Number(code))).join(''),
  UNISTR: ([text]) =>
    text?.replace(
      /\\(?:u([0-9a-f]{4})|\+([0-9a-f]{6})|([0-9a-f]{4})|(\\))/gi,
      (_, ...hex: (string | undefined)[]) =>
        String.fromCodePoint(Number.parseInt(hex[0] ?? hex[1] ?? hex[2] ?? '5c', 16)),
    ),
  CONCAT: (parts) => parts.join(''),
  TO_DATE: ([text]) => text,
  TO_TIMESTAMP: ([text]) => text,
  JSON: ([text]) => text,
};

/** The cell of a call of a function that dumps write around values, else undefined. */
export function callOf(text: string, lexis: Lexis, evaluate: Evaluate): Cell | undefined {
  const begun = /^([A-Za-z_]\w*)\s*\(/.exec(text);
  if (begun === null || !text.endsWith(')')) return undefined;
  const name = begun[1]?.toUpperCase() ?? '';
  const inside = text.slice(begun[0].length, -1);
  if (name === 'CAST' || name === 'CONVERT') {
    const value = (name === 'CAST' ? casted : transcoded).exec(inside)?.[1];
    return value === undefined ? undefined : evaluate(value.trim());
  }
  const give = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (give === undefined) return undefined;
  const cells: string[] = [];
  for (let at = 0; at <= inside.length; ) {
    const end = expressionEnd(inside, at, lexis);
    const cell = evaluate(inside.slice(at, end).trim());
    // NULL within a function is not worth a guess.
    if (cell === undefined || cell === null) return undefined;
    cells.push(cell);
    at = end + 1;
  }
  return give(cells);
}
