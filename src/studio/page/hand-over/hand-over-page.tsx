import { useId } from 'preact/hooks';
import { listEarlierImports, listLaterRuns } from '../../wire/later-runs.ts';
import type { ExportStatus, RunListEntry, RunStatus } from '../../wire/runs.ts';
import { activity } from '../activity.ts';
import { NewerFileLink } from '../files/imports.tsx';
import { useRouteAnswer } from '../hooks.ts';
import { rich, t } from '../language.ts';
import { LeftBehindList } from '../parts/left-behind.tsx';
import { ExpandableCounts } from '../parts/lists.tsx';
import { Notice, ProblemNotice, Section } from '../parts/notice.tsx';
import { buildHref } from '../place.ts';
import { project } from '../project.ts';
import { NextStepsSection } from '../run/next-steps.tsx';
import { RunSection } from '../run/run-heading.tsx';
import { formatRunName } from '../run/run-name.ts';
import { RunRowsTable } from '../run/run-rows.tsx';
import { listRowStatesOfRun, RunStateTag } from '../run/run-state.tsx';
import { RunProgress } from '../run/standing.tsx';
import { ChecksOfImport, OtherRunLink, useLaterRuns, useStatuses } from './later-runs.tsx';
import { sumLeftBehind } from './left-behind-of-import.ts';
import { RunFileLink, RunFileList } from './run-files.tsx';
import { UndoSection } from './undo.tsx';

/** What a run has done, what is left to do by hand, its check, its files, and its undo. */
export function HandOverPage({ run }: { readonly run: string }) {
  const { value, problem } = useRouteAnswer('status', { run });
  const status = value.value;
  const progress = activity.value?.progress;
  return (
    <>
      <RunSection run={run} status={status} problem={problem.value}>
        {status && <Done status={status} />}
        <p class="note">
          <a href={buildHref('run', run)}>{t('Open the run')}</a>
        </p>
        {progress?.run?.run === run && status?.state === 'finished' && !project.value.readOnly && (
          <NewerFileLink pipeline={progress.pipeline} />
        )}
      </RunSection>
      <OtherRuns
        {...{ run, level: 2, list: listEarlierImports }}
        title={t('What earlier imports of this project have done')}
      />
      {status && isWrittenImport(status) && <ImportSections status={status} />}
      <Section title={t('Files')}>
        <FilesOfImport run={run} />
      </Section>
      {status && isWrittenImport(status) && <UndoSection run={run} />}
    </>
  );
}

/** Returns true for an import that is neither running nor pruned. */
function isWrittenImport(status: RunStatus | ExportStatus): status is RunStatus {
  return (
    status.kind === 'import' && 'rows' in status && status.prunedAt === null && status.state !== 'running'
  );
}

function Done({ status }: { readonly status: RunStatus | ExportStatus }) {
  if (!('rows' in status))
    return (
      <>
        <RunProgress status={status} />
        <p>
          <a href={buildHref('exports', status.pipeline)}>{t('Its exports')}</a>
        </p>
      </>
    );
  const { kind, run, rows, state, undoneBy } = status;
  if (kind !== 'import') return <RunProgress status={status} />;
  return (
    <>
      {undoneBy !== undefined && (
        <Notice tone="look">
          <p class="message">
            {rows.created === 0
              ? t('This import was undone.')
              : t(
                  'This import was undone, except for the {n, plural, one {contact} other {# contacts}} that it created.',
                  { n: rows.created },
                )}{' '}
            <a href={buildHref('run', undoneBy)}>{t('Open the undo')}</a>
          </p>
        </Notice>
      )}
      {undoneBy === undefined && state !== 'finished' && (
        <Notice
          tone="look"
          message={t('This import is not finished: {n, plural, one {# row} other {# rows}} still to do.', {
            n: rows.notReached,
          })}
        />
      )}
      <h3>{t('What was done')}</h3>
      <OutcomeCounts status={status} />
      <OtherRuns
        {...{ run, level: 3, list: listLaterRuns }}
        title={t('What later runs of this import have done')}
      />
    </>
  );
}

