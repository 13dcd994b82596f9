import { toLowerCase, trimWhiteSpace } from '../datatypes/index.ts';
import type { CustomValue } from '../model/custom-field.ts';
import type { Identifier } from '../model/identifier.ts';
import { comparablePhoneDigits } from '../model/phone-forms.ts';

/** Returns the normalized form in which e-mails are compared; null where there is none. */
export function toComparableEmail(email: string | null): string | null {
  return email === null ? null : toLowerCase(trimWhiteSpace(email).normalize('NFC')) || null;
}

/**
 * Returns the form in which phones are compared, digits with a leading plus and in one of the two forms that some
 * numbers have; null where there is none.
 */
export function toComparablePhone(phone: string | null): string | null {
  if (phone === null) return null;
  const digits = comparablePhoneDigits(phone);
  return digits === '' ? null : `+${digits}`;
}

/** Days that systems write where they know no date of birth. */
const placeholderDays: ReadonlySet<string> = new Set(['0001-01-01', '1900-01-01', '1970-01-01']);

/** Returns the day of a date of birth, `yyyy-mm-dd`; null for no date, and for a day that stands for none. */
export function toComparableBirthDate(value: CustomValue | undefined): string | null {
  const day = typeof value === 'string' ? /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0] : undefined;
  return day === undefined || placeholderDays.has(day) ? null : day;
}

/** Returns the comparable forms of a row's further e-mails and phones. */
export function toComparableFurther(further: readonly Identifier[]): readonly string[] {
  return further.flatMap(
    ({ kind, value }) => (kind === 'email' ? toComparableEmail(value) : toComparablePhone(value)) ?? [],
  );
}

/** Returns an identifier with its kind in comparable form, such as `email:a@b.co`; null for an empty value. */
export function toComparableIdentifier({ kind, value }: Identifier): string | null {
  const comparable = kind === 'email' ? toComparableEmail(value) : toComparablePhone(value);
  return comparable === null ? null : `${kind}:${comparable}`;
}
