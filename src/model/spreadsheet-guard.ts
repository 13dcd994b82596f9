/**
 * Cells that a spreadsheet would run as a formula, or that look like one with our apostrophe; full-width characters
 * count.
 */
const runs = /^[\s\p{Cc}\p{Cf}]*['=+\-@＝＋－＠]/u;

const number = /^[+-]?\d+(?:[.,]\d+)*(?:[eE][+-]?\d+)?\s?%?$/;

const phone = /^\+(?:[\s().\-/]*\d){7,15}(?:\s*(?:x|ext\.?)\s*\d{1,6})?$/i;

/**
 * Returns the cell with an apostrophe before it where a spreadsheet would run it; phones and numbers stay as they are.
 */
export function escapeFormulaCell(cell: string): string {
  return runs.test(cell) && !number.test(cell) && !phone.test(cell) ? `'${cell}` : cell;
}

/** Returns the cell without the apostrophe of `escapeFormulaCell`, or one that the user put before a phone or a number. */
export function unescapeFormulaCell(cell: string): string {
  return cell.startsWith("'") && runs.test(cell.slice(1)) ? cell.slice(1) : cell;
}

const runsBehindSemicolon = /^'*[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;

/** A line of a text may begin with a dash; in a formula, a character other than a blank follows it. */
const runsInNewLine = /^'*[\s\p{Cc}\p{Cf}]*(?:[=@＝＠]|[+\-＋－](?=[^\s-]))/u;

/**
 * Returns a cell of a CSV with an apostrophe before each part that a spreadsheet would run as a formula: it may split the
 * cell at a semicolon or a line end, even within quotes.
 */
export function escapeCsvFormula(cell: string): string {
  return piecewise(cell, (line, runsThere, whole) =>
    // Only a number that is the whole cell stays unguarded: a formula may begin with one and continue on its next line.
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
