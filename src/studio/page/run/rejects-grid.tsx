import { useSignal } from '@preact/signals';
import type { CellCorrections, RejectedRow } from '../../wire/decisions.ts';
import { formatRowLine } from '../figures.ts';
import { t, translateEngineText } from '../language.ts';
import { Checkbox } from '../parts/box.tsx';
import { ScrollArea } from '../parts/scrolls.tsx';

interface RejectsGridProps {
  readonly rows: readonly RejectedRow[];
  readonly columns: readonly string[];
  readonly corrections: CellCorrections;
  onCorrect(row: RejectedRow, column: string, cell: string): void;
}

/** A grid of rejected rows with editable cells, at first only of columns with a problem. */
export function RejectsGrid({ rows, columns, corrections, onCorrect }: RejectsGridProps) {
  const isWhole = useSignal(false);
  const wrong = new Set(rows.flatMap(({ problems }) => Object.keys(problems)));
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
  onCorrect(column: string, cell: string): void;
}

function Row({ row: { seq, line, cells, problems, ofRow, raw }, shown, corrected, onCorrect }: RowProps) {
  const reasons = [...ofRow, ...Object.values(problems).flat()].map(({ reason }) =>
    translateEngineText(reason),
  );
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
        const isWrong = column in problems && cell === undefined;
        return (
          <td key={column} data-head={column}>
            <input
              class={cell !== undefined ? 'look' : isWrong ? 'bad' : ''}
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
