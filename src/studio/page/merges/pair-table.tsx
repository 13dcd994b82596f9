import { useEffect, useId, useRef } from 'preact/hooks';
import type { PairWithDecision, ProposalField } from '../../wire/merges.ts';
import { formatRowLine } from '../figures.ts';
import { t } from '../language.ts';
import { Form } from '../parts/controls.tsx';
import { formatFieldLabel } from '../parts/target-words.ts';

interface PairTableProps {
  readonly pair: PairWithDecision;
  readonly isEditing: boolean;
  onSave(result: Readonly<Record<string, string>>): Promise<void>;
  onCancel(): void;
}

const agreements = {
  equal: t('same'),
  differs: t('differs'),
  onlyOlder: t('only the older has it'),
  onlyNewer: t('only the newer has it'),
};

function markOf({ agreement, row }: ProposalField): string {
  if (agreement !== 'neither') return agreements[agreement];
  return row === '' ? '' : t('only the row has it');
}

/** Two contacts and a row side by side, with the editable result of their merge. */
export function MergePairTable({ pair, isEditing, onSave, onCancel }: PairTableProps) {
  const form = useRef<HTMLFormElement>(null);
  const { fields, contacts, line, decision } = pair;
  const edited = decision.result ?? {};
  const shown = fields.filter(
    (each) =>
      isEditing ||
      [each.older, each.newer, each.row, each.result, edited[each.field] ?? ''].some((value) => value !== ''),
  );
  useEffect(() => {
    if (isEditing) form.current?.querySelector('input')?.focus();
  }, [isEditing]);
  const save = () => {
    if (form.current === null) return;
    const entries = [...new FormData(form.current)].map(
      ([field, value]) => [field, String(value).replaceAll('\r\n', '\n')] as const,
    );
    const changed = entries.filter(
      ([field, value]) => fields.find((each) => each.field === field)?.result !== value,
    );
    void onSave(Object.fromEntries(changed));
  };
  const heads = [
    t('Contact {id}, older', { id: contacts[0] }),
    t('Contact {id}, newer', { id: contacts[1] }),
    t('Line {line} of the input', { line: formatRowLine(line) }),
    t('Result'),
  ] as const;
  return (
    <Form
      ref={form}
      autocomplete="off"
      onSubmit={() => save()}
      onKeyDown={(event) => {
        if (isEditing && event.key === 'Escape') onCancel();
      }}
    >
      <table class="pair stacks">
        <thead>
          <tr>
            <th scope="col">{t('Field')}</th>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((each) => (
            <tr key={each.field} class={each.agreement}>
              <th scope="row">
                {formatFieldLabel(each.field)} <div class="note">{markOf(each)}</div>
              </th>
              <td data-head={heads[0]}>{each.older}</td>
              <td data-head={heads[1]}>{each.newer}</td>
              <td data-head={heads[2]}>{each.row}</td>
              <td data-head={heads[3]}>
                <Result field={each} edited={edited[each.field]} isEditing={isEditing} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isEditing && (
        <p class="buttons">
          <button type="submit">
            {t('Save the result')}{' '}
            <span class="key" aria-hidden="true">
              {t('Enter')}
            </span>
          </button>
          <button type="button" class="quiet" onClick={onCancel}>
            {t('Cancel')}{' '}
            <span class="key" aria-hidden="true">
              {t('Esc')}
            </span>
          </button>
        </p>
      )}
    </Form>
  );
}

interface ResultProps {
  readonly field: ProposalField;
  readonly edited: string | undefined;
  readonly isEditing: boolean;
}

/** The value of the merged contact; while editing, a field that suggests the values of the three sides. */
function Result({ field: { field, older, newer, row, result }, edited, isEditing }: ResultProps) {
  const id = useId();
  const value = edited ?? result;
  const label = t('Result: {field}', { field: formatFieldLabel(field) });
  // A single-line input would lose line breaks.
  if (isEditing && value.includes('\n'))
    return <textarea aria-label={label} name={field} rows={4} defaultValue={value} />;
  if (isEditing)
    return (
      <>
        <input aria-label={label} name={field} defaultValue={value} list={id} />
        <datalist id={id}>
          {[...new Set([older, newer, row])].filter(Boolean).map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </>
    );
  return (
    <>
      {value === '' ? <span class="note">{t('empty')}</span> : <b>{value}</b>}
      {edited !== undefined && <span class="tag look"> {t('edited')}</span>}
    </>
  );
}
