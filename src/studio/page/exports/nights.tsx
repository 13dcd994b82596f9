import type { ExportRun, RunInterval } from '../../wire/history.ts';
import { formatBytes, formatCount, formatDateTime, formatDuration } from '../figures.ts';
import { t } from '../language.ts';
import { ColumnChart } from '../parts/chart.tsx';
import { Section } from '../parts/notice.tsx';
import { MissingRunList } from '../parts/pipeline-notices.tsx';
import { type TableColumn, VirtualTable } from '../parts/table.tsx';
import { buildHref, goTo } from '../place.ts';
import { formatRunMessage, RunStateTag } from '../run/run-state.tsx';

const columns: readonly TableColumn<ExportRun>[] = [
  {
    head: t('Started'),
    cell: ({ run, startedAt }) => (
      <a href={buildHref('run', run)} tabIndex={-1}>
        {formatDateTime(startedAt)}
      </a>
    ),
    width: '12rem',
  },
  {
    head: t('State'),
    cell: (run) => <RunStateTag run={run} />,
    width: '11rem',
  },
  { head: t('Contacts'), cell: ({ counts }) => figure(counts?.contacts), width: '7rem', figures: true },
  { head: t('Messages'), cell: ({ counts }) => figure(counts?.messages), width: '7rem', figures: true },
  {
    head: t('Size'),
    cell: ({ bytes }) => (bytes === null ? '–' : formatBytes(bytes)),
    width: '7rem',
    figures: true,
  },
  { head: t('Scope'), cell: ({ full }) => scopeOf(full), width: '7.5rem' },
  { head: t('Work time'), cell: ({ seconds }) => formatDuration(seconds), width: '7rem', figures: true },
  {
    head: t('Folder'),
    cell: ({ folder, message }) => folder ?? formatRunMessage({ message }) ?? '',
    width: 'minmax(14rem, 1fr)',
  },
];

/** The runs of an export pipeline, with their sizes over time. */
export function ExportRunTable({
  nights,
  rhythm,
}: {
  readonly nights: readonly ExportRun[];
  readonly rhythm: RunInterval | null;
}) {
  const complete = nights.filter(({ counts }) => counts !== null).toReversed();
  const kinds = ['contacts', 'messages'].filter((kind) => complete.some(({ counts }) => counts?.[kind]));
  const partsOf = (value: (night: ExportRun) => number | null | undefined, text: (n: number) => string) =>
    complete.flatMap((night, index) => {
      const n = value(night);
      return n === null || n === undefined
        ? []
        : [{ from: index, to: index + 0.8, value: n, when: formatDateTime(night.startedAt), text: text(n) }];
    });
  return (
    <Section title={t('Exports so far')}>
      {complete.length > 1 && (
        <div class="beside">
          {kinds.map((kind) => (
            <ColumnChart
              key={kind}
              label={kind === 'contacts' ? t('Contacts') : t('Messages')}
              time={t('Started')}
              value={kind === 'contacts' ? t('Contacts') : t('Messages')}
              parts={partsOf(({ counts }) => counts?.[kind], formatCount)}
            />
          ))}
          <ColumnChart
            label={t('Size')}
            time={t('Started')}
            value={t('Size')}
            parts={partsOf((night) => night.bytes, formatBytes)}
          />
        </div>
      )}
      <VirtualTable
        label={t('Exports so far')}
        columns={columns}
        rows={nights.length}
        rowAt={(index) => nights[index]}
        onOpen={({ run }) => goTo(buildHref('run', run))}
      />
      {rhythm !== null && <MissingRunList rhythm={rhythm} />}
    </Section>
  );
}

function figure(n: number | undefined): string {
  return n === undefined ? '–' : formatCount(n);
}

function scopeOf(full: boolean | null): string {
  if (full === null) return '';
  return full ? t('everything') : t('what is new');
}
