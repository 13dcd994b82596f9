import type { ComponentChildren } from 'preact';
import type { ImportCommand } from '../../wire/command.ts';
import { useRouteAnswer } from '../hooks.ts';
import { t } from '../language.ts';
import { StartButton } from '../parts/start-button.tsx';
import { project } from '../project.ts';

/** The number of rows that are imported first, to be looked at in the workspace. */
const firstRows = 20;

interface ImportButtonsProps {
  readonly command: ImportCommand;
  readonly rows: number | undefined;
  readonly disabled?: boolean;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** The buttons that start an import of the first 20 rows only, and of all; in the sandbox the latter is the primary one. */
export function ImportButtons({ command, rows, disabled = false, title, children }: ImportButtonsProps) {
  // Requested again when the page is connected to another workspace. A problem is not shown here, because the buttons
  // report it when pressed.
  const { value } = useRouteAnswer('commandTarget', { command }, project.value.workspace);
  const isReal = (value.value?.workspace ?? 'sandbox') !== 'sandbox';
  const hasFirst = rows === undefined || rows > firstRows;
  return (
    <>
      {hasFirst && (
        <StartButton
          label={t('Import the first {n, number} only', { n: firstRows })}
          quiet={!isReal}
          command={{ ...command, limit: firstRows }}
          disabled={disabled}
          confirm={{
            title,
            children: (
              <>
                <p>
                  {t(
                    'Only the first {n, number} rows are imported now. Look at them in the workspace; then continue with the rest, or undo them.',
                    { n: firstRows },
                  )}
                </p>
                {children}
              </>
            ),
          }}
        />
      )}
      <StartButton
        label={
          rows === undefined
            ? t('Import all rows')
            : t('{n, plural, one {Import # row} other {Import all # rows}}', { n: rows })
        }
        quiet={hasFirst && isReal}
        command={command}
        disabled={disabled}
        confirm={{ title, children }}
      />
    </>
  );
}
