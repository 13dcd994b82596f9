/**
 * The three countries whose mobile numbers are written in two forms, as digits: WhatsApp has a Brazilian one without its
 * ninth digit, a Mexican one with a 1 and an Argentine one with a 9, which stand for nothing else. `one` is the form in
 * which they are compared, `two` the other.
 */
const twoForms = [
  {
    two: /^55(?<area>\d\d)(?<rest>[6-9]\d{7})$/,
    toOne: '55$<area>9$<rest>',
    one: /^55(?<area>\d\d)9(?<rest>[6-9]\d{7})$/,
    toTwo: '55$<area>$<rest>',
  },
  { two: /^521(?<rest>\d{10})$/, toOne: '52$<rest>', one: /^52(?<rest>[2-9]\d{9})$/, toTwo: '521$<rest>' },
  { two: /^549(?<rest>\d{10})$/, toOne: '54$<rest>', one: /^54(?<rest>[1-3]\d{9})$/, toTwo: '549$<rest>' },
] as const;

/** Returns the digits in which an international number is compared; '' where it has none. */
export function comparablePhoneDigits(phone: string): string {
  const digits = phone.replace(/\D/g, '').replace(/^00/, '');
  if (!digits.startsWith('5')) return digits;
  const form = twoForms.find(({ two }) => two.test(digits));
  return form === undefined ? digits : digits.replace(form.two, form.toOne);
}

/** Returns the other form of a number (E.164) that has two; undefined for any other number. */
export function findOtherPhoneForm(phone: string): string | undefined {
  const digits = phone.slice(1);
  for (const { one, toOne, two, toTwo } of twoForms) {
    if (one.test(digits)) return `+${digits.replace(one, toTwo)}`;
    if (two.test(digits)) return `+${digits.replace(two, toOne)}`;
  }
  return undefined;
}
