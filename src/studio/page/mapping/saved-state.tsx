import { useEffect } from 'preact/hooks';
import { isStudioUnreachable } from '../connection.ts';
import { formatCount } from '../figures.ts';
import { t } from '../language.ts';
import { Button } from '../parts/controls.tsx';
import { DataTable } from '../parts/lists.tsx';
import { Notice, StatusNote } from '../parts/notice.tsx';
import { project } from '../project.ts';
import { sessionToken } from '../session.ts';
import { listLineDifferences } from './line-differences.ts';
import type { MappingEditorState } from './open-mapping.ts';

/** Says whether the text is saved, and lets the user choose where the file was changed elsewhere, too. */
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
      <StatusNote>{words(open)}</StatusNote>
      {open.isOpenElsewhere.value && (
        <Notice
          tone="look"
          message={t('This mapping is open in another tab, too. What is saved there shows here at once.')}
        />
      )}
      {open.history.value.isCut && (
        <StatusNote>{t('The file was changed elsewhere: what you did before cannot be undone.')}</StatusNote>
      )}
      {open.theirs.value !== undefined && (
        <Notice
          tone="look"
          message={t(
            'The file was changed in another tab or an editor, and here, too. Nothing was overwritten.',
          )}
        >
          <DataTable
            label={t('What differs')}
            hasHeading
            isText
            columns={[t('Line'), t('In the file'), t('Here')]}
            rows={listLineDifferences(open.theirs.value.text, open.text.value).map(
              ({ line, before, after }) => [formatCount(line), before.join('\n'), after.join('\n')],
            )}
          />
          <p class="buttons">
            <Button label={t('Load the file')} onClick={() => open.takeTheirs()} />
            <Button class="quiet" label={t('Save mine over it')} onClick={() => open.keepOurs()} />
          </p>
          <p>{t('After loading the file, Undo in the YAML brings back what you typed.')}</p>
        </Notice>
      )}
    </>
  );
}

function words({ saved, isSaved, isYaml }: MappingEditorState): string {
  if (saved.value === undefined) return '';
  if (isSaved.value) return t('Saved');
  if (isStudioUnreachable.value || sessionToken.value === null) return t('Not saved yet: kept in this tab');
  if (project.value.readOnly) return t('Not saved: the studio is read-only');
  return isYaml.value ? t('Saving…') : t('Not saved: fix the YAML first');
}
