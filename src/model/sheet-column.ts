/** Returns the letters of a sheet's column, from 0: A, B, …, Z, AA. */
export function toColumnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : toColumnLetters(Math.floor(column / 26) - 1) + last;
}
