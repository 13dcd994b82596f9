import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { callUntilAnswered } from '../call.ts';
import { t, translateEngineText } from '../language.ts';
import { Button } from '../parts/controls.tsx';
import { project } from '../project.ts';
import type { YamlEditor } from './editor/editor.ts';
import type { MappingEditorState } from './open-mapping.ts';

interface EditorPaneProps {
  readonly open: MappingEditorState;
  /** A line to put the cursor into; set to undefined once it is there. */
  readonly line: Signal<number | undefined>;
  columns(): readonly string[];
}

/** An editor of the mapping's text, loaded lazily. */
export function YamlEditorPane({ open, line, columns }: EditorPaneProps) {
  const known = useRef(columns);
  known.current = columns;
  const place = useRef<HTMLDivElement>(null);
  const editor = useSignal<YamlEditor | undefined>(undefined);
  useEffect(() => {
    const gone = new AbortController();
    const load = async (parent: HTMLElement) => {
      const [{ openYamlEditor: openEditor }, schema] = await Promise.all([
        import('./editor/editor.ts'),
        callUntilAnswered('mappingSchema', {}, gone.signal),
      ]);
      if (gone.signal.aborted) return;
      const opened = openEditor(parent, {
        ...{ text: open.text.value, schema, readOnly: project.value.readOnly },
        label: t('YAML of the mapping'),
        columns: () => known.current(),
        onText: (text) => open.type(text),
      });
      gone.signal.addEventListener('abort', () => opened.close());
      editor.value = opened;
    };
    if (place.current !== null)
      load(place.current).catch((error: unknown) => {
        if (!gone.signal.aborted)
          open.problem.value = {
            message: t('The editor cannot be loaded: {error}', { error: String(error) }),
          };
      });
    return () => gone.abort();
  }, [open]);
  useSignalEffect(() => editor.value?.show(open.text.value));
  useSignalEffect(() => editor.value?.mark(open.findings.value));
  useSignalEffect(() => {
    const isRead = open.saved.value !== undefined;
    if (editor.value === undefined || line.value === undefined || !isRead) return;
    editor.value.goTo(line.value);
    line.value = undefined;
  });
  return (
    <section class="editor" aria-labelledby="yaml-head">
      <h2 id="yaml-head" tabIndex={-1}>
        YAML
      </h2>
      <div ref={place} class="editor-place">
        {editor.value === undefined && <p role="status">{t('Loading the editor…')}</p>}
      </div>
    </section>
  );
}

interface FindingsProps {
  readonly open: MappingEditorState;
  onLine(line: number): void;
}

/** The mistakes that check finds in the text, each with a button that leads to its line. */
export function MappingMistakes({ open, onLine }: FindingsProps) {
  // Open questions are left out, because the page lists these itself.
  const asked = new Set(open.shown.value?.questions.map(({ line }) => line));
  const wrong = open.findings.value.filter(
    ({ verdict, line }) => verdict === 'wrong' && (line === undefined || !asked.has(line)),
  );
  return (
    <div aria-live="polite">
      {wrong.length > 0 && (
        <ul class="lines aligned" aria-label={t('Mistakes in the mapping')}>
          {wrong.map(({ text, line, next }) => (
            <li key={`${line} ${text}`}>
              <span class="tag bad">{t('Error')}</span>
              {line !== undefined && (
                <Button
                  class="link"
                  label={t('Line {line, number}', { line })}
                  onClick={() => onLine(line)}
                />
              )}
              <span>
                {translateEngineText(text)}{' '}
                {next !== undefined && <span class="note">{translateEngineText(next)}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
