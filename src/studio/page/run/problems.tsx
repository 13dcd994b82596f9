import type { RowProblemEntry } from '../../wire/run-details.ts';
import type { RunStatus } from '../../wire/runs.ts';
import { callRoute } from '../call.ts';
import { formatRowLine } from '../figures.ts';
import { t, translateEngineText } from '../language.ts';
import { ExpandableCounts } from '../parts/lists.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { formatProblemCode } from '../parts/problem-words.ts';
import type { TableColumn } from '../parts/table.tsx';

type Found = RunStatus['problems'][number];

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
              columns={columns}
              n={n}
              load={(page) => callRoute('problemRows', { run, code, consequence, ...page })}
            />
          ),
        }))}
      />
    </>
  );
}

const words: Readonly<Record<Found['consequence'], string>> = {
  rejected: t('row rejected'),
  failed: t('row failed'),
  uncertain: t('row uncertain'),
  proposed: t('waits for your answer'),
  stale: t('row stale'),
  skipped: t('row skipped'),
  doubled: t('contact doubled'),
  folded: t('row merged into another'),
  leftOut: t('value left out'),
  noted: t('noted'),
};

const columns: readonly TableColumn<RowProblemEntry>[] = [
  { head: t('Line'), width: '5.5rem', figures: true, isWhole: true, cell: ({ line }) => formatRowLine(line) },
  { head: t('Key'), cell: ({ key }) => key ?? '', width: 'minmax(7rem, 0.7fr)' },
  { head: t('Column'), cell: ({ column }) => column ?? '', width: 'minmax(7rem, 0.7fr)' },
  { head: t('Value'), cell: ({ cell }) => cell ?? '', width: 'minmax(10rem, 1fr)' },
  { head: t('Reason'), cell: ({ reason }) => translateEngineText(reason), width: 'minmax(18rem, 2fr)' },
];
