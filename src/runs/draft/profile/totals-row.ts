import type { Row } from '../../../model/row.ts';

/** A row that sums up the others, as reports have it at their end. */
export interface TotalsRow {
  readonly line: number;
  /** The column of its label, and the label. */
  readonly column: string;
  readonly label: string;
}

const label = new RegExp(
  `^(?:${[
    '(?:grand |sub-?)?totals?',
    '(?:gesamt|zwischen|end)?summe',
    '(?:ins)?gesamt',
    'sum',
    'anzahl',
    'count',
    '(?:sous-)?total(?: g[ée]n[ée]ral)?',
    'somme',
    'suma(?: total)?',
    'soma',
    '(?:sub)?totale',
    '(?:sub)?totaal',
    'razem',
    'og[óo][łl]em',
    'toplam',
    'jumlah',
    'antal',
    'i alt',
    'yhteensä',
    'celkem',
    'итого',
    'всего',
    '合計|小計|总计|合计|小计|합계|총계',
  ].join('|')})\\s*(?:$|[:(=–-]|\\d)`,
  'iu',
);

/** What nobody's row consists of: amounts, with their currency, and dashes. */
const amount = /^[^\p{L}@]*(?:\p{L}{1,3}[^\p{L}@]*)?$/u;

/** The totals that a row holds: a word such as Total in its first filled cell, amounts in few others; undefined for a row of data. */
export function totalsOf(row: Row): TotalsRow | undefined {
  const entries = row.entries();
  const filled = entries.filter(([, cell]) => cell !== null && cell.trim() !== '');
  const [first, ...others] = filled;
  if (first === undefined || filled.length * 2 > entries.length + 1) return undefined;
  const [column, text] = first;
  if (text === null || !label.test(text.trim())) return undefined;
  if (!others.every(([, cell]) => amount.test((cell ?? '').trim()))) return undefined;
  return { line: row.line, column, label: text };
}
