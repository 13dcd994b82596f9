import { useEffect } from 'preact/hooks';
import { Notice } from '../parts/notice.tsx';
import { project } from '../project.ts';
import type { MappingEditorState } from './open-mapping.ts';

/**
 * A line that says whether the text is saved, and a choice of texts if the file was changed elsewhere, too.
 */
export function SavedStateNotice({ open }: { readonly open: MappingEditorState }) {
  const isOpen = open.saved.value !== undefined && !open.isSaved.value && !project.value.readOnly;
  useEffect(() => {
    if (!isOpen) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isOpen]);
  return (
    <>
      <p class="note" role="status">
        {words(open)}
      </p>
      {open.history.value.isCut && (
        <p class="note" role="status">
          The file was changed elsewhere: what you did before cannot be undone.
        </p>
      )}
      {open.theirs.value !== undefined && (
        <Notice tone="look">
          <p class="message">The file was changed in an editor, and here, too. Nothing was overwritten.</p>
          <p class="buttons">
            <button type="button" onClick={() => open.takeTheirs()}>
              Load the file
            </button>
            <button type="button" class="quiet" onClick={() => open.keepOurs()}>
              Save mine over it
            </button>
          </p>
        </Notice>
      )}
    </>
  );
}

function words({ saved, isSaved, isYaml }: MappingEditorState): string {
  if (saved.value === undefined) return '';
  if (isSaved.value) return 'Saved';
  if (project.value.readOnly) return 'Not saved: the studio is read-only';
  return isYaml.value ? 'Saving…' : 'Not saved: fix the YAML first';
}
