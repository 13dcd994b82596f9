import { useSignal } from '@preact/signals';
import { formatStudioCommandLine, type StudioCommand } from '../../wire/command.ts';
import { t } from '../language.ts';
import { project } from '../project.ts';

/** A command line as it is typed in a terminal, with a button that copies it; folded until it is asked for. */
export function CommandLine({ command }: { readonly command: StudioCommand }) {
  const said = useSignal('');
  const text = formatStudioCommandLine(command, project.value.typing);
  const copy = async () => {
    await navigator.clipboard.writeText(text).then(
      () => {
        said.value = t('Copied');
      },
      () => {
        said.value = t('Not copied: select it and copy it by hand');
      },
    );
  };
  return (
    <details>
      <summary class="note">{t('Command')}</summary>
      <pre>{text}</pre>
      <button type="button" class="quiet" onClick={() => void copy()} aria-label={t('Copy this line')}>
        {t('Copy')}
      </button>{' '}
      <span class="note" role="status">
        {said}
      </span>
    </details>
  );
}
