import { useSignal } from '@preact/signals';
import type { RunStatus } from '../../wire/runs.ts';
import { formatCount, formatCountWithNoun } from '../figures.ts';
import { UndoSection } from '../hand-over/undo.tsx';
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
        <h2 id="first-head">The first rows</h2>
        <p>
          {formatCountWithNoun(done, 'row')} {done === 1 ? 'is' : 'are'} done. Look at these contacts before
          you import the other {formatCount(rows.notReached)} rows: in the workspace, open Contacts and search
          for the e-mail address, the phone or the number of the contact.
        </p>
        <RunRowsTable run={run} label="The first rows" n={done} />
        <p class="note">A row of a person who has more rows further down is imported with the rest.</p>
        <StartButton
          label="Continue with the rest"
          command={{ command: 'resume', run }}
          confirm={{
            title: 'Continue with the rest?',
            children: (
              <p>{formatCountWithNoun(rows.notReached, 'row')} are imported; nothing is sent twice.</p>
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
            Undo these
          </button>
        </p>
      </section>
      {isUndoing.value && <UndoSection run={run} />}
    </>
  );
}
