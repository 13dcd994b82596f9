import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { hiddenCell } from '../../wire/inputs.ts';
import type { RowsPage } from '../../wire/mapping.ts';
import { formatPercent, formatRowLine } from '../figures.ts';
import { useStreamedAnswer } from '../hooks.ts';
import { t, translateEngineText } from '../language.ts';
import { Button, SelectField, TextField } from '../parts/controls.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ProblemNotice, StatusNote } from '../parts/notice.tsx';
import { buildProblemKey, formatProblem, problemEffectLabels } from '../parts/problem-words.ts';
import { ExternalText } from '../parts/shown-text.tsx';
import { type TableColumn, toColumnWidth, VirtualTable } from '../parts/table.tsx';
import { CellDetail } from './cell-detail.tsx';
import { LeaveOutButton, RowConditionList } from './row-conditions.tsx';
import type { MappingViewState, RowsFilter } from './view-state.ts';

type FoundRow = RowsPage['rows'][number];

interface RowsDialogProps extends MappingViewState {
  /** What is chosen at first. */
  readonly filter: RowsFilter;
}

/** The rows that have a problem, a value or a text, in pages; a click on a cell shows what the mapping makes of it. */
export function RowsDialog({ filter, ...view }: RowsDialogProps) {
  const close = () => (view.rowsOf.value = undefined);
  const { problem: first = '', cell: begun = { column: '', text: '' } } = filter;
  const problem = useSignal(first);
  const column = useSignal(begun.column);
  const text = useSignal(begun.text);
  const search = useSignal('');
  /** The number of the row that each page begins at, up to the page that is shown. */
  const pages = useSignal<readonly number[]>([0]);
  const cell = useSignal<Omit<Parameters<typeof CellDetail>[0], 'view'> | undefined>(undefined);
  const counted = view.counts.value.value?.counts.reasons ?? [];
  const chosen = useRef<(typeof counted)[number] | undefined>(undefined);
  const isChosen = (each: (typeof counted)[number]) => buildProblemKey(each) === problem.value;
  // A correction of the last row with the chosen problem does not change what is shown.
  chosen.current = counted.find(isChosen) ?? (chosen.current && { ...chosen.current, n: 0 });
  const reason = problem.value === '' ? undefined : chosen.current;
  const reasons = reason === undefined || counted.some(isChosen) ? counted : [reason, ...counted];
  const columns = view.columns.value.value?.columns.columns ?? [];
  const answer = useStreamedAnswer(
    'mappingRows',
    'rows',
    view.request && {
      ...view.request,
      problem: reason ? { code: reason.code, effect: reason.effect } : null,
      cell: column.value === '' ? null : { column: column.value, text: text.value },
      search: search.value,
      from: pages.value.at(-1) ?? 0,
    },
    view.pipeline?.writes.value,
  );
  const found = answer.value.value?.rows;
  const table = columnsOf(found?.rows ?? [], column.value);
  const goTo = (from: readonly number[]) => {
    pages.value = from;
    cell.value = undefined;
  };
  const refine = (change: () => void) => {
    change();
    goTo([0]);
  };
  return (
    <Dialog title={t('Rows of the file')} onClose={close}>
      <div class="fields">
        <SelectField
          label={t('Problem')}
          value={problem.value}
          options={[
            ['', t('Any row')],
            ...reasons.map(
              (each) =>
                [
                  buildProblemKey(each),
                  t('{problem} ({effect}, {n, plural, one {# row} other {# rows}})', {
                    problem: formatProblem(each),
                    effect: problemEffectLabels[each.effect],
                    n: each.n,
                  }),
                ] as const,
            ),
          ]}
          onChoose={(value) => refine(() => (problem.value = value))}
        />
        <SelectField
          label={t('Column')}
          value={column.value}
          options={[['', t('Any')], ...columns.map(({ name }) => [name, name] as const)]}
          onChoose={(value) => refine(() => (column.value = value))}
        />
        {column.value !== '' && (
          <TextField
            label={t('Has the value')}
            value={text.value}
            placeholder={t('empty')}
            suggestions={columns
              .find(({ name }) => name === column.value)
              ?.frequent.map(({ value }) => value)}
            onChange={(typed) => refine(() => (text.value = typed))}
          />
        )}
        <TextField
          label={t('Search all columns')}
          type="search"
          value={search.value}
          onChange={(typed) => refine(() => (search.value = typed))}
        />
      </div>
      <ProblemNotice problem={answer.problem.value} />
      <StatusNote>
        {found === undefined || answer.isOld.value
          ? t('Looking for the rows…')
          : coverWords(found, pages.value.length)}
      </StatusNote>
      <LeaveOutButton {...{ column: column.value, answer, pipeline: view.pipeline }} />
      <RowConditionList pipeline={view.pipeline} />
      {found !== undefined && (
        <VirtualTable
          label={t('Rows')}
          columns={table}
          rows={found.rows.length}
          rowAt={(index) => found.rows[index]}
          byCell
          onOpen={(row, _index, at) => {
            view.wanted.value = { number: row.number };
            cell.value = {
              row,
              column: table[at]?.column ?? findProblemColumn(row),
              under: view.request?.text,
            };
          }}
        />
      )}
      {cell.value !== undefined && <CellDetail {...cell.value} view={view} />}
      <p class="buttons">
        {pages.value.length > 1 && (
          <Button class="quiet" label={t('Previous rows')} onClick={() => goTo(pages.value.slice(0, -1))} />
        )}
        {found?.next != null && (
          <Button
            class="quiet"
            label={t('More rows')}
            onClick={() => goTo([...pages.value, found.next ?? 0])}
          />
        )}
        <Button class="quiet" label={t('Close')} onClick={close} />
        <span class="note">{t('Choose a cell to see what it becomes, and why.')}</span>
      </p>
    </Dialog>
  );
}

