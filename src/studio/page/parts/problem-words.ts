import type { ProblemCountWithEffect } from '../../wire/mapping.ts';
import { t } from '../language.ts';
import { contactFieldLabels, formatTargetLabel } from './target-words.ts';

/** Words that follow the name of the field, by the whole code or by its last part. */
const words: Readonly<Record<string, string>> = {
  invalid: t('not valid'),
  missing: t('missing'),
  'firstName.missing': t('missing for a new contact'),
  notAllowed: t('not an allowed value'),
  tooLong: t('too long'),
  tooMany: t('too many'),
  unknown: t('not known'),
  extension: t('extension left out'),
  countryUnknown: t('country not understood'),
  countryAssumed: t('country assumed'),
  default: t('default used for a new contact'),
  other: t('further value left out'),
  leftOut: t('left out'),
  folded: t('merged with that of another row'),
  kept: t('the contact has another value'),
  shared: t('belongs to another person'),
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
  backward: t('the contact is in a later stage'),
  unlisted: t('not in the order of stages'),
  blocked: t('the contact is blocked'),
  left: t('not sent, because the contact existed'),
  edited: t('changed since it was sent'),
  uncertain: t('perhaps sent'),
  confirmed: t('confirmed as sent'),
  split: t('sent in several parts'),
  repeated: t('the same as in another row'),
  noKey: t('without a key'),
  sameKey: t('the same key twice'),
};

/** Words for whole codes, which need no name of a field. */
const wholeCodes: Readonly<Record<string, string>> = {
  'identity.missing': t('no valid e-mail or phone'),
  'identity.duplicate': t('several rows for one person'),
  'identity.folded': t('same person as another row'),
  'identity.conflict': t('e-mail and phone of different contacts'),
  'identity.ask': t('perhaps the same person'),
  'identity.forgotten': t('perhaps a person who was forgotten'),
  'identity.byPhoneAlone': t('found by the phone alone'),
  'identity.exists': t('the contact exists already'),
  'identity.stale': t('changed in the meantime'),
  'identity.doubled': t('created twice'),
  'key.reused': t('the key belongs to another person'),
  'person.forgotten': t('a person who was forgotten'),
  'contact.deleted': t('the contact was deleted'),
  'plan.stale': t('changed since the plan was made'),
  'workspace.refused': t('refused by the workspace'),
  'workspace.failed': t('a request failed'),
};

/** Returns the words for a code without its field; for an unknown code its last part. */
function formatWithoutField(code: string): string {
  const last = code.slice(code.lastIndexOf('.') + 1);
  return words[code] ?? words[last] ?? last.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Returns a problem of a mapping in words: `E-mail: not valid`. */
export function formatProblem({ code, target }: Pick<ProblemCountWithEffect, 'code' | 'target'>): string {
  const problem = wholeCodes[code] ?? formatWithoutField(code);
  return t('{target}: {problem}', { target: formatTargetLabel(target), problem });
}

/** Returns the code of a problem of a run in words: `E-mail: not valid`, `same person as another row`. */
export function formatProblemCode(code: string): string {
  const field = code.slice(0, Math.max(0, code.lastIndexOf('.')));
  return wholeCodes[code] ?? formatProblem({ code, target: targetOf(field) });
}

/** Returns the target of a problem's field, as a mapping names it. */
function targetOf(field: string): string {
  if (field === 'row') return 'file';
  return field in contactFieldLabels ? `contact.${field}` : field;
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
