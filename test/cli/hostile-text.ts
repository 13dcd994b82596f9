/**
 * Text that would colour, move and rename a terminal's window, turn the direction of writing, hide letters, and forge a
 * line of ours.
 */
export const hostileText =
  '\u001b[2J\u001b]0;owned\u0007\u009b31m\u009d0;owned\u009c\u0000\b\r\u007fEVIL\u202etxt\u202d\u2066\u2069\u200e\u200f\u061c\u200b\ufeff\u2028\u2029\u00ad\u{e0041}\n✔ FORGED';

/** The same without what neither a file name nor a YAML file can hold. */
export const hostileName =
  '\u001b[2J\u009b31m\u007fEVIL\u202etxt\u202d\u2066\u2069\u200e\u200f\u061c\u200b\u2028\u00ad';

/** Whatever must not reach a terminal. */
export const controls = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
