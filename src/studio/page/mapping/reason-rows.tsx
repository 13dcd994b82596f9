import { useSignal } from '@preact/signals';
import type { ProblemCountWithEffect, ProblemRowsPage } from '../../wire/mapping.ts';
import { formatCount, formatCountWithNoun } from '../figures.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { type TableColumn, VirtualTable } from '../parts/table.tsx';
import { problemEffectLabels } from './target-words.ts';
import { useStreamedAnswer } from './use-found.ts';
import type { MappingRowsRequest } from './view-state.ts';

interface ReasonRowsProps {
  readonly reason: ProblemCountWithEffect;
  readonly request: MappingRowsRequest;
  onRow(number: number): void;
  onClose(): void;
}

type ReasonRow = ProblemRowsPage['rows'][number];

/** The rows with a problem, in pages; an opened row becomes the current one. */
export function MappingProblemRowsDialog({
  reason: { code, effect, n },
  request,
  onRow,
  onClose,
}: ReasonRowsProps) {
  const from = useSignal(0);
  const { value, problem } = useStreamedAnswer('mappingReason', 'rows', {
    ...request,
    code,
    effect,
    from: from.value,
  });
  const found = value.value?.rows;
  return (
    <Dialog
      title={`${code} (${problemEffectLabels[effect]}): ${formatCountWithNoun(n, 'row')}`}
      onClose={onClose}
    >
      <ProblemNotice problem={problem.value} />
      {found === undefined ? (
        problem.value === undefined && <p role="status">Looking for the rows…</p>
      ) : (
        <VirtualTable
          label={`Rows with ${code}`}
          columns={columnsOf(found.rows)}
          rows={found.rows.length}
          rowAt={(index) => found.rows[index]}
          onOpen={({ number }) => {
            onRow(number);
            onClose();
          }}
        />
      )}
      <p class="buttons">
        {found?.next != null && (
          <button type="button" class="quiet" onClick={() => (from.value = found.next ?? 0)}>
            More rows
          </button>
        )}
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
        <span class="note">Enter or a click shows what becomes of the row.</span>
      </p>
    </Dialog>
  );
}

function columnsOf(rows: readonly ReasonRow[]): readonly TableColumn<ReasonRow>[] {
  const names = [...new Set(rows.flatMap(({ cells }) => cells.map(([name]) => name)))];
  const broken: readonly TableColumn<ReasonRow>[] = [
    { key: 'raw', head: 'As written', cell: ({ raw }) => raw },
  ];
  return [
    { key: 'line', head: 'Line', cell: ({ line }) => formatCount(line), width: '5rem', figures: true },
    {
      key: 'problem',
      head: 'Problem',
      cell: ({ problems }) => problems.map(({ reason }) => reason).join(' '),
      width: 'minmax(16rem, 2fr)',
    },
    ...names.map((name) => ({
      ...{ key: `cell ${name}`, head: name, width: 'minmax(9rem, 1fr)' },
      cell: ({ cells }: ReasonRow) => cells.find(([each]) => each === name)?.[1],
    })),
    ...(rows.some(({ raw }) => raw !== null) ? broken : []),
  ];
}
