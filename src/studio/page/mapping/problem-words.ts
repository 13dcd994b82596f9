import type { ProblemCountWithEffect } from '../../wire/mapping.ts';
import { t } from '../language.ts';
import { formatTargetLabel } from './target-words.ts';

/** Words for codes, by the whole code or by its last part. */
const words: Readonly<Record<string, string>> = {
  invalid: t('not valid'),
  missing: t('missing'),
  notAllowed: t('not an allowed value'),
  tooLong: t('too long'),
  tooMany: t('too many'),
  unknown: t('not known'),
  extension: t('extension left out'),
  countryUnknown: t('country not understood'),
  other: t('further value left out'),
  leftOut: t('left out'),
  ragged: t('too many or too few cells'),
  quote: t('quotes that do not match'),
  encoding: t('characters that are not in its encoding'),
  tooLarge: t('row too large'),
  digitsLost: t('digits lost in a spreadsheet'),
  json: t('not valid JSON'),
  notObject: t('a record without columns'),
  tooDeep: t('nested too deeply'),
  longColumn: t('a column name too long'),
  damaged: t('refers to a text that is not there'),
  malformed: t('a line that is not a property'),
  stray: t('text outside of every card'),
  incomplete: t('cut off'),
  'identity.missing': t('no valid e-mail or phone'),
  'firstName.missing': t('missing for a new contact'),
};

/** Returns a problem in words: `E-mail: not valid`. */
export function formatProblem({ code, target }: Pick<ProblemCountWithEffect, 'code' | 'target'>): string {
  const last = code.slice(code.lastIndexOf('.') + 1);
  const plain = last.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const problem = words[code] ?? words[last] ?? plain;
  return t('{target}: {problem}', { target: formatTargetLabel(target), problem });
}

/** Labels of the effects of a problem on its row. */
export const problemEffectLabels = {
  rejected: t('rejected'),
  rejectedIfNew: t('rejected if new'),
  dropped: t('value lost'),
};

/** Formats the number of rows with a problem and its effect on them. */
export function formatEffectCount({ effect, n }: Pick<ProblemCountWithEffect, 'effect' | 'n'>): string {
  if (effect === 'dropped') return t('{n, number} lost', { n });
  return effect === 'rejected' ? t('{n, number} rejected', { n }) : t('{n, number} rejected if new', { n });
}

/** Returns a text that is different for each problem of a mapping: `EFFECT CODE`. */
export function buildProblemKey({ code, effect }: Pick<ProblemCountWithEffect, 'code' | 'effect'>): string {
  return `${effect} ${code}`;
}
