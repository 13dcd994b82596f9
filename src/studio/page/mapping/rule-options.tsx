import type { TargetOutline } from '../../wire/mapping.ts';
import { t } from '../language.ts';
import { SelectField, TextField } from '../parts/controls.tsx';
import { project } from '../project.ts';
import type { MappingEditorState } from './open-mapping.ts';
import { toMapFromYaml } from './rule-words.ts';

interface RuleOptionsProps {
  readonly target: TargetOutline;
  readonly open: MappingEditorState;
}

type Key = 'split' | 'default' | 'onInvalid';

/** Returns the options of a target's rule that can be edited here. */
function editableKeys({ name }: TargetOutline): readonly Key[] {
  // An e-mail or a phone has no default, because all rows with it would be the same person.
  if (name === 'contact.email' || name === 'contact.phone') return ['split', 'onInvalid'];
  if (name.startsWith('contact.') || name.startsWith('customFields.'))
    return ['split', 'default', 'onInvalid'];
  if (name === 'tags') return ['split', 'onInvalid'];
  return name === 'lifecycle' ? ['default', 'onInvalid'] : [];
}

/** The fields for the options of a target's rule; an empty field removes its option. */
export function RuleOptionFields({ target, open }: RuleOptionsProps) {
  const keys = editableKeys(target);
  const { rule } = target;
  const written = toMapFromYaml(rule);
  if (keys.length === 0 || written.size === 0) return null;
  const set = (key: Key, text: string) => {
    const path = { target: [...target.path], key: [key] };
    const value = key === 'default' ? plainOf(text, written.get('type')) : text;
    if (text !== '') void open.change({ kind: 'setKey', ...path, value });
    else if (written.has(key)) void open.change({ kind: 'removeKey', ...path });
  };
  const shown = (key: Key) => (written.has(key) ? String(written.get(key)) : '');
  const text = (key: Key, label: string) =>
    keys.includes(key) && (
      <TextField
        label={label}
        value={shown(key)}
        readOnly={project.value.readOnly}
        onChange={(typed) => set(key, typed)}
      />
    );
  return (
    <div class="fields">
      {text('split', t('Cut the cell at'))}
      {text('default', t('Where the row has none'))}
      {keys.includes('onInvalid') && (
        <SelectField
          label={t('A value that is not valid')}
          value={shown('onInvalid')}
          options={[
            ['', t('rejects the row')],
            ['drop', t('is left out')],
            ...(written.has('default') ? [['default', t('becomes the default')] as const] : []),
            ...(shown('onInvalid') === 'reject' ? [['reject', t('rejects the row (stated)')] as const] : []),
          ]}
          disabled={project.value.readOnly}
          onChoose={(chosen) => set('onInvalid', chosen)}
        />
      )}
    </div>
  );
}

/** Converts a text to the type of a custom field; an invalid one stays text, which `check` reports. */
function plainOf(text: string, type: unknown): string | number | boolean {
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  return type === 'checkbox' && (text === 'true' || text === 'false') ? text === 'true' : text;
}
