/**
 * Matches a cell that a spreadsheet would run as a formula, also with full-width characters, and a cell that begins
 * with an apostrophe, which `unescapeSheetFormula` could otherwise remove.
 */
const runs = /^[\s\p{Cc}\p{Cf}]*['=+\-@＝＋－＠]/u;

const number = /^[+-]?\d+(?:[.,]\d+)*(?:[eE][+-]?\d+)?\s?%?$/;

const phone = /^\+(?:[\s().\-/]*\d){7,15}(?:\s*(?:x|ext\.?)\s*\d{1,6})?$/i;

/**
 * Returns the cell with an apostrophe before it if a spreadsheet would run it or if it begins with an apostrophe;
 * phones and numbers are returned unchanged.
 */
export function escapeSheetFormula(cell: string): string {
  return runs.test(cell) && !number.test(cell) && !phone.test(cell) ? `'${cell}` : cell;
}

/**
 * Returns the cell without the apostrophe of `escapeSheetFormula`; also removes one that the user put before a phone or
 * a number.
 */
export function unescapeSheetFormula(cell: string): string {
  return cell.startsWith("'") && runs.test(cell.slice(1)) ? cell.slice(1) : cell;
}

const runsBehindSemicolon = /^'*[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;

/**
 * Matches a line, after a line end in a cell, that a spreadsheet would run as a formula. A plus or dash counts only if
 * no blank or dash follows it, because a line of a text may begin with a dash.
 */
const runsInNewLine = /^'*[\s\p{Cc}\p{Cf}]*(?:[=@＝＠]|[+\-＋－](?=[^\s-]))/u;

/**
 * Returns a cell of a CSV with an apostrophe before each part that a spreadsheet would run as a formula. The parts end
 * at semicolons and line ends, where a spreadsheet may split the cell, even within quotes.
 */
export function escapeCsvFormula(cell: string): string {
  return piecewise(cell, (line, runsThere, whole) =>
    // A number on the first line of a part is left alone only if no line follows: a formula may begin with a number and
    // continue on the next line.
    runsThere.test(line) && !(whole && (number.test(line) || phone.test(line))) ? `'${line}` : line,
  );
}

/** Returns the cell without the apostrophes of `escapeCsvFormula`. */
export function unescapeCsvFormula(cell: string): string {
  return piecewise(cell, (line, runsThere) =>
    line.startsWith("'") && runsThere.test(line.slice(1)) ? line.slice(1) : line,
  );
}

function piecewise(
  cell: string,
  change: (line: string, runsThere: RegExp, whole: boolean) => string,
): string {
  if (!/[;\r\n]/.test(cell)) return change(cell, runs, true);
  return cell
    .split(';')
    .map((piece, place) => {
      const [first = '', ...further] = piece.split(/([\r\n])/);
      const head = change(first, place === 0 ? runs : runsBehindSemicolon, further.length === 0);
      return (
        head +
        further.map((line, index) => (index % 2 === 0 ? line : change(line, runsInNewLine, true))).join('')
      );
    })
    .join(';');
}

/**
 * The `replace` of a rule that takes off the apostrophe with which other systems keep a spreadsheet from changing a
 * number or code (`'02101`); nothing else of the value changes.
 */
export const valueGuardReplacement = { pattern: "^'([-+=@0-9])", with: '$1' } as const;
