import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import type { ColumnStatistics, TargetOutline, WorkspaceField } from '../../wire/mapping.ts';
import { project } from '../project.ts';
import { workspaceFields } from './ask-fields.tsx';
import { NewFieldForm } from './new-field.tsx';
import type { MappingEditorState } from './open-mapping.ts';
import {
  contactFieldLabels,
  formatTargetLabel,
  formatTargetWithKind,
  otherTargetLabels,
} from './target-words.ts';

interface TargetSelectProps {
  readonly open: MappingEditorState;
  readonly column: ColumnStatistics;
  /** The target that reads the column; null where the user adds one. */
  readonly use: TargetOutline | null;
  /** True if no target reads the column yet. */
  readonly isOnly: boolean;
}

const newField = 'a new custom field';

/** The time until a choice takes effect (ms), because arrow keys in a closed list pass other choices. */
const pause = 400;

/** A select field for a target of a column. */
export function TargetSelect({ open, column, use, isOnly }: TargetSelectProps) {
  const id = useId();
  const isNaming = useSignal(false);
  const targets = open.shown.value?.outline?.targets ?? [];
  const fields = targets.filter(({ name }) => name.startsWith('customFields.'));
  const others = workspaceFields.value.filter(
    ({ name }) => !fields.some((field) => field.name === `customFields.${name}`),
  );
  const value = use === null ? '' : JSON.stringify(use.path);
  const chosen = useSignal<string | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isKey = open.shown.value?.outline?.key === column.name;
  const isComment = use?.name === 'comments';
  const move = (to: readonly (string | number)[] | null, rule: object = {}) =>
    open.change({
      ...{ kind: 'moveColumn', column: column.name, from: use === null ? null : [...use.path] },
      ...{ to: to === null ? null : [...to], rule: { ...rule } },
    });
  const take = () => {
    const to = chosen.value;
    if (to === newField) isNaming.value = true;
    if (to === undefined || to === newField || to === value) chosen.value = undefined;
    else {
      const ofWorkspace = others.find(({ name }) => to === JSON.stringify(['customFields', name]));
      void move(to === '' ? null : JSON.parse(to), ofWorkspace && ruleFor(column, ofWorkspace)).finally(
        () => {
          chosen.value = undefined;
        },
      );
    }
  };
  return (
    <>
      <label class="hidden" for={id}>
        {use === null
          ? `${isOnly ? 'Target' : 'One more target'} of ${column.name}`
          : `Target of ${column.name}`}
      </label>
      <select
        id={id}
        class={use === null && !isOnly ? 'more' : ''}
        value={chosen.value ?? value}
        disabled={project.value.readOnly}
        onChange={({ currentTarget }) => {
          chosen.value = currentTarget.value;
          clearTimeout(timer.current);
          timer.current = setTimeout(take, pause);
        }}
      >
        <option value="">
          {use === null && !isOnly ? 'One more target…' : isKey ? 'Only the key' : 'Left out'}
        </option>
        <optgroup label="Contact">
          {Object.entries(contactFieldLabels).map(([name, words]) => (
            <option key={name} value={JSON.stringify(['contact', name])}>
              {words}
            </option>
          ))}
        </optgroup>
        <optgroup label="Custom fields">
          {fields.map(({ name, path }) => (
            <option key={name} value={JSON.stringify(path)}>
              {formatTargetLabel(name)} (custom field)
            </option>
          ))}
          <option value={newField}>Another custom field…</option>
        </optgroup>
        {others.length > 0 && (
          <optgroup label="Custom fields of the workspace">
            {others.map(({ name, dataType }) => (
              <option key={name} value={JSON.stringify(['customFields', name])}>
                {name} ({dataType})
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label="Also">
          {isComment && <option value={value}>{formatTargetWithKind(use)}</option>}
          {Object.entries(otherTargetLabels).map(([name, words]) => (
            <option key={name} value={JSON.stringify([name])}>
              {name === 'comments' ? 'A comment of its own' : words}
            </option>
          ))}
        </optgroup>
      </select>
      {isNaming.value && (
        <NewFieldForm
          column={column}
          taken={fields.map(({ name }) => formatTargetLabel(name))}
          onClose={() => (isNaming.value = false)}
          onField={(name, rule) => {
            isNaming.value = false;
            void move(['customFields', name], rule);
          }}
        />
      )}
    </>
  );
}

/**
 * Returns the rule of a workspace's field, with the options that a draft proposes for the column if the types are the
 * same.
 */
function ruleFor({ rule }: ColumnStatistics, field: WorkspaceField): object {
  return { ...(rule.type === field.rule.type && rule), ...field.rule };
}
