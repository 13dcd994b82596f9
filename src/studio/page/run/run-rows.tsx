import type { RowProblemEntry, RunRowEntry } from '../../wire/run-details.ts';
import type { RunStatus } from '../../wire/runs.ts';
import { callRoute } from '../call.ts';
import { formatRowLine } from '../figures.ts';
import { t, translateEngineText } from '../language.ts';
import { ExpandableCounts } from '../parts/lists.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { formatProblemCode } from '../parts/problem-words.ts';
import type { TableColumn } from '../parts/table.tsx';
import { labelOfRowState } from '../project.ts';

const whichRow: readonly TableColumn<Pick<RunRowEntry, 'line' | 'key'>>[] = [
  { head: t('Line'), width: '5.5rem', figures: true, isWhole: true, cell: ({ line }) => formatRowLine(line) },
  { head: t('Key'), cell: ({ key }) => key ?? '', width: 'minmax(7rem, 0.7fr)' },
];

const rowColumns: readonly TableColumn<RunRowEntry>[] = [
  ...whichRow,
  { head: t('What was done'), cell: ({ outcome }) => labelOfRowState(outcome), width: 'minmax(9rem, 0.7fr)' },
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
      columns={rowColumns}
      n={n}
      load={(page) => callRoute('runRows', { run, ...(outcome !== undefined && { outcome }), ...page })}
    />
  );
}

/** The problems of a run's rows by code, each of which opens its rows. */
export function RowProblemsSection({ status: { run, problems } }: { readonly status: RunStatus }) {
  if (problems.length === 0) return null;
  return (
    <>
      <h3>{t('Problems')}</h3>
      <ExpandableCounts
        lists={problems.map(({ code, consequence, n }) => ({
          key: `${consequence} ${code}`,
          label: <span title={code}>{formatProblemCode(code)}</span>,
          note: words[consequence],
          n,
          show: () => (
            <PagedTable
              label={t('Rows with {code}', { code: formatProblemCode(code) })}
              columns={problemColumns}
              n={n}
              load={(page) => callRoute('problemRows', { run, code, consequence, ...page })}
            />
          ),
        }))}
      />
    </>
  );
}

const words: Readonly<Record<RunStatus['problems'][number]['consequence'], string>> = {
  rejected: t('row rejected'),
  failed: t('row failed'),
  uncertain: t('row uncertain'),
  proposed: t('waiting for your answer'),
  stale: t('row stale'),
  skipped: t('row skipped'),
  doubled: t('contact doubled'),
  folded: t('row merged into another'),
  leftOut: t('value left out'),
  noted: t('noted'),
};

const problemColumns: readonly TableColumn<RowProblemEntry>[] = [
  ...whichRow,
  { head: t('Column'), cell: ({ column }) => column ?? '', width: 'minmax(7rem, 0.7fr)' },
  { head: t('Value'), cell: ({ cell }) => cell ?? '', width: 'minmax(10rem, 1fr)' },
  { head: t('Reason'), cell: ({ reason }) => translateEngineText(reason), width: 'minmax(18rem, 2fr)' },
];
