import { t } from '../language.ts';

/** Plain words for the last parts of problem codes that are not self-explanatory. */
const plainWords: Readonly<Record<string, string>> = {
  folded: t('merged with that of another row'),
  ragged: t('too many or too few cells'),
};

/** Formats the code of a problem: unchanged, or in plain words if it is not self-explanatory. */
export function formatProblemCode(code: string): string {
  if (code === 'identity.folded') return t('same person as another row');
  const at = code.lastIndexOf('.');
  const words = plainWords[code.slice(at + 1)];
  return words === undefined ? code : `${code.slice(0, at)}: ${words}`;
}
