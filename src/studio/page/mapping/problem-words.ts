import type { ProblemCountWithEffect } from '../../wire/mapping.ts';
import { formatTargetLabel } from './target-words.ts';

/** Words for codes, by the whole code or by its last part. */
const words: Readonly<Record<string, string>> = {
  invalid: 'not valid',
  missing: 'missing',
  notAllowed: 'not an allowed value',
  tooLong: 'too long',
  tooMany: 'too many',
  unknown: 'not known',
  extension: 'extension left out',
  countryUnknown: 'country not understood',
  other: 'further value left out',
  leftOut: 'left out',
  ragged: 'too many or too few cells',
  quote: 'quotes that do not match',
  encoding: 'characters that are not in its encoding',
  tooLarge: 'row too large',
  digitsLost: 'digits lost in a spreadsheet',
  json: 'not valid JSON',
  notObject: 'a record without columns',
  tooDeep: 'nested too deeply',
  longColumn: 'a column name too long',
  damaged: 'refers to a text that is not there',
  malformed: 'a line that is not a property',
  stray: 'text outside of every card',
  incomplete: 'cut off',
  'identity.missing': 'no valid e-mail or phone',
  'firstName.missing': 'missing for a new contact',
};

/** Returns a problem in words: `E-mail: not valid`. */
export function formatProblem({ code, target }: Pick<ProblemCountWithEffect, 'code' | 'target'>): string {
  const last = code.slice(code.lastIndexOf('.') + 1);
  const plain = last.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${formatTargetLabel(target)}: ${words[code] ?? words[last] ?? plain}`;
}

/** Labels of the effects of a problem on its row. */
export const problemEffectLabels = {
  rejected: 'rejected',
  rejectedIfNew: 'rejected if new',
  dropped: 'value lost',
} as const;

/** Returns a text that is different for each problem of a mapping: `EFFECT CODE`. */
export function buildProblemKey({ code, effect }: Pick<ProblemCountWithEffect, 'code' | 'effect'>): string {
  return `${effect} ${code}`;
}
