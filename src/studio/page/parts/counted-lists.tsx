import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { formatCount } from '../figures.ts';

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
              <span>
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
