import { t } from '../language.ts';

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
    <table class="before-after">
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
            {!isNew && <td>{from !== undefined && <DiffValue value={from} tone="old" />}</td>}
            <td>
              <DiffValue value={to} tone="new" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
