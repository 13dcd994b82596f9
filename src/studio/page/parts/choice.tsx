import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  /** Returns the control, which must use `id` as its id. */
  children(id: string): ComponentChildren;
}

/** A control with its label. */
export function LabelledControl({ label, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  onChoose(value: T): void;
}

/** A select field with its label. */
export function SelectField<T extends string>({ label, value, options, onChoose }: ChoiceProps<T>) {
  return (
    <LabelledControl label={label}>
      {(id) => (
        <select
          id={id}
          value={value}
          onChange={(event) => {
            const chosen = options[event.currentTarget.selectedIndex];
            if (chosen !== undefined) onChoose(chosen[0]);
          }}
        >
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </LabelledControl>
  );
}
