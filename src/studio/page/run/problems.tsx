import type { RowProblemEntry } from '../../wire/run-details.ts';
import type { RunStatus } from '../../wire/runs.ts';
import { callRoute } from '../call.ts';
import { formatCount } from '../figures.ts';
import { ExpandableCounts } from '../parts/counted-lists.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { formatProblemCode } from '../parts/problem-code.ts';
import type { TableColumn } from '../parts/table.tsx';

type Found = RunStatus['problems'][number];

/** The problems of a run's rows by code, each of which opens its rows. */
export function RowProblemsSection({ status: { run, problems } }: { readonly status: RunStatus }) {
  if (problems.length === 0) return null;
  return (
    <>
      <h3>Problems</h3>
      <ExpandableCounts
        lists={problems.map(({ code, consequence, n }) => ({
          key: `${consequence} ${code}`,
          label: <code title={code}>{formatProblemCode(code)}</code>,
          note: words[consequence],
          n,
          show: () => (
            <PagedTable
              label={`Rows with ${formatProblemCode(code)}`}
              columns={columns}
              n={n}
              load={(after) =>
                callRoute('problemRows', { run, code, consequence, ...(after !== undefined && { after }) })
              }
            />
          ),
        }))}
      />
    </>
  );
}

const words: Readonly<Record<Found['consequence'], string>> = {
  rejected: 'row rejected',
  failed: 'row failed',
  uncertain: 'row uncertain',
  proposed: 'waits for your answer',
  stale: 'row stale',
  skipped: 'row skipped',
  doubled: 'contact doubled',
  folded: 'row merged into another',
  leftOut: 'value left out',
  noted: 'noted',
};

const columns: readonly TableColumn<RowProblemEntry>[] = [
  { key: 'line', head: 'Line', cell: ({ line }) => formatCount(line), width: '5.5rem', figures: true },
  { key: 'key', head: 'Key', cell: ({ key }) => key ?? '', width: 'minmax(7rem, 0.7fr)' },
  { key: 'column', head: 'Column', cell: ({ column }) => column ?? '', width: 'minmax(7rem, 0.7fr)' },
  { key: 'cell', head: 'Value', cell: ({ cell }) => cell ?? '', width: 'minmax(10rem, 1fr)' },
  { key: 'reason', head: 'Reason', cell: ({ reason }) => reason, width: 'minmax(18rem, 2fr)' },
];
