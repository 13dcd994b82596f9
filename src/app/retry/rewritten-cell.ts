/** A cell that a spreadsheet rewrote when it saved a file. */
export interface RewrittenCell {
  /**
   * `same`: the same value written differently; `perhaps`: the same value, or an edit; `lost`: digits are lost;
   * `swapped`: a date whose day and month were exchanged.
   */
  readonly kind: 'same' | 'perhaps' | 'lost' | 'swapped';
  readonly before: string | null;
  readonly after: string;
}

/**
 * Detects a cell that differs only as a spreadsheet would rewrite it: numbers without their leading zeros or with
 * another decimal sign, dates in another order or without their seconds, long numbers in scientific notation. `before`
 * is null where unknown. `days` are those that the fields of type date read in `before`, as `yyyy-mm-dd`, and `daysNow`
 * those in `after`. Returns null if the cell is unchanged, or was edited by the user.
 */
export function detectSpreadsheetReformatting(
  before: string | null,
  after: string,
  days: readonly string[] = [],
  daysNow: readonly string[] = days,
): RewrittenCell | null {
  if (before === after) return null;
  const [old, now] = [before?.trim() ?? null, after.trim()];
  const found = (kind: RewrittenCell['kind']) => ({ kind, before, after });
  if (scientific.test(now)) return found('lost');
  if (old === null || old === '' || now === '') return null;
  if (losesDigits(old, now)) return found('lost');
  if (old === now || isSameNumber(old, now)) return found('same');
  const dates = [readings(old), readings(now)] as const;
  const [same] = dates[1].filter((date) => dates[0].some((each) => isSameTime(each, date, now)));
  if (same === undefined) return null;
  const isDayBefore = days.length > 0 && days.every((day) => same.startsWith(`${unpadded(day)} `));
  // A true date of a workbook begins with its year: what the fields read in the cell before decides what it was.
  if (isoDate.test(now) && days.length > 0) return found(isDayBefore ? 'same' : 'swapped');
  // As it is now, the fields could not read it at all.
  if (isDayBefore && daysNow.length === 0) return found('same');
  return found(dates[0].length === 1 && dates[1].length === 1 ? 'same' : 'perhaps');
}

/** A number that a spreadsheet has written in scientific notation because it is long: 4.91521E+11. */
const scientific = /^[+-]?\d(?:[.,]\d+)?E\+\d{2,3}$/i;

/** Returns true if a whole number of 16 or more digits (as a binary number: up to 300) became what a spreadsheet keeps of it. */
function losesDigits(before: string, after: string): boolean {
  const [old, now] = [canonical(before), canonical(after)];
  if (old === null || now === null || old === now || !/^-?\d{16,300}$/.test(old)) return false;
  return atSpreadsheetPrecision(old).includes(now);
}

/**
 * Returns a whole number cut and rounded to the 15 to 17 digits that programs keep, and each as the nearest binary
 * number. A last digit that a person corrected gives none of these.
 */
function atSpreadsheetPrecision(number: string): readonly string[] {
  const exact = BigInt(number);
  const digits = number.replace('-', '').length;
  const kept = [15, 16, 17].flatMap((precision) => {
    const unit = 10n ** BigInt(Math.max(0, digits - precision));
    const cut = exact - (exact % unit);
    const up = exact < 0n ? cut - unit : cut + unit;
    return [cut, 2n * abs(exact - cut) >= unit ? up : cut];
  });
  return [exact, ...kept].flatMap((each) => [String(each), String(BigInt(Number(each)))]);
}

function abs(number: bigint): bigint {
  return number < 0n ? -number : number;
}

function isSameNumber(before: string, after: string): boolean {
  const [a, b] = [canonical(before), canonical(after)];
  return a !== null && a === b;
}

/**
 * Returns a number without leading zeros, plus sign, grouping and trailing zeros; null for an invalid or ambiguous one.
 */
function canonical(text: string): string | null {
  const [, sign = '', whole = '', fraction = ''] =
    /^([+-]?)(\d+|\d{1,3}(?:[ \u00a0\u202f']\d{3})+)(?:[.,](\d+))?$/.exec(text) ?? [];
  if (whole === '') return null;
  // 1.234 may mean 1234 (with a grouping mark) or a number between 1 and 2.
  if (fraction.length === 3 && whole.length <= 3 && !/^0/.test(whole)) return null;
  const digits = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  const rest = fraction.replace(/0+$/, '');
  return `${sign === '-' ? '-' : ''}${digits}${rest === '' ? '' : `.${rest}`}`;
}

const isoDate = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(.*)$/;

function unpadded(day: string): string {
  return day.split('-').map(Number).join('-');
}

/** Returns true if two readings are the same, or if only the seconds of the first are missing in the text `now`. */
function isSameTime(before: string, after: string, now: string): boolean {
  if (before === after) return true;
  const hasSeconds = /\d:\d{2}:\d{2}/.test(now);
  return !hasSeconds && before.slice(0, -2) === after.slice(0, -2);
}

/** Returns the dates, with their times, that a text can be read as. */
function readings(text: string): readonly string[] {
  const iso = isoDate.exec(text);
  if (iso !== null) return dated(iso[1], iso[2], iso[3], iso[4]);
  const [, first, second, year = '', time] =
    /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?!\d)(.*)$/.exec(text) ?? [];
  if (year === '') return [];
  const full = year.length === 4 ? [year] : [`19${year}`, `20${year}`];
  return [
    ...new Set(full.flatMap((y) => [...dated(y, second, first, time), ...dated(y, first, second, time)])),
  ];
}

function dated(year = '', month = '', day = '', time = ''): readonly string[] {
  const [m, d] = [Number(month), Number(day)];
  if (m < 1 || m > 12 || d < 1 || d > 31) return [];
  // 12:00, T12:00:00 and 12:00:00 are the same time; midnight is the same as no time.
  const clock = /^[T ]?\s*(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?Z?$/.exec(time);
  if (clock === null && time.trim() !== '') return [];
  const at = clock === null ? '0:00:00' : `${Number(clock[1])}:${clock[2]}:${clock[3] ?? '00'}`;
  return [`${year}-${m}-${d} ${at}`];
}
