import { t } from '../language.ts';

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
