import { toLowerCase, trimWhiteSpace } from '../datatypes/index.ts';
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
