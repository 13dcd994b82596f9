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
