import { useSignal } from '@preact/signals';
import { project } from '../project.ts';

/** The rows of a table that are selected, by their keys. */
export interface SelectedTableRows {
  readonly keys: ReadonlySet<string>;
  select(keys: readonly string[], isSelected: boolean): void;
}

/** Returns the state of a selection, which is empty at first. */
export function useTableSelection(): SelectedTableRows {
  const keys = useSignal<ReadonlySet<string>>(new Set());
  return {
    keys: keys.value,
    select(changed, isSelected) {
      const next = new Set(keys.value);
      for (const key of changed) {
        if (isSelected) next.add(key);
        else next.delete(key);
      }
      keys.value = next;
    },
  };
}

interface SelectBoxProps {
  readonly label: string;
  /** The keys that the box selects. */
  readonly keys: readonly string[];
  readonly selection: SelectedTableRows;
}

/** A checkbox that selects a row, or all that are shown. */
export function SelectionCheckbox({ label, keys, selection }: SelectBoxProps) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={keys.length > 0 && keys.every((key) => selection.keys.has(key))}
      disabled={project.value.readOnly}
      onChange={({ currentTarget }) => selection.select(keys, currentTarget.checked)}
    />
  );
}
