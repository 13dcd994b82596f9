interface BoxProps {
  readonly label: string;
  readonly checked: boolean;
  onChange(checked: boolean): void;
}

/** A checkbox with its label. */
export function Checkbox({ label, checked, onChange }: BoxProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}
