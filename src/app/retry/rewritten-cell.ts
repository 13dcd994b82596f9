/** What a spreadsheet has made of a cell when it saved a file. */
export interface RewrittenCell {
  /** `same`: the same value in other writing; `perhaps`: so it seems, or somebody changed it; `lost`: digits are gone. */
  readonly kind: 'same' | 'perhaps' | 'lost';
  readonly before: string | null;
  readonly after: string;
}

/**
 * Finds out whether a cell differs from what it was only as a spreadsheet would write it: numbers without their leading
 * zeros or with another decimal sign, dates in another order, long numbers in scientific notation. `before` is null where
 * nobody knows it. Null where the cell is as it was, or somebody changed it.
 */
export function rewrittenBy(before: string | null, after: string): RewrittenCell | null {
  if (before === after) return null;
  const [old, now] = [before?.trim() ?? null, after.trim()];
  const found = (kind: RewrittenCell['kind']) => ({ kind, before, after });
  if (scientific.test(now)) return found('lost');
  if (old === null || old === '' || now === '') return null;
  if (losesDigits(old, now)) return found('lost');
  if (old === now || isSameNumber(old, now)) return found('same');
  const dates = [readings(old), readings(now)] as const;
  const [same] = dates[1].filter((date) => dates[0].includes(date));
  if (same === undefined) return null;
  return found(dates[0].length === 1 && dates[1].length === 1 ? 'same' : 'perhaps');
}

/** As a spreadsheet writes numbers that are too long for it: 4.91521E+11. */
const scientific = /^[+-]?\d(?:[.,]\d+)?E\+\d{2,3}$/i;

/** A spreadsheet keeps 15 digits; the others become zeros. */
function losesDigits(before: string, after: string): boolean {
  return (
    /^\d{16,}$/.test(before) &&
    after.length === before.length &&
    after.slice(0, 15) === before.slice(0, 15) &&
    /^0+$/.test(after.slice(15)) &&
    after !== before
  );
}

function isSameNumber(before: string, after: string): boolean {
  const [a, b] = [canonical(before), canonical(after)];
  return a !== null && a === b;
}

/** A number without leading zeros, plus sign, grouping and zeros at its end; null for what is none or not clear. */
function canonical(text: string): string | null {
  const [, sign = '', whole = '', fraction = ''] =
    /^([+-]?)(\d+|\d{1,3}(?:[ \u00a0\u202f']\d{3})+)(?:[.,](\d+))?$/.exec(text) ?? [];
  if (whole === '') return null;
  // 1.234 may be a thousand and more, or one and a little.
  if (fraction.length === 3 && whole.length <= 3 && !/^0/.test(whole)) return null;
  const digits = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  const rest = fraction.replace(/0+$/, '');
  return `${sign === '-' ? '-' : ''}${digits}${rest === '' ? '' : `.${rest}`}`;
}

/** The dates (and what follows them) that a text can be read as. */
function readings(text: string): readonly string[] {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(.*)$/.exec(text);
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
  // 12:00, T12:00:00 and 12:00:00 are one time; midnight is none.
  const clock = /^[T ]?\s*(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?Z?$/.exec(time);
  if (clock === null && time.trim() !== '') return [];
  const at = clock === null ? '0:00:00' : `${Number(clock[1])}:${clock[2]}:${clock[3] ?? '00'}`;
  return [`${year}-${m}-${d} ${at}`];
}
