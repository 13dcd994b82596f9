import { t } from '../language.ts';
import { formatFieldLabel, formatTargetLabel } from '../parts/target-words.ts';

/** A value before or after a change; nothing for null, an unknown value. */
export function DiffValue({ value, tone }: { readonly value: string | null; readonly tone: 'old' | 'new' }) {
  if (value === null) return null;
  return value === '' ? <span class="note">{t('empty')}</span> : <span class={tone}>{value}</span>;
}

interface BeforeAfterProps {
  readonly changes: readonly { readonly label: string; readonly from?: string; readonly to: string }[];
  /** True for a new contact, which has no values before. */
  readonly isNew?: boolean;
}

/** The table of a contact's values before and after. */
export function BeforeAfterTable({ changes, isNew = false }: BeforeAfterProps) {
  return (
    <table class={isNew ? 'before-after' : 'before-after stacks'}>
      <thead>
        <tr>
          <th scope="col">{t('Field')}</th>
          {!isNew && <th scope="col">{t('Before')}</th>}
          <th scope="col">{t('After')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ label, from, to }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {!isNew && (
              <td data-head={t('Before')}>{from !== undefined && <DiffValue value={from} tone="old" />}</td>
            )}
            <td data-head={t('After')}>
              <DiffValue value={to} tone="new" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

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
