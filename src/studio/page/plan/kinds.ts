import { t } from '../language.ts';
import { formatFieldLabel, formatTargetLabel } from '../parts/target-words.ts';

/** Labels of the kinds of changes; others are shown by name. */
const words: ReadonlyMap<string, string> = new Map([
  ['filled', t('filled')],
  ['replaced', t('replaced')],
  ['cleared', t('cleared')],
  ['create', t('new contact')],
  ['merge', t('merge')],
  ['lifecycle', t('lifecycle')],
  ['assignee', t('assignee')],
  ['conversation', t('conversation')],
  ['attachTags', t('tags')],
  ['comment', t('comment')],
  ['comments', t('comment')],
]);

export function formatChangeKind(kind: string | null): string {
  return kind === null ? t('no change') : (words.get(kind) ?? kind);
}

/** Returns the label of what a change is about: a field, or the only value of a step, such as the stage. */
export function formatChangedField(kind: string | null, field: string): string {
  if (kind === 'comment') return formatTargetLabel('comments', field.replace(/ text$/, ''));
  if (kind === 'lifecycle' || kind === 'assignee') return formatTargetLabel(kind);
  return kind === 'merge' && field === 'contacts' ? t('Contacts') : formatFieldLabel(field);
}
