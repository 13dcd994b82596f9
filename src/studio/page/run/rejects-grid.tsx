import { useSignal } from '@preact/signals';
import type { CellCorrections, CheckedRow, RejectedRow } from '../../wire/decisions.ts';
import { formatRowLine } from '../figures.ts';
import { t, translateEngineText } from '../language.ts';
import { Checkbox } from '../parts/controls.tsx';
import { ScrollArea } from '../parts/lists.tsx';

/** What the rules of the mapping find wrong with corrected rows, by row number, and the cells that were checked. */
export type CheckedCorrections = Readonly<
  Record<string, Pick<CheckedRow, 'problems'> & { readonly cells: CellCorrections[string] }>
>;

/** Returns what is wrong with a row after its correction; undefined as long as these cells were not checked. */
export function findCheckedProblems(
  checked: CheckedCorrections,
  seq: string | number,
  cells: CellCorrections[string],
): CheckedRow['problems'] | undefined {
  const found = checked[seq];
  return found !== undefined && JSON.stringify(found.cells) === JSON.stringify(cells)
    ? found.problems
    : undefined;
}

interface RejectsGridProps {
  readonly rows: readonly RejectedRow[];
  readonly columns: readonly string[];
  readonly corrections: CellCorrections;
  readonly checked: CheckedCorrections;
  onCorrect(row: RejectedRow, column: string, cell: string): void;
}

/** A grid of rejected rows with editable cells, at first only of columns with a problem. */
export function RejectsGrid({ rows, columns, corrections, checked, onCorrect }: RejectsGridProps) {
  const isWhole = useSignal(false);
  const wrong = new Set([
    ...rows.flatMap(({ problems }) => Object.keys(problems)),
    ...Object.values(checked).flatMap(({ problems }) => problems.flatMap(({ column }) => column ?? [])),
  ]);
  const shown = isWhole.value || wrong.size === 0 ? columns : columns.filter((column) => wrong.has(column));
  return (
    <>
      {wrong.size > 0 && wrong.size < columns.length && (
        <Checkbox
          label={t('All {n, number} columns, not only those with problems', { n: columns.length })}
          checked={isWhole.value}
          onChange={(checked) => (isWhole.value = checked)}
        />
      )}
      <ScrollArea label={t('Cells of the rejected rows')}>
        <table class="grid stacks">
          <thead>
            <tr>
              <th scope="col" class="n">
                {t('Line')}
              </th>
              <th scope="col">{t('What is wrong')}</th>
              {shown.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row
                key={row.seq}
                row={row}
                shown={shown}
                corrected={corrections[row.seq] ?? {}}
                found={findCheckedProblems(checked, row.seq, corrections[row.seq] ?? {})}
                onCorrect={(column, cell) => onCorrect(row, column, cell)}
              />
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </>
  );
}

interface RowProps {
  readonly row: RejectedRow;
  readonly shown: readonly string[];
  readonly corrected: Readonly<Record<string, string>>;
  /** What is wrong with it after its correction; undefined without one, and until it was checked. */
  readonly found: CheckedRow['problems'] | undefined;
  onCorrect(column: string, cell: string): void;
}

function Row({ row, shown, corrected, found, onCorrect }: RowProps) {
  const { seq, line, cells, problems, ofRow, raw } = row;
  const present = found ?? [...ofRow, ...Object.values(problems).flat()];
  const wrong = new Set(present.map(({ column }) => column));
  const reasons =
    found?.length === 0
      ? [t('The rules of the mapping accept the row now.')]
      : present.map(({ reason }) => translateEngineText(reason));
  const why = `reject-${seq}`;
  return (
    <tr>
      <th scope="row" class="n" data-head={t('Line')}>
        {formatRowLine(line)}
      </th>
      <td id={why} class="why">
        {reasons.map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
        {raw !== null && <code>{raw}</code>}
      </td>
      {shown.map((column) => {
        const cell = corrected[column];
        // A corrected cell is neither wrong nor right until it was checked.
        const isChecked = cell === undefined || found !== undefined;
        const isWrong = isChecked && wrong.has(column);
        const fits = cell !== undefined && found !== undefined && !isWrong;
        return (
          <td key={column} data-head={column}>
            <input
              class={isWrong ? 'bad' : cell === undefined ? '' : fits ? 'good' : 'look'}
              value={cell ?? cells[column] ?? ''}
              aria-label={t('{column}, line {line}', { column, line: formatRowLine(line) })}
              aria-invalid={isWrong}
              aria-describedby={isWrong ? why : undefined}
              spellcheck={false}
              autocomplete="off"
              onInput={(event) => onCorrect(column, event.currentTarget.value)}
            />
          </td>
        );
      })}
    </tr>
  );
}
