import {
  isPhoneWithoutCountryCode,
  looksLikePhone,
  removePhoneLabel,
  splitPhones,
  trimWhiteSpace,
} from '../../../datatypes/index.ts';
import type { Row } from '../../../model/row.ts';
import { formatRowPlace } from '../../../model/row-place.ts';
import type { ColumnRole } from '../columns/header-names.ts';
import { isPlaceholder } from './placeholders.ts';

/** The number of rows with a finding, and the place of the first: `line 14`. */
export interface RowCountWithPlace {
  readonly rows: number;
  readonly at: string;
}

const mostColumns = 20;
const mostNameColumns = 12;
const mostCountries = 5;
const fewestDigits = 6;

const nameRoles: ReadonlySet<ColumnRole | undefined> = new Set<ColumnRole>([
  ...(['firstName', 'lastName', 'fullName', 'name', 'company'] as const),
]);

/**
 * Compares the phone columns and the e-mail columns within each row, finds rows that have no country for a phone without
 * a country code, and counts which columns of names are filled together; memory does not grow with the rows.
 */
export class ContactColumnComparison {
  readonly #emails: string[] = [];
  readonly #phones: string[] = [];
  readonly #countries: string[] = [];
  readonly #names: string[] = [];
  /** The numbers of rows, by the columns of names that they fill, joined by line ends. */
  readonly #named = new Map<string, number>();
  readonly #differing = new Map<string, number>();
  /** The rows with a phone without a country code, by the country columns that they fill. */
  readonly #national = new Map<string, RowCountWithPlace & { readonly countries: readonly string[] }>();

  /** Includes a column in the comparison, by the role of its name. */
  see(column: string, role: ColumnRole | undefined): void {
    if (nameRoles.has(role) && this.#names.length < mostNameColumns) this.#names.push(column);
    const kind = this.#kindOf(role);
    const most = kind === this.#countries ? mostCountries : mostColumns;
    if (kind !== undefined && kind.length < most) kind.push(column);
  }

  add(row: Row): void {
    this.#compare(row, this.#emails, 'email', isSameEmail);
    if (this.#names.length > 1) {
      const named = this.#names.filter((column) => textOf(row, column, 'name') !== '').join('\n');
      this.#named.set(named, (this.#named.get(named) ?? 0) + 1);
    }
    const phones = this.#compare(row, this.#phones, 'phone', isSamePhone);
    if (this.#countries.length === 0 || !phones.some(isNational)) return;
    const countries = this.#countries.filter((column) => textOf(row, column, 'country') !== '');
    const { rows, at } = this.#national.get(countries.join('\n')) ?? { rows: 0, at: formatRowPlace(row) };
    this.#national.set(countries.join('\n'), { rows: rows + 1, at, countries });
  }

  /**
   * Returns the number of rows in which two columns have different phones or e-mails; undefined if they were not
   * compared.
   */
  differing(one: string, other: string): number | undefined {
    const areCompared = [this.#emails, this.#phones].some(
      (kind) => kind.includes(one) && kind.includes(other),
    );
    return areCompared ? (this.#differing.get(pairOf(one, other)) ?? 0) : undefined;
  }

  /**
   * Returns the number of rows in which all columns of `filled` have a name, and none of `empty`; 0 for a table with
   * fewer than two columns of names and companies.
   */
  rowsNamed(filled: readonly string[], empty: readonly string[]): number {
    return [...this.#named].reduce((sum, [columns, rows]) => {
      const named = columns.split('\n');
      const isOne =
        filled.every((column) => named.includes(column)) && !empty.some((column) => named.includes(column));
      return isOne ? sum + rows : sum;
    }, 0);
  }

  /**
   * Returns the number of rows that have a phone without a country code while their cells of these country columns are
   * empty, and the first such row; undefined if there are none.
   */
  nationalWithout(columns: readonly string[]): RowCountWithPlace | undefined {
    const without = [...this.#national.values()].filter(
      ({ countries }) => !countries.some((column) => columns.includes(column)),
    );
    const [first] = without;
    if (first === undefined) return undefined;
    return { rows: without.reduce((sum, { rows }) => sum + rows, 0), at: first.at };
  }

  #kindOf(role: ColumnRole | undefined): string[] | undefined {
    if (role === 'phone' || role === 'mobile') return this.#phones;
    if (role === 'email') return this.#emails;
    return role === 'country' ? this.#countries : undefined;
  }

  /** Counts the pairs of columns that differ in a row; returns the texts of the filled cells. */
  #compare(
    row: Row,
    columns: readonly string[],
    role: ColumnRole,
    isSame: (one: string, other: string) => boolean,
  ): readonly string[] {
    const filled = columns.flatMap((column) => {
      const text = textOf(row, column, role);
      return text === '' ? [] : [{ column, text }];
    });
    for (const [at, one] of filled.entries()) {
      for (const other of filled.slice(at + 1)) {
        if (isSame(one.text, other.text)) continue;
        const pair = pairOf(one.column, other.column);
        this.#differing.set(pair, (this.#differing.get(pair) ?? 0) + 1);
      }
    }
    return filled.map(({ text }) => text);
  }
}

/** Returns the numbers in a cell that may be phones of any country, without labels such as `work:`. */
export function findPhones(cell: string): readonly string[] {
  const parts = looksLikePhone(cell) ? [] : splitPhones(cell, undefined);
  return (parts.length === 0 ? [cell] : parts)
    .map((part) => removePhoneLabel(trimWhiteSpace(part)))
    .filter(looksLikePhone);
}

/** Returns true if a number in the cell has no country code. */
function isNational(cell: string): boolean {
  return findPhones(cell).some(isPhoneWithoutCountryCode);
}

function textOf(row: Row, column: string, role: ColumnRole): string {
  const text = trimWhiteSpace(row.cell(column) ?? '');
  return isPlaceholder(text, role) ? '' : text;
}

function pairOf(one: string, other: string): string {
  return [one, other].sort().join('\n');
}

function isSameEmail(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Returns true for two equal numbers, even if only one of them has a country code. */
function isSamePhone(one: string, other: string): boolean {
  const [a = '', b = ''] = [one, other].map((text) => text.replace(/\D/g, '').replace(/^0+/, ''));
  const [long, short] = a.length < b.length ? [b, a] : [a, b];
  return long === short || (short.length >= fewestDigits && long.endsWith(short));
}
