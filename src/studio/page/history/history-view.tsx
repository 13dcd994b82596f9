import { useSignal } from '@preact/signals';
import type { RunListEntry } from '../../wire/runs.ts';
import { formatCount, formatDateTime, formatDuration } from '../figures.ts';
import { HandOverPage } from '../hand-over/hand-over-page.tsx';
import { useRouteAnswer } from '../hooks.ts';
import { t } from '../language.ts';
import { SelectField, TextField } from '../parts/controls.tsx';
import { Section, StatusNote } from '../parts/notice.tsx';
import { PipelineNotices } from '../parts/pipeline-notices.tsx';
import { type TableColumn, VirtualTable } from '../parts/table.tsx';
import { buildHref, goTo } from '../place.ts';
import { formatRunName } from '../run/run-name.ts';
import { RunStateTag, runStates } from '../run/run-state.tsx';

/** `#/history`: all runs; `#/history/ID`: what a run has done, its files, its check and its undo. */
export function HistoryView({ rest: [run] }: { readonly rest: readonly string[] }) {
  return run === undefined ? <RunsTable /> : <HandOverPage key={run} run={run} />;
}

const columns: readonly TableColumn<RunListEntry>[] = [
  {
    head: t('Run'),
    cell: (run) => (
      <a href={buildHref('history', run.run)} title={run.run} tabIndex={-1}>
        {formatRunName(run)}
      </a>
    ),
    width: 'minmax(min(19rem, 52vw), 2fr)',
  },
  {
    head: t('State'),
    cell: (run) => <RunStateTag run={run} />,
    width: 'minmax(15.5rem, 1fr)',
  },
  { head: t('What'), cell: whatOf, width: 'minmax(7rem, 1fr)' },
  { head: t('Started'), cell: ({ startedAt }) => formatDateTime(startedAt), width: '12rem' },
  {
    head: t('To retry'),
    cell: ({ open }) => (open === 0 ? '' : formatCount(open)),
    width: '5.5rem',
    figures: true,
  },
  { head: t('Work time'), cell: ({ seconds }) => formatDuration(seconds), width: '7.5rem', figures: true },
];

function RunsTable() {
  const { value, problem } = useRouteAnswer('history', {});
  const [text, kind, state] = [useSignal(''), useSignal(''), useSignal('')];
  const history = value.value;
  const words = text.value.toLowerCase().split(/\s+/);
  const shown = history?.runs.filter(
    (run) =>
      (kind.value === '' || run.kind === kind.value) &&
      (state.value === '' || run.state === state.value) &&
      words.every((word) => `${formatRunName(run)} ${run.run} ${run.pipeline}`.toLowerCase().includes(word)),
  );
  const states = [...new Set(history?.runs.map((run) => run.state))];
  return (
    <Section title={t('Runs and exports')} problem={problem.value}>
      {history !== undefined && <PipelineNotices failing={history.failing} late={history.late} />}
      {history?.runs.length === 0 && <p>{t('Nothing has run here yet.')}</p>}
      {history !== undefined && shown !== undefined && history.runs.length > 0 && (
        <>
          <search class="fields" aria-label={t('Filter the runs')}>
            <TextField
              label={t('Search')}
              type="search"
              placeholder={t('File, day or pipeline')}
              onInput={(typed) => (text.value = typed)}
            />
            <SelectField
              label={t('What')}
              value={kind.value}
              options={orAll(Object.entries(kindWords))}
              onChoose={(one) => (kind.value = one)}
            />
            <SelectField
              label={t('State')}
              value={state.value}
              options={orAll(states.map((each) => [each, runStates[each].words]))}
              onChoose={(one) => (state.value = one)}
            />
          </search>
          <StatusNote>{foundText(shown.length, history)}</StatusNote>
          <VirtualTable
            label={t('Runs')}
            columns={columns}
            rows={shown.length}
            rowAt={(index) => shown[index]}
            onOpen={({ run }) => goTo(buildHref('history', run))}
          />
        </>
      )}
    </Section>
  );
}

type Option = readonly [value: string, text: string];

function orAll(options: readonly Option[]): readonly Option[] {
  return [['', t('all')], ...options];
}

function foundText(
  n: number,
  { runs, more }: { readonly runs: readonly RunListEntry[]; readonly more: boolean },
): string {
  return more
    ? t('{n, plural, one {# run} other {# runs}}; older ones are listed by {command}', {
        n,
        command: `longshore runs --last ${runs.length * 10}`,
      })
    : t('{n, plural, one {# run} other {# runs}}', { n });
}

const kindWords: Readonly<Record<RunListEntry['kind'], string>> = {
  import: t('import'),
  export: t('export'),
  undo: t('undo'),
};

const scopeWords: Readonly<Record<RunListEntry['selection']['kind'], string>> = {
  all: '',
  approve: t('answered rows'),
  deferred: t('deferred steps'),
  retry: t('retry'),
  compact: t('compact'),
};

function whatOf({ kind, selection, prunedAt, undo }: RunListEntry): string {
  const more = [undo === undefined ? scopeWords[selection.kind] : '', prunedAt === null ? '' : t('pruned')];
  return [kindWords[kind], ...more.filter((word) => word !== '')].join(', ');
}
