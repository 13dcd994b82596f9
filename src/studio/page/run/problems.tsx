import { useSignal } from '@preact/signals';
import type { RowProblemEntry } from '../../wire/run-details.ts';
import type { RunStatus } from '../../wire/runs.ts';
import { callRoute } from '../call.ts';
import { formatCount } from '../figures.ts';
import { PagedTable } from '../parts/paged-table.tsx';
import type { TableColumn } from '../parts/table.tsx';

type Found = RunStatus['problems'][number];

/** The problems of a run's rows by code, each of which opens its rows. */
export function RowProblemsSection({ status: { run, problems } }: { readonly status: RunStatus }) {
  const open = useSignal<string | undefined>(undefined);
  if (problems.length === 0) return null;
  return (
    <>
      <h3>Problems</h3>
      <ul class="problems">
        {problems.map((found) => {
          const name = `${found.consequence} ${found.code}`;
          const isOpen = open.value === name;
          return (
            <li key={name}>
              <button
                type="button"
                class="plain"
                aria-expanded={isOpen}
                onClick={() => {
                  open.value = isOpen ? undefined : name;
                }}
              >
                <code>{found.code}</code>
                <span class="note">{words[found.consequence]}</span>
                <b class="n">{formatCount(found.n)}</b>
              </button>
              {isOpen && (
                <PagedTable
                  label={`Rows with ${found.code}`}
                  columns={columns}
                  n={found.n}
                  load={(after) => {
                    const { code, consequence } = found;
                    return callRoute('problemRows', { run, code, consequence, ...(after && { after }) });
                  }}
                />
              )}
            </li>
          );
        })}
      </ul>
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
  folded: 'row folded',
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
