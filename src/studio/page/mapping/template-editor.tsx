import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useDebouncedWork } from '../hooks.ts';
import { t } from '../language.ts';
import { project } from '../project.ts';
import { TargetResultView } from './result.tsx';
import type { TargetProps } from './view-state.ts';

interface TemplateEditorProps extends TargetProps {
  /** The key within the rule that holds the template: `template`, `summary` or `text`. */
  readonly template: string;
  readonly text: string;
}

/** The time from the last keystroke until the text is written into the mapping (ms). */
const pause = 300;

/** An editor of a template, with its result in the current row. */
export function TemplateEditor({ target, view, template, text }: TemplateEditorProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const own = useSignal(text);
  const later = useDebouncedWork(pause);
  useEffect(() => {
    // A change in the YAML is shown here, except while the user types.
    if (document.activeElement !== area.current) own.value = text;
  }, [text]);
  const put = (value: string) => {
    own.value = value;
    later(() => void view.open.change({ kind: 'setKey', target: [...target.path], key: [template], value }));
  };
  const insert = (column: string) => {
    const { selectionStart = own.value.length, selectionEnd = own.value.length } = area.current ?? {};
    put(`${own.value.slice(0, selectionStart)}{${column}}${own.value.slice(selectionEnd)}`);
    area.current?.focus();
  };
  const columns = view.columns.value.value?.columns.columns ?? [];
  return (
    <div>
      <div>
        <label for={id}>{t('Text; {column} inserts a cell', { column: `{${t('Column')}}` })}</label>
        <textarea
          id={id}
          ref={area}
          rows={3}
          value={own.value}
          readOnly={project.value.readOnly}
          onInput={({ currentTarget }) => put(currentTarget.value)}
        />
        <label class="hidden" for={`${id}-column`}>
          {t('Insert a column')}
        </label>
        <select
          id={`${id}-column`}
          value=""
          disabled={project.value.readOnly}
          onChange={({ currentTarget }) => {
            if (currentTarget.value !== '') insert(currentTarget.value);
            currentTarget.value = '';
          }}
        >
          <option value="">{t('Insert a column…')}</option>
          {columns
            .filter(({ name }) => !/[{}]/.test(name))
            .map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
        </select>
      </div>
      <div role="status" aria-label={t('Result for the current row')}>
        <TargetResultView target={target} view={view} />
      </div>
    </div>
  );
}
