import { useId } from 'preact/hooks';

interface BoxProps {
  readonly label: string;
  readonly checked: boolean;
  onChange(checked: boolean): void;
}

/** A checkbox with its label. */
export function Checkbox({ label, checked, onChange }: BoxProps) {
  const id = useId();
  return (
    <div class="field inline">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
    </div>
  );
}
