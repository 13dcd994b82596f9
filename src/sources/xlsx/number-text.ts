const mostSignificant = 15;
const mostShifted = 40;

/**
 * A stored number as plain decimals: never an exponent, and a fraction to the 15 digits that a spreadsheet program shows,
 * so that 0.30000000000000004 is 0.3. Whole numbers keep every digit that the file has.
 */
export function numberText(stored: string): string {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(stored.trim());
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = found ?? [];
  if (found === null || whole + fraction === '') return stored;
  const shift = Number(exponent);
  if (Math.abs(shift) > mostShifted) return String(Number(stored));
  const { before, after } = shifted(whole, fraction, shift);
  const tooFine =
    after !== '' && before.length <= mostSignificant && significant(before, after) > mostSignificant;
  const text = tooFine ? rounded(`${before}.${after}`) : joined(before, after);
  return sign === '-' && /[1-9]/.test(text) ? `-${text}` : text;
}

/** Whether a plain number is whole and longer than what a spreadsheet program keeps of a number. */
export function mayBeCut(text: string): boolean {
  return text.length > mostSignificant && /^-?\d{16,}$/.test(text);
}

function shifted(whole: string, fraction: string, by: number): { before: string; after: string } {
  const digits = whole + fraction;
  const point = whole.length + by;
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0');
  const at = Math.max(0, point);
  // An id with zeros in front is no number any more, but a file that stores one wants them.
  const keep = by === 0 && fraction === '';
  const before = keep ? whole : padded.slice(0, at).replace(/^0+(?=.)/, '');
  return { before: before === '' ? '0' : before, after: padded.slice(at).replace(/0+$/, '') };
}

function significant(before: string, after: string): number {
  return (before + after).replace(/^0+/, '').length;
}

function rounded(plain: string): string {
  const [mantissa = '', exponent = '0'] = Number(plain)
    .toExponential(mostSignificant - 1)
    .split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const { before, after } = shifted(whole, fraction, Number(exponent));
  return joined(before, after);
}

function joined(before: string, after: string): string {
  return after === '' ? before : `${before}.${after}`;
}