function FilesOfImport({ run }: { readonly run: string }) {
  return (
    <>
      <RunFileList run={run} />
      {useLaterRuns(run).map((later) => (
        <div key={later.run}>
          <h3>
            <OtherRunLink run={later} />
          </h3>
          <RunFileList run={later.run} />
        </div>
      ))}
    </>
  );
}

interface OtherRunsProps {
  readonly run: string;
  readonly title: string;
  /** The level of the title; one of level 2 begins a section of its own. */
  readonly level: 2 | 3;
  list(runs: readonly RunListEntry[], run: string): readonly RunListEntry[];
}

/** What each of the other runs of an import has done; nothing without any. */
function OtherRuns({ run, title, level, list }: OtherRunsProps) {
  const others = list(activity.value?.runs ?? [], run);
  const [Title, Name] = level === 2 ? (['h2', 'h3'] as const) : (['h3', 'h4'] as const);
  const id = useId();
  if (others.length === 0) return null;
  const content = (
    <>
      <Title id={id}>{title}</Title>
      {others.map((each) => (
        <div key={each.run}>
          <Name>
            <OtherRunLink run={each} /> <RunStateTag run={each} />
          </Name>
          <CountsOfRun run={each.run} />
        </div>
      ))}
    </>
  );
  return level === 2 ? <section aria-labelledby={id}>{content}</section> : content;
}

function CountsOfRun({ run }: { readonly run: string }) {
  const { value, problem } = useRouteAnswer('status', { run });
  const status = value.value;
  return (
    <>
      <ProblemNotice problem={problem.value} />
      {status !== undefined && 'rows' in status && <OutcomeCounts status={status} />}
    </>
  );
}

function OutcomeCounts({ status }: { readonly status: RunStatus }) {
  return (
    <ExpandableCounts
      lists={listRowStatesOfRun(status).flatMap(({ state: outcome, label, meaning, n }) => {
        const show = () => (
          <RunRowsTable run={status.run} label={t('Rows: {label}', { label })} outcome={outcome} n={n} />
        );
        return n === 0 || outcome === 'notReached' ? [] : [{ key: outcome, label, note: meaning, n, show }];
      })}
    />
  );
}

function ImportSections({ status }: { readonly status: RunStatus }) {
  const { run, undoneBy } = status;
  const { value: later, problem } = useStatuses(useLaterRuns(run));
  if (later.value === undefined) return <ProblemNotice problem={problem.value} />;
  const all = [status, ...later.value];
  const leftBehind = sumLeftBehind(all);
  const tagged = all.flatMap((each) =>
    each.leftBehind.filter(({ kind }) => kind === 'tagsByHand').map(({ n }) => ({ run: each.run, n })),
  );
  return (
    <>
      {undoneBy === undefined && (
        <Section title={t('To do by hand')}>
          {tagged.map(({ run: of, n }) => (
            <TagsByHand key={of} run={of} contacts={n} />
          ))}
          <NextStepsSection run={run} none={tagged.length === 0 ? t('Nothing is left to do.') : undefined} />
        </Section>
      )}
      {leftBehind.length > 0 && (
        <section>
          <LeftBehindList
            heading="h2"
            items={leftBehind}
            fileLinks={({ kind }, file) =>
              all
                .filter((each) => each.leftBehind.some((group) => group.kind === kind && group.file === file))
                .map((each) => (
                  <div key={each.run}>
                    <RunFileLink run={each.run} name={file} />{' '}
                    {all.length > 1 && <span class="note">{formatRunName(each)}</span>}
                  </div>
                ))
            }
          />
        </section>
      )}
      <Section title={t('Check')}>
        <ChecksOfImport run={run} />
      </Section>
    </>
  );
}

function TagsByHand({ run, contacts }: { readonly run: string; readonly contacts: number }) {
  return (
    <>
      <h3>{t('Attach the tags of {n, plural, one {# contact} other {# contacts}}', { n: contacts })}</h3>
      <ol>
        <li>
          {rich('Download {file}: a line for each contact, with its tags.', {
            file: <RunFileLink run={run} name="contact-tags.csv" />,
          })}
        </li>
        <li>
          {t(
            'Import it in the workspace, under Contacts: each line names its contact by number, e-mail and phone.',
          )}
        </li>
        <li>{t('Check the import again: tags that are still missing are listed as not there yet.')}</li>
      </ol>
    </>
  );
}
