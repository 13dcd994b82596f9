import type { ComponentChildren, ComponentProps } from 'preact';
import { useId } from 'preact/hooks';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'label' | 'children'> {
  readonly label: ComponentChildren;
}

/** A button; it sends its form only with the type `submit`. */
export function Button({ label, type = 'button', ...button }: ButtonProps) {
  return (
    <button type={type} {...button}>
      {label}
    </button>
  );
}

interface ButtonLinkProps {
  readonly label: string;
  readonly href: string;
  readonly quiet?: boolean;
}

/** A link that looks like a button. */
export function ButtonLink({ label, href, quiet = false }: ButtonLinkProps) {
  return (
    <a class={quiet ? 'button quiet' : 'button'} href={href}>
      {label}
    </a>
  );
}

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly isOff?: boolean;
  onSubmit(): void;
}

/** A form that the page handles itself. */
export function Form({ isOff = false, onSubmit, ...form }: FormProps) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOff) onSubmit();
      }}
    />
  );
}

interface FieldProps {
  readonly label: string;
  readonly note?: ComponentChildren;
  /** Returns the control, which must use both ids; the second is that of the note. */
  children(id: string, about: string | undefined): ComponentChildren;
}

/** A control with its label, and a note about it. */
export function LabelledControl({ label, note, children }: FieldProps) {
  const id = useId();
  const about = note === undefined ? undefined : `${id}-about`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, about)}
      {note !== undefined && (
        <p id={about} class="note">
          {note}
        </p>
      )}
    </div>
  );
}

// Which attributes an input may have depends on its type.
const inputTypes = {
  text: { type: 'text' },
  search: { type: 'search' },
  password: { type: 'password' },
} as const;

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  readonly type?: keyof typeof inputTypes;
  readonly value?: string;
  readonly placeholder?: string;
  readonly autofocus?: boolean;
  readonly readOnly?: boolean;
  readonly suggestions?: readonly string[] | undefined;
  onInput?(text: string): void;
  onChange?(text: string): void;
}

/** A field for a short text with its label. */
export function TextField(props: TextFieldProps) {
  const { label, note, type = 'text', suggestions, onInput, onChange, ...input } = props;
  return (
    <LabelledControl {...{ label, note }}>
      {(id, about) => (
        <>
          <input
            {...{ id, ...input }}
            {...(suggestions ? ({ type: 'text', list: `${id}-list` } as const) : inputTypes[type])}
            autocomplete="off"
            spellcheck={false}
            aria-describedby={about}
            onInput={(event) => onInput?.(event.currentTarget.value)}
            onChange={(event) => onChange?.(event.currentTarget.value)}
          />
          {suggestions && (
            <datalist id={`${id}-list`}>
              {suggestions.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          )}
        </>
      )}
    </LabelledControl>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly disabled?: boolean;
  onChoose(value: T): void;
}

export function SelectField<T extends string>({ label, options, onChoose, ...select }: ChoiceProps<T>) {
  return (
    <LabelledControl label={label}>
      {(id) => (
        <select
          id={id}
          {...select}
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

export function Checkbox({ label, checked, onChange }: BoxProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}
