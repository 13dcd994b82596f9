/** What a spreadsheet would run, or what our own apostrophe could be mistaken for; full-width signs count. */
const runs = /^[\s\p{Cc}\p{Cf}]*['=+\-@＝＋－＠]/u;

const number = /^[+-]?\d+(?:[.,]\d+)*(?:[eE][+-]?\d+)?\s?%?$/;

const phone = /^\+(?:[\s().\-/]*\d){7,15}(?:\s*(?:x|ext\.?)\s*\d{1,6})?$/i;

/** The cell with an apostrophe before it where a spreadsheet would run it; phones and numbers stay as they are. */
export function guardCell(cell: string): string {
  return runs.test(cell) && !number.test(cell) && !phone.test(cell) ? `'${cell}` : cell;
}

/** The cell without the apostrophe of `guardCell`, nor one that a person put before a phone or a number. */
export function unguardCell(cell: string): string {
  return cell.startsWith("'") && runs.test(cell.slice(1)) ? cell.slice(1) : cell;
}

/** After these a spreadsheet that opens a CSV with another delimiter begins a cell or a row of its own. */
const breaks = /([;\r\n])/;

const runsBehindSemicolon = /^'*[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;

/** A line of a text may begin with a dash; a formula has something right behind it. */
const runsInNewLine = /^'*[\s\p{Cc}\p{Cf}]*(?:[=@＝＠]|[+\-＋－](?=[^\s-]))/u;

/** The same for a cell of a CSV, which a spreadsheet may split at a semicolon or a line end, whatever quotes it has. */
export function guardCsvCell(cell: string): string {
  return piecewise(cell, guardCell, (piece, runsThere) =>
    runsThere.test(piece) && !number.test(piece) && !phone.test(piece) ? `'${piece}` : piece,
  );
}

/** The cell without the apostrophes of `guardCsvCell`. */
export function unguardCsvCell(cell: string): string {
  return piecewise(cell, unguardCell, (piece, runsThere) =>
    piece.startsWith("'") && runsThere.test(piece.slice(1)) ? piece.slice(1) : piece,
  );
}

function piecewise(
  cell: string,
  first: (piece: string) => string,
  further: (piece: string, runsThere: RegExp) => string,
): string {
  if (!breaks.test(cell)) return first(cell);
  return cell
    .split(breaks)
    .map((part, index, parts) => {
      if (index % 2 === 1) return part;
      if (index === 0) return first(part);
      return further(part, parts[index - 1] === ';' ? runsBehindSemicolon : runsInNewLine);
    })
    .join('');
}
