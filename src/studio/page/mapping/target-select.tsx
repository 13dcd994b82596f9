import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { ColumnFigures, OutlinedTarget } from '../../wire/mapping.ts';
import { project } from '../project.ts';
import { NewField } from './new-field.tsx';
import type { OpenMapping } from './open-mapping.ts';
import { contactFields, fullWords, otherTargets, targetWords } from './target-words.ts';

interface TargetSelectProps {
  readonly open: OpenMapping;
  readonly column: ColumnFigures;
  /** The target that reads the column now; null for one more. */
  readonly use: OutlinedTarget | null;
  /** Whether nothing reads the column yet. */
  readonly isFirst?: boolean;
}

const newField = 'a new custom field';

/** Says where a column goes. */
export function TargetSelect({ open, column, use, isFirst = false }: TargetSelectProps) {
  const id = useId();
  const isNaming = useSignal(false);
  const targets = open.shown.value?.outline?.targets ?? [];
  const fields = targets.filter(({ name }) => name.startsWith('customFields.'));
  const value = use === null ? '' : JSON.stringify(use.path);
  const isComment = use?.name === 'comments';
  const move = (to: readonly (string | number)[] | null, rule: object = {}) =>
    void open.change({
      ...{ kind: 'moveColumn', column: column.name, from: use === null ? null : [...use.path] },
      ...{ to: to === null ? null : [...to], rule: { ...rule } },
    });
  return (
    <>
      <label class="hidden" for={id}>
        {use === null
          ? `${isFirst ? 'Target' : 'One more target'} of ${column.name}`
          : `Target of ${column.name}`}
      </label>
      <select
        id={id}
        class={use === null && !isFirst ? 'more' : ''}
        value={value}
        disabled={project.value.readOnly}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value;
          currentTarget.value = value;
          if (chosen === newField) isNaming.value = true;
          else if (chosen !== value) move(chosen === '' ? null : JSON.parse(chosen));
        }}
      >
        <option value="">{use === null && !isFirst ? 'One more target…' : 'Left out'}</option>
        <optgroup label="Contact">
          {Object.entries(contactFields).map(([name, words]) => (
            <option key={name} value={JSON.stringify(['contact', name])}>
              {words}
            </option>
          ))}
        </optgroup>
        <optgroup label="Custom fields">
          {fields.map(({ name, path }) => (
            <option key={name} value={JSON.stringify(path)}>
              {targetWords(name)}
            </option>
          ))}
          <option value={newField}>Another custom field…</option>
        </optgroup>
        <optgroup label="Also">
          {isComment && <option value={value}>{fullWords(use)}</option>}
          {Object.entries(otherTargets).map(([name, words]) => (
            <option key={name} value={JSON.stringify([name])}>
              {name === 'comments' ? 'A comment of its own' : words}
            </option>
          ))}
        </optgroup>
      </select>
      {isNaming.value && (
        <NewField
          column={column}
          taken={fields.map(({ name }) => targetWords(name))}
          onClose={() => (isNaming.value = false)}
          onField={(name, rule) => {
            isNaming.value = false;
            move(['customFields', name], rule);
          }}
        />
      )}
    </>
  );
}
