import { useSignal } from '@preact/signals';
import type { RunStatus } from '../../wire/runs.ts';
import { callRoute } from '../call.ts';
import { RunFileList } from '../hand-over/run-files.tsx';
import { UndoSection } from '../hand-over/undo.tsx';
import { useAsyncAction, useLatestStreamEvent } from '../hooks.ts';
import { t } from '../language.ts';
import { Button } from '../parts/controls.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ProblemNotice, Section } from '../parts/notice.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { buildHref } from '../place.ts';
import { project } from '../project.ts';
import { LostCorrectionsOfRun } from './lost-corrections.tsx';
import { NextStepsSection } from './next-steps.tsx';
import { RejectsSection } from './rejects.tsx';
import { RequestTable } from './requests.tsx';
import { RunSection } from './run-heading.tsx';
import { RowProblemsSection, RunRowsTable } from './run-rows.tsx';
import { isStoppedAtLimit } from './run-state.tsx';
import { SamePersonSection } from './same-person.tsx';
import { type AnyRunStatus, RunProgress, ThroughputChart } from './standing.tsx';
import { UncertainCommentsSection } from './uncertain.tsx';

/** The page of a run, during and after it, read from its journal. */
export function RunPage({ run }: { readonly run: string }) {
  const { value, problem } = useLatestStreamEvent('watchRun', { run });
  const status = value.value;
  const ofRows = status && 'rows' in status ? status : undefined;
  const first = ofRows && hasFirstRows(ofRows) ? ofRows : undefined;
  const finished = ofRows && isFinishedImport(ofRows) ? ofRows : undefined;
  return (
    <>
      <RunSection run={run} status={status} problem={problem.value}>
        {status && <RunProgress status={status} />}
        {status?.state === 'running' && <StopRunButton run={run} />}
        {status && status.state !== 'running' && first === undefined && <NextStepsSection run={run} />}
        {status?.kind === 'undo' && <RunFileList run={run} only={['undo-kept.csv']} />}
        {status && (
          <p class="note">
            {status.kind === 'import' ? (
              <a href={buildHref('hand-over', run)}>{t('Hand over, files and undo')}</a>
            ) : (
              <a href={buildHref('history', run)}>{t('Its files')}</a>
            )}
          </p>
        )}
      </RunSection>
      {first && <FirstRowsSection status={first} />}
      {finished && finished.open > 0 && finished.rows.uncertain > 0 && <UncertainCommentsSection run={run} />}
      {finished && finished.open > 0 && finished.rows.rejected + finished.rows.failed > 0 && (
        // The rows that a retry has settled meanwhile are no longer shown.
        <RejectsSection key={finished.open} run={run} />
      )}
      {finished?.open === 0 && <LostCorrectionsOfRun run={run} />}
      {finished && finished.rows.proposed > 0 && <SamePersonSection run={run} />}
      {status?.state === 'running' && <Pace status={status} />}
      {ofRows && <RowProblemsSection status={ofRows} />}
      {status && status.state !== 'running' && <Pace status={status} />}
    </>
  );
}

function Pace({ status }: { readonly status: AnyRunStatus }) {
  if (Object.keys(status.requests).length === 0) return null;
  return (
    <section>
      <ThroughputChart status={status} />
      <RequestTable status={status} />
    </section>
  );
}

/** Returns true for an import of the first rows that can be continued or undone. */
function hasFirstRows({ kind, state, exitCode, prunedAt, undoneBy }: RunStatus): boolean {
  return (
    kind === 'import' && isStoppedAtLimit({ state, exitCode }) && prunedAt === null && undoneBy === undefined
  );
}

/** Returns true for a finished import, unless it was pruned. */
function isFinishedImport({ kind, state, prunedAt }: RunStatus): boolean {
  return kind === 'import' && state === 'finished' && prunedAt === null;
}

/** A button that stops a run, after a confirmation that says what is kept. */
function StopRunButton({ run }: { readonly run: string }) {
  const state = useSignal<'running' | 'asking' | 'stopping'>('running');
  const { problem, attempt } = useAsyncAction();
  const stop = async () => {
    state.value = 'running';
    await callRoute('stopRun', { run });
    state.value = 'stopping';
  };
  return (
    <>
      <p class="buttons">
        <Button
          label={t('Stop')}
          disabled={project.value.readOnly}
          aria-disabled={state.value === 'stopping'}
          onClick={() => {
            if (state.value === 'running') state.value = 'asking';
          }}
        />
        <span role="status">
          {state.value === 'stopping' &&
            t('Asked to stop: it waits for requests in flight, and can be continued.')}
        </span>
      </p>
      {state.value === 'asking' && (
        <Dialog title={t('Stop it now?')} onClose={() => (state.value = 'running')}>
          <p>{t('What was done stays in the workspace, and you can continue from here at any time.')}</p>
          <p class="buttons">
            <Button label={t('Yes, stop')} autofocus onClick={() => attempt(stop)} />
            <Button class="quiet" label={t('Keep it running')} onClick={() => (state.value = 'running')} />
          </p>
        </Dialog>
      )}
      <ProblemNotice problem={problem.value} />
    </>
  );
}

/** The first rows of an import that has stopped after them, and the buttons that continue with the rest or undo them. */
function FirstRowsSection({ status: { run, rows } }: { readonly status: RunStatus }) {
  const isUndoing = useSignal(false);
  const done = rows.read - rows.notReached;
  return (
    <>
      <Section title={t('The first rows')}>
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
        />
        <p>
          <Button
            class="quiet"
            label={t('Undo these')}
            aria-expanded={isUndoing.value}
            onClick={() => (isUndoing.value = !isUndoing.value)}
          />
        </p>
      </Section>
      {isUndoing.value && <UndoSection run={run} />}
    </>
  );
}