function coverWords({ rows, next, share, done }: RowsPage, pages: number): string {
  const values = { n: rows.length, share: formatPercent(share, 1) };
  const isWhole = done && next === null;
  if (pages > 1) {
    if (isWhole)
      return t('{n, plural, one {# more row} other {# more rows}}; the whole file searched.', values);
    return done
      ? t('{n, plural, one {# more row} other {# more rows}}; {share} of the file searched.', values)
      : t('{n, plural, one {# more row} other {# more rows}} so far; {share} of the file searched.', values);
  }
  if (isWhole) return t('{n, plural, one {# row} other {# rows}}; the whole file searched.', values);
  return done
    ? t('{n, plural, one {# row} other {# rows}}; {share} of the file searched.', values)
    : t('{n, plural, one {# row} other {# rows}} so far; {share} of the file searched.', values);
}

/** A column of the table; `column` is that of the input, if it is one. */
interface RowsColumn extends TableColumn<FoundRow> {
  readonly column?: string;
}

/** Returns the column of the first problem of a row that has one. */
function findProblemColumn({ problems }: FoundRow): string | undefined {
  return problems.find(({ column }) => column !== null)?.column ?? undefined;
}

/** Returns the columns of the table; the input's columns with a problem or in the filter come before its others. */
function columnsOf(rows: readonly FoundRow[], asked: string): readonly RowsColumn[] {
  const names = [...new Set(rows.flatMap(({ cells }) => cells.map(([name]) => name)))];
  const wrong = rows.flatMap(({ problems }) => problems.map(({ column }) => column));
  const first = new Set([...wrong, asked]);
  const ordered = [...names.filter((name) => first.has(name)), ...names.filter((name) => !first.has(name))];
  const broken: readonly TableColumn<FoundRow>[] = [{ head: t('As written'), cell: ({ raw }) => raw }];
  return [
    {
      ...{ head: t('Line'), cell: ({ line }) => formatRowLine(line), figures: true },
      width: toColumnWidth(Math.max(6, ...rows.map(({ line }) => formatRowLine(line).length))),
    },
    {
      head: t('Problem'),
      cell: ({ problems }) => problems.map(({ reason }) => translateEngineText(reason)).join(' '),
      width: 'minmax(16rem, 2fr)',
    },
    ...ordered.map((name) => ({
      ...{ column: name, head: name, width: 'minmax(9rem, 1fr)' },
      cell: ({ cells, problems }: FoundRow) => {
        const text = cells.find(([each]) => each === name)?.[1] ?? '';
        const shown = text === hiddenCell ? <ExternalText text={text} /> : text;
        return problems.some(({ column }) => column === name) ? (
          <b class="wrong">{shown || t('empty')}</b>
        ) : (
          shown
        );
      },
    })),
    ...(rows.some(({ raw }) => raw !== null) ? broken : []),
  ];
}
