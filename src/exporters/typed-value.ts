const numeral = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const integral = /^[+-]?\d+$/;
const instant = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
const day = /^\d{4}-\d{2}-\d{2}$/;
const largest = 2n ** 63n - 1n;

/** A number, also where it is written as a text; null for anything else. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && numeral.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** A whole number of 64 bits, also where it is written as a text; null for anything else. */
export function integerOf(value: unknown): bigint | null {
  const isWhole = typeof value === 'string' ? integral.test(value) : Number.isInteger(value);
  if (!isWhole || (typeof value !== 'string' && typeof value !== 'number')) return null;
  const integer = BigInt(typeof value === 'string' ? value.replace('+', '') : value);
  return integer <= largest && integer >= -largest - 1n ? integer : null;
}

/** True or false, also where it is written as a text; null for anything else. */
export function booleanOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  return value === 'false' ? false : null;
}

/** A moment of ISO 8601 with its zone; null for anything else, and for a day that no calendar has. */
export function momentOf(value: unknown): Date | null {
  const written = typeof value === 'string' ? instant.exec(value) : null;
  if (written === null || dateOf(written[1]) === null) return null;
  const moment = new Date(written[0]);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** A day, as midnight in UTC; null for anything else. */
export function dateOf(value: unknown): Date | null {
  if (typeof value !== 'string' || !day.test(value)) return null;
  const date = new Date(`${value}T00:00:00Z`);
  // A 31st of February would become a 2nd of March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) ? date : null;
}

/** A list of texts; null for anything else. */
export function textsOf(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const texts = value.filter((each) => typeof each === 'string');
  return texts.length === value.length ? texts : null;
}
