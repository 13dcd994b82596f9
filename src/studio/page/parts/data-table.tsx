import type { ComponentChildren } from 'preact';
import { ScrollArea } from './scrolls.tsx';

/** The heading of a column; `n` for a column of numbers. */
type DataColumn = string | { readonly n: string };

interface DataTableProps {
  readonly label: string;
  /** True where a heading above the table shows the label. */
  readonly hasHeading?: boolean;
  readonly columns: readonly DataColumn[];
  /** The cells of each row, of which the first is its heading. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** A short table. Where it is too wide, the rows of many columns become blocks; others scroll sideways. */
export function DataTable({ label, hasHeading, columns, rows }: DataTableProps) {
  const classes = columns.map((column) => (typeof column === 'string' ? '' : 'n'));
  const heads = columns.map((column) => (typeof column === 'string' ? column : column.n));
  return (
    <ScrollArea label={label}>
      <table class={columns.length > 3 ? 'stacks' : ''}>
        <caption class={hasHeading ? 'hidden' : ''}>{label}</caption>
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={at} scope="col" class={classes[at]}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...cells], row) => (
            <tr key={row}>
              <th scope="row">{first}</th>
              {cells.map((cell, at) => (
                <td key={at} class={classes[at + 1]} data-head={heads[at + 1]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
