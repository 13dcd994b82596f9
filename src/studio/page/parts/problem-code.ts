/** The last words of problem codes that are no plain English, in plain English. */
const plainWords: Readonly<Record<string, string>> = {
  folded: 'merged with that of another row',
  ragged: 'too many or too few cells',
};

/** Formats the code of a problem: as it is, or in words where its own are no plain English. */
export function formatProblemCode(code: string): string {
  if (code === 'identity.folded') return 'same person as another row';
  const at = code.lastIndexOf('.');
  const words = plainWords[code.slice(at + 1)];
  return words === undefined ? code : `${code.slice(0, at)}: ${words}`;
}
