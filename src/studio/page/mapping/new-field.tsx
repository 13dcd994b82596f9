import { useSignal } from '@preact/signals';
import type { ColumnStatistics } from '../../wire/mapping.ts';
import { t, translateEngineText } from '../language.ts';
import { Checkbox } from '../parts/box.tsx';
import { LabelledControl } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';

interface NewFieldProps {
  readonly column: ColumnStatistics;
  readonly proposed: string;
  /** The names of fields that the mapping fills already. */
  readonly taken: readonly string[];
  onField(name: string, rule: object): void;
  onClose(): void;
}

/** The form for a new custom field of the mapping, with the type that a draft would propose for the column. */
export function NewFieldForm({ column, proposed, taken, onField, onClose }: NewFieldProps) {
  const name = useSignal(proposed);
  const isCreated = useSignal(true);
  const isTaken = taken.includes(name.value.trim());
  const isOff = name.value.trim() === '' || isTaken;
  return (
    <Dialog title={t('A custom field for {column}', { column: column.name })} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOff)
            onField(name.value.trim(), { ...column.rule, ...(isCreated.value && { create: true }) });
        }}
      >
        <LabelledControl label={t('Name of the field in the workspace')}>
          {(id) => (
            <input
              id={id}
              value={name.value}
              autocomplete="off"
              onInput={({ currentTarget }) => (name.value = currentTarget.value)}
            />
          )}
        </LabelledControl>
        {isTaken && <p class="wrong">{t('The mapping fills this field already.')}</p>}
        <p class="note">
          {t('Type: {type}, because the column holds {words}.', {
            type: translateEngineText(column.rule.type),
            words: translateEngineText(column.words),
          })}
        </p>
        <Checkbox
          label={t('Create it where the workspace does not have it')}
          checked={isCreated.value}
          onChange={(checked) => (isCreated.value = checked)}
        />
        <p class="buttons">
          <button type="submit" aria-disabled={isOff}>
            {t('Add the field')}
          </button>
          <button type="button" class="quiet" onClick={onClose}>
            {t('Cancel')}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
