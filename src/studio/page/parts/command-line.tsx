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
    <details class="command">
      <summary class="note">{t('Command')}</summary>
      <div class="command-line">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls, also by the keyboard */}
        <code tabIndex={0}>{text}</code>
        <button type="button" class="quiet" onClick={() => void copy()} aria-label={t('Copy this line')}>
          {t('Copy')}
        </button>
        <span role="status">{said}</span>
      </div>
    </details>
  );
}
