import { useSignal } from '@preact/signals';
import type { RequestProblem } from '../../wire/problem.ts';
import { toRequestProblem } from '../call.ts';
import { t } from '../language.ts';
import { ProblemNotice, StatusNote } from './notice.tsx';
import { type TableColumn, VirtualTable } from './table.tsx';

interface PagedTableProps<Row> {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  /** The number of rows to assume until the last page is read. */
  readonly n: number;
  /** Loads the page after a cursor, or the first page without one; `next` is null for the last page. */
  load(page: {
    readonly after?: string;
  }): Promise<{ readonly rows: readonly Row[]; readonly next: string | null }>;
}

/** A table that loads its rows page by page, as they are scrolled to. */
export function PagedTable<Row>({ label, columns, n, load }: PagedTableProps<Row>) {
  const rows = useSignal<readonly Row[]>([]);
  const next = useSignal<string | null | undefined>(undefined);
  const busy = useSignal(false);
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const loadMore = async () => {
    if (busy.value || next.value === null) return;
    busy.value = true;
    try {
      const found = await load(next.value === undefined ? {} : { after: next.value });
      rows.value = [...rows.value, ...found.rows];
      next.value = found.next;
    } catch (error) {
      problem.value = toRequestProblem(error);
      next.value = null;
    } finally {
      busy.value = false;
    }
  };
  return (
    <>
      <ProblemNotice problem={problem.value} />
      <VirtualTable
        label={label}
        columns={columns}
        rows={next.value === null ? rows.value.length : Math.max(n, rows.value.length)}
        rowAt={(index) => rows.value[index]}
        onRange={(_, to) => {
          if (next.value === undefined || to >= rows.value.length) void loadMore();
        }}
      />
      <StatusNote>
        {next.value === undefined
          ? t('Reading…')
          : t('{n, plural, one {# row} other {# rows}} read', { n: rows.value.length })}
      </StatusNote>
    </>
  );
}
