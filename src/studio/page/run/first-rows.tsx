import { useSignal } from '@preact/signals';
import type { RunStatus } from '../../wire/runs.ts';
import { UndoSection } from '../hand-over/undo.tsx';
import { t } from '../language.ts';
import { StartButton } from '../parts/start-button.tsx';
import { buildHref, goTo } from '../place.ts';
import { RunRowsTable } from './run-rows.tsx';

/** The first rows of an import that has stopped after them, and the buttons that continue with the rest or undo them. */
export function FirstRowsSection({ status: { run, rows } }: { readonly status: RunStatus }) {
  const isUndoing = useSignal(false);
  const done = rows.read - rows.notReached;
  return (
    <>
      <section aria-labelledby="first-head">
        <h2 id="first-head">{t('The first rows')}</h2>
        <p>
          {t(
            '{done, plural, one {# row is} other {# rows are}} done. Look at these contacts before you import the other {rest, plural, one {row} other {# rows}}: in the workspace, open Contacts and search for the e-mail address, the phone or the number of the contact.',
            { done, rest: rows.notReached },
          )}
        </p>
        <RunRowsTable run={run} label={t('The first rows')} n={done} />
        <p class="note">{t('A row of a person who has more rows further down is imported with the rest.')}</p>
        <StartButton
          label={t('Continue with the rest')}
          command={{ command: 'resume', run }}
          confirm={{
            title: t('Continue with the rest?'),
            children: (
              <p>
                {t('{n, plural, one {# row is} other {# rows are}} imported; nothing is sent twice.', {
                  n: rows.notReached,
                })}
              </p>
            ),
          }}
          onStarted={({ id }) => goTo(buildHref('run', 'command', id))}
        />
        <p>
          <button
            type="button"
            class="quiet"
            aria-expanded={isUndoing.value}
            onClick={() => (isUndoing.value = !isUndoing.value)}
          >
            {t('Undo these')}
          </button>
        </p>
      </section>
      {isUndoing.value && <UndoSection run={run} />}
    </>
  );
}
