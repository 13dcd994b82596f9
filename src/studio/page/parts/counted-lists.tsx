import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { formatCount } from '../figures.ts';

/** A count that opens a list of what it counts. */
export interface CountedList {
  readonly key: string;
  readonly label: ComponentChildren;
  readonly note: string;
  readonly n: number;
  show(): ComponentChildren;
}

/** Counts, of which one at a time opens its list. */
export function CountedLists({ lists }: { readonly lists: readonly CountedList[] }) {
  const open = useSignal<string | undefined>(undefined);
  return (
    <ul class="counted">
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
              <span>{label}</span>
              <span class="note">{note}</span>
              <b class="n">{formatCount(n)}</b>
            </button>
            {isOpen && show()}
          </li>
        );
      })}
    </ul>
  );
}
