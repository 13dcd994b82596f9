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

// Which attributes an input may have depends on its type.
const inputTypes = {
  text: { type: 'text' },
  search: { type: 'search' },
  password: { type: 'password' },
} as const;

interface TextFieldProps {
  readonly label: string;
  readonly type?: keyof typeof inputTypes;
  readonly value?: string;
  readonly placeholder?: string;
  readonly autofocus?: boolean;
  /** What is shown below. */
  readonly note?: string;
  onInput(text: string): void;
}

/** A field for a short text with its label. */
export function TextField({ label, type = 'text', note, onInput, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...{ id, ...input, ...inputTypes[type] }}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={note === undefined ? undefined : `${id}-about`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {note !== undefined && (
        <p id={`${id}-about`} class="note">
          {note}
        </p>
      )}
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
