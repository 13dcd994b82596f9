import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { ColumnStatistics, TargetOutline, WorkspaceField } from '../../wire/mapping.ts';
import { t, translateEngineText } from '../language.ts';
import { Button, Checkbox, Form, TextField } from '../parts/controls.tsx';
import { Dialog } from '../parts/dialog.tsx';
import {
  contactFieldLabels,
  formatTargetLabel,
  formatTargetWithKind,
  otherTargetLabels,
} from '../parts/target-words.ts';
import { project } from '../project.ts';
import type { MappingEditorState } from './open-mapping.ts';
import { workspaceFields } from './workspace-names.tsx';

interface TargetSelectProps {
  readonly open: MappingEditorState;
  readonly column: ColumnStatistics;
  /** The target that reads the column; null where the user adds one. */
  readonly use: TargetOutline | null;
  /** True if no target reads the column yet. */
  readonly isOnly: boolean;
}

/** A target in the list of a field. */
interface TargetOption {
  readonly label: string;
  /** The path in the mapping; null for no target. */
  readonly to: TargetOutline['path'] | null;
  readonly ofWorkspace?: WorkspaceField;
}

const newField = t('Another custom field…');

/** A target of a column, from a list that is searched by typing; any other name is that of a new field. */
export function TargetSelect({ open, column, use, isOnly }: TargetSelectProps) {
  const id = useId();
  /** What is typed while the field has the focus: it is empty at first, so that all targets are listed. */
  const typed = useSignal<string | undefined>(undefined);
  /** The proposed name of a new custom field, while it is asked for. */
  const naming = useSignal<string | undefined>(undefined);
  const outline = open.shown.value?.outline;
  const isMore = use === null && !isOnly;
  const none = outline?.key === column.name ? t('Only the key, not imported') : t('Left out');
  const fields = (outline?.targets ?? []).filter(({ name }) => name.startsWith('customFields.'));
  const known = listTargets(fields);
  const current = use && (known.find(({ to }) => isSame(to, use.path)) ?? optionOf(use));
  const options = [
    ...(isMore ? [] : [{ label: none, to: null }]),
    ...(current === null || known.includes(current) ? [] : [current]),
    ...known,
  ];
  const label = current?.label ?? none;
  const move = (to: TargetOption['to'], rule: object) =>
    open.change({
      ...{ kind: 'moveColumn', column: column.name, from: use === null ? null : [...use.path] },
      ...{ to: to === null ? null : [...to], rule: { ...rule } },
    });
  const take = (text: string) => {
    typed.value = '';
    const wanted = text.trim().toLowerCase();
    if (wanted === '') return;
    const chosen =
      options.find((each) => each.label.toLowerCase() === wanted) ??
      options.find(({ to }) => to !== null && String(to.at(-1)).toLowerCase() === wanted);
    if (chosen === undefined) naming.value = wanted === newField.toLowerCase() ? column.name : text.trim();
    else if (chosen.label !== label) void move(chosen.to, ruleFor(column, chosen.ofWorkspace));
  };
  return (
    <>
      <label class="hidden" for={id}>
        {isMore
          ? t('One more target of {column}', { column: column.name })
          : t('Target of {column}', { column: column.name })}
      </label>
      <input
        id={id}
        list={`${id}-targets`}
        value={typed.value ?? (isMore ? '' : label)}
        placeholder={isMore ? t('One more target…') : label}
        autocomplete="off"
        readOnly={project.value.readOnly}
        onFocus={() => (typed.value = '')}
        onBlur={() => (typed.value = undefined)}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') typed.value = '';
        }}
        onChange={({ currentTarget }) => take(currentTarget.value)}
      />
      <datalist id={`${id}-targets`}>
        {/* A page of many columns has the options once, in the field that has the focus. */}
        {typed.value !== undefined &&
          [...options.map((each) => each.label), newField].map((each) => <option key={each} value={each} />)}
      </datalist>
      {naming.value !== undefined && (
        <NewFieldForm
          column={column}
          proposed={naming.value}
          taken={fields.map(({ name }) => formatTargetLabel(name))}
          onClose={() => (naming.value = undefined)}
          onField={(name, rule) => {
            naming.value = undefined;
            void move(['customFields', name], rule);
          }}
        />
      )}
    </>
  );
}

/** Lists the targets of a mapping: contact fields, its custom fields, those of the workspace, and others. */
function listTargets(fields: readonly TargetOutline[]): readonly TargetOption[] {
  const taken = new Set(fields.map(({ name }) => name));
  return [
    ...Object.entries(contactFieldLabels).map(([name, label]) => ({ label, to: ['contact', name] })),
    ...fields.map(({ name, path }) => ({
      label: t('{name} (custom field)', { name: formatTargetLabel(name) }),
      to: path,
    })),
    ...workspaceFields.value
      .filter(({ name }) => !taken.has(`customFields.${name}`))
      .map((field) => ({
        ...{
          label: t('{name} ({type} field of the workspace)', {
            name: field.name,
            type: translateEngineText(field.dataType),
          }),
        },
        ...{ to: ['customFields', field.name], ofWorkspace: field },
      })),
    ...Object.entries(otherTargetLabels).map(([name, label]) => ({
      label: name === 'comments' ? t('A comment of its own') : label,
      to: [name],
    })),
  ];
}

function optionOf(target: TargetOutline): TargetOption {
  return { label: formatTargetWithKind(target), to: target.path };
}

function isSame(path: TargetOption['to'], other: TargetOutline['path']): boolean {
  return JSON.stringify(path) === JSON.stringify(other);
}

/** Returns the rule of a workspace's field, with the options of the draft for a column of the same type. */
function ruleFor({ rule }: ColumnStatistics, field: WorkspaceField | undefined): object {
  return field === undefined ? {} : { ...(rule.type === field.rule.type && rule), ...field.rule };
}

interface NewFieldProps {
  readonly column: ColumnStatistics;
  readonly proposed: string;
  /** The names of fields that the mapping fills already. */
  readonly taken: readonly string[];
  onField(name: string, rule: object): void;
  onClose(): void;
}

/** The form for a new custom field of the mapping, with the type that a draft would propose for the column. */
function NewFieldForm({ column, proposed, taken, onField, onClose }: NewFieldProps) {
  const name = useSignal(proposed);
  const isCreated = useSignal(true);
  const isTaken = taken.includes(name.value.trim());
  const isOff = name.value.trim() === '' || isTaken;
  return (
    <Dialog title={t('A custom field for {column}', { column: column.name })} onClose={onClose}>
      <Form
        isOff={isOff}
        onSubmit={() =>
          onField(name.value.trim(), { ...column.rule, ...(isCreated.value && { create: true }) })
        }
      >
        <TextField
          label={t('Name of the field in the workspace')}
          value={name.value}
          onInput={(text) => (name.value = text)}
        />
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
          <Button type="submit" label={t('Add the field')} aria-disabled={isOff} />
          <Button class="quiet" label={t('Cancel')} onClick={onClose} />
        </p>
      </Form>
    </Dialog>
  );
}
