import type { RehearsalSummary } from '../../wire/plans.ts';
import type { StudioProcess } from '../../wire/processes.ts';
import type { rowOptionsOfTab } from '../activity.ts';
import { formatCount, formatDateTime, formatDuration } from '../figures.ts';
import { useRouteAnswer } from '../hooks.ts';
import { t } from '../language.ts';
import { StackedBar } from '../parts/bar.tsx';
import { LeftBehindList } from '../parts/left-behind.tsx';
import { FactList } from '../parts/lists.tsx';
import { Notice, ProblemNotice, Section } from '../parts/notice.tsx';
import { ProcessMessages } from '../parts/process-messages.tsx';
import { NoteList } from '../parts/shown-text.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { formatFieldLabel } from '../parts/target-words.ts';
import { listRowStatesOfPipeline } from '../run/run-state.tsx';
import { BeforeAfterTable } from './value.tsx';

interface RehearseProps {
  readonly pipeline: string;
  /** The options that it shares with the import. */
  readonly options: ReturnType<typeof rowOptionsOfTab>;
  /** The latest rehearsal of this pipeline that the studio started. */
  readonly process: StudioProcess | undefined;
}

const shownContacts = 20;

/** A button that rehearses the import on a local copy of the workspace, and the result of the latest rehearsal. */
export function RehearsalSection({ pipeline, options, process }: RehearseProps) {
  return (
    <Section title={t('Rehearse')}>
      <p class="note lead">
        {t(
          'Runs the whole import on a local copy of the workspace, and shows the contacts before and after. Nothing is sent to the workspace.',
        )}
      </p>
      <StartButton
        label={t('Rehearse')}
        quiet
        command={{ command: 'rehearse', pipeline, ...options, sample: shownContacts }}
        disabled={process?.state === 'running'}
        onStarted={() => undefined}
      />
      {process?.state === 'running' && <p role="status">{t('Rehearsing…')}</p>}
      {process !== undefined && (
        <Rehearsed key={`${process.id} ${process.state}`} {...{ process, pipeline }} />
      )}
    </Section>
  );
}

interface RehearsedProps extends Pick<RehearseProps, 'pipeline'> {
  readonly process: StudioProcess;
}

function Rehearsed({ process: { id, state }, pipeline }: RehearsedProps) {
  const { value, problem } = useRouteAnswer('rehearsal', state === 'running' ? null : { id });
  const found = value.value?.found;
  if (found != null) return <Result {...{ found, pipeline }} />;
  return (
    <>
      <ProblemNotice problem={problem.value} />
      <ProcessMessages id={id} failure={found === null ? t('The rehearsal could not be made.') : undefined} />
    </>
  );
}

function Result({ found, pipeline }: { readonly found: RehearsalSummary; readonly pipeline: string }) {
  const { madeAt, error, guard, rows, contacts, time, leftBehind, samples, limits } = found;
  return (
    <>
      {[error, guard].map(
        (why) =>
          why !== null && (
            <Notice key={why} tone="bad" message={t('The import would stop: {why}', { why })} />
          ),
      )}
      <FactList
        facts={{
          [t('Rehearsed')]: formatDateTime(madeAt),
          [t('Contacts copied')]: formatCount(contacts.copied),
          [t('New')]: formatCount(contacts.created),
          [t('Changed')]: formatCount(contacts.changed),
          [t('Merged away')]: formatCount(contacts.mergedAway),
          [t('Time on the real workspace')]:
            time.timed === 'nothing'
              ? t('at least {time}', { time: formatDuration(time.seconds) })
              : t('about {time}', { time: formatDuration(time.seconds) }),
        }}
      />
      <StackedBar
        label={t('Rows by outcome in the rehearsal')}
        parts={listRowStatesOfPipeline(rows, pipeline)}
      />
      <LeftBehindList items={leftBehind} pipeline={pipeline} />
      {samples.length > 0 && <Contacts samples={samples} />}
      <details>
        <summary>{t('What a rehearsal cannot know')}</summary>
        <NoteList notes={limits} />
      </details>
    </>
  );
}

const changeWords = { created: t('new'), changed: t('changed'), mergedAway: t('merged away') };

function Contacts({ samples }: Pick<RehearsalSummary, 'samples'>) {
  return (
    <>
      <h3>{t('Contacts before and after')}</h3>
      <ul class="lines contacts">
        {samples.map(({ contact, change, name, values }, n) => (
          <li key={n}>
            <details>
              <summary>
                {name || t('without a name')}{' '}
                <span class={`tag ${change === 'created' ? 'good' : 'quiet'}`}>{changeWords[change]}</span>
                {contact !== null && <span class="note"> {t('contact {id}', { id: contact })}</span>}
              </summary>
              <BeforeAfterTable
                isNew={change === 'created'}
                changes={values.map(({ field, from, to }) => ({
                  label: formatFieldLabel(field),
                  from: from ?? '',
                  to: to ?? '',
                }))}
              />
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}
