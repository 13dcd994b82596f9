import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { formatCount } from '../figures.ts';

/** A list of terms and values; null and undefined values are left out with their terms. */
export function FactList({ facts }: { readonly facts: Readonly<Record<string, ComponentChildren>> }) {
  const shown = Object.entries(facts).filter(([, text]) => text !== null && text !== undefined);
  if (shown.length === 0) return null;
  return (
    <dl>
      {shown.map(([term, text]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The heading of a column; `n` for a column of numbers. */
type DataColumn = string | { readonly n: string };

interface DataTableProps {
  readonly label: string;
  /** True where a heading above the table shows the label. */
  readonly hasHeading?: boolean;
  /** True for long texts, whose line breaks are kept. */
  readonly isText?: boolean;
  readonly columns: readonly DataColumn[];
  /** The cells of each row, of which the first is its heading. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** A short table. Where it is too wide, the rows of many columns become blocks; others scroll sideways. */
export function DataTable({ label, hasHeading, isText, columns, rows }: DataTableProps) {
  const classes = columns.map((column) => (typeof column === 'string' ? '' : 'n'));
  const heads = columns.map((column) => (typeof column === 'string' ? column : column.n));
  return (
    <ScrollArea label={label}>
      <table class={isText ? 'before-after' : columns.length > 3 ? 'stacks' : ''}>
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

interface ScrollsProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A region that scrolls, also by the keyboard. */
export function ScrollArea({ label, children }: ScrollsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section of ours is a card
    // biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus scrolls by the keyboard
    <div class="scrolls" role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

/** A count that opens a list of what it counts. */
export interface ExpandableCount {
  readonly key: string;
  readonly label: ComponentChildren;
  readonly note: string;
  readonly n: number;
  show(): ComponentChildren;
}

/** A list of counts; a click on a count opens the list of what it counts, one at a time. */
export function ExpandableCounts({ lists }: { readonly lists: readonly ExpandableCount[] }) {
  const open = useSignal<string | undefined>(undefined);
  return (
    <ul class="lines">
      {lists.map(({ key, label, note, n, show }) => {
        const isOpen = open.value === key;
        return (
          <li key={key}>
            <button
              type="button"
              class="plain"
              aria-expanded={isOpen}
              onClick={() => (open.value = isOpen ? undefined : key)}
            >
              <span class="sentence">
                {label} <span class="note">{note}</span>
              </span>
              <b>{formatCount(n)}</b>
            </button>
            {isOpen && show()}
          </li>
        );
      })}
    </ul>
  );
}
