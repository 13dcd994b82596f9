import type { ExportRun, RunInterval } from '../../wire/history.ts';
import { formatBytes, formatCount, formatDateTime, formatDuration } from '../figures.ts';
import { ColumnChart } from '../parts/chart.tsx';
import { MissingRunList } from '../parts/rhythm.tsx';
import { type TableColumn, VirtualTable } from '../parts/table.tsx';
import { buildHref, goTo } from '../place.ts';
import { formatRunMessage, RunStateTag } from '../run/run-state.tsx';

const columns: readonly TableColumn<ExportRun>[] = [
  {
    key: 'began',
    head: 'Started',
    cell: ({ run, startedAt }) => (
      <a href={buildHref('run', run)} tabIndex={-1}>
        {formatDateTime(startedAt)}
      </a>
    ),
    width: '12rem',
  },
  {
    key: 'state',
    head: 'State',
    cell: (run) => <RunStateTag run={run} />,
    width: '11rem',
  },
  {
    key: 'contacts',
    head: 'Contacts',
    cell: ({ counts }) => figure(counts?.contacts),
    width: '7rem',
    figures: true,
  },
  {
    key: 'messages',
    head: 'Messages',
    cell: ({ counts }) => figure(counts?.messages),
    width: '7rem',
    figures: true,
  },
  {
    key: 'size',
    head: 'Size',
    cell: ({ bytes }) => (bytes === null ? '–' : formatBytes(bytes)),
    width: '7rem',
    figures: true,
  },
  { key: 'kind', head: 'Scope', cell: ({ full }) => scopeOf(full), width: '7.5rem' },
  {
    key: 'worked',
    head: 'Worked',
    cell: ({ seconds }) => formatDuration(seconds),
    width: '7rem',
    figures: true,
  },
  {
    key: 'folder',
    head: 'Folder',
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
    <section aria-labelledby="nights-head">
      <h2 id="nights-head">Exports so far</h2>
      {complete.length > 1 && (
        <div class="charts">
          {kinds.map((kind) => (
            <ColumnChart
              key={kind}
              label={kind === 'contacts' ? 'Contacts' : 'Messages'}
              time="Started"
              value={kind === 'contacts' ? 'Contacts' : 'Messages'}
              parts={partsOf(({ counts }) => counts?.[kind], formatCount)}
            />
          ))}
          <ColumnChart
            label="Size"
            time="Started"
            value="Size"
            parts={partsOf((night) => night.bytes, formatBytes)}
          />
        </div>
      )}
      <VirtualTable
        label="Exports so far"
        columns={columns}
        rows={nights.length}
        rowAt={(index) => nights[index]}
        onOpen={({ run }) => goTo(buildHref('run', run))}
      />
      {rhythm !== null && <MissingRunList rhythm={rhythm} />}
    </section>
  );
}

function figure(n: number | undefined): string {
  return n === undefined ? '–' : formatCount(n);
}

function scopeOf(full: boolean | null): string {
  if (full === null) return '';
  return full ? 'everything' : 'what is new';
}
