import type { RunRowEntry } from '../../wire/run-details.ts';
import { callRoute } from '../call.ts';
import { formatRowLine } from '../figures.ts';
import { t, translateEngineText } from '../language.ts';
import { PagedTable } from '../parts/paged-table.tsx';
import type { TableColumn } from '../parts/table.tsx';
import { project } from '../project.ts';

const columns: readonly TableColumn<RunRowEntry>[] = [
  { head: t('Line'), width: '5.5rem', figures: true, isWhole: true, cell: ({ line }) => formatRowLine(line) },
  { head: t('Key'), cell: ({ key }) => key ?? '', width: 'minmax(7rem, 0.7fr)' },
  {
    head: t('What was done'),
    cell: ({ outcome }) => project.value.rowStates.find(({ state }) => state === outcome)?.label ?? outcome,
    width: 'minmax(9rem, 0.7fr)',
  },
  { head: t('E-mail or phone'), cell: ({ identifier }) => identifier ?? '', width: 'minmax(14rem, 1.2fr)' },
  { head: t('Contact'), cell: ({ contact }) => contact ?? '', width: '8rem', figures: true },
  {
    head: t('Remarks'),
    cell: ({ reasons }) => reasons.map(translateEngineText).join('; '),
    width: 'minmax(14rem, 2fr)',
  },
];

interface RunRowsTableProps {
  readonly run: string;
  readonly label: string;
  /** The outcome of the rows; undefined for all that have one. */
  readonly outcome?: string;
  readonly n: number;
}

/** The table of a run's rows with their contacts and what was done. */
export function RunRowsTable({ run, label, outcome, n }: RunRowsTableProps) {
  return (
    <PagedTable
      label={label}
      columns={columns}
      n={n}
      load={(page) => callRoute('runRows', { run, ...(outcome !== undefined && { outcome }), ...page })}
    />
  );
}
