import { toSingleLine } from '../../../model/escape-controls.ts';
import type { ProblemCount } from '../../../model/problem.ts';
import { formatRowPlaces } from '../../../model/row-place.ts';
import { formatCount as figure, formatQuantity } from '../../../report/figures.ts';
import { formatRowFilters } from '../../import/report/headline.ts';
import { formatTableUseLines } from '../../import/report/table-uses.ts';
import { isReadyToImport, type RowCheckCounts } from '../rows.ts';

/** A finding about the rows, with its detail lines. */
interface RowsFinding {
  readonly verdict: 'ok' | 'warning' | 'note';
  readonly text: string;
  readonly below: readonly string[];
}

/** Returns the findings about the rows of an input, for the terminal; `filters` are the options that leave out rows. */
export function toRowFindings(
  rows: RowCheckCounts,
  filters: readonly string[] | undefined,
): readonly RowsFinding[] {
  const { pass, rejected, rejectsOfNew, budget } = rows;
  const found: RowsFinding[] = [];
  const say = (verdict: RowsFinding['verdict'], text: string, below: readonly string[] = []) =>
    void found.push({ verdict, text, below });
  if (rejected > 0) say('warning', `${ofAll(rejected, rows)} would be rejected:`, problemLines(rows.rejects));
  const unnamed = rejectsOfNew.reduce((sum, { n }) => sum + n, 0);
  if (unnamed > 0)
    say('warning', `${ofAll(unnamed, rows)} would be rejected for new contacts:`, problemLines(rejectsOfNew));
  if (budget !== null) say('warning', `an import would stop at row ${figure(budget.row)}: ${budget.message}`);
  say(isReadyToImport(rows) ? 'ok' : 'note', `${ofAll(pass, rows)} pass`, others(rows, filters));
  const tables = rows.tables === undefined ? [] : formatTableUseLines(rows.tables);
  if (tables.length > 0) say('note', 'joined tables:', tables);
  return found;
}

function ofAll(n: number, { read }: RowCheckCounts): string {
  return `${figure(n)} of ${formatQuantity(read, 'row')}`;
}

function others(
  { skipped, filtered, people }: RowCheckCounts,
  filters: readonly string[] | undefined,
): string[] {
  const { several, rows, weakPhones } = people;
  return [
    ...(several === 0
      ? []
      : [`${formatQuantity(rows, 'row')} describe ${formatQuantity(several, 'person', 'people')}`]),
    ...(skipped === 0 ? [] : [`${formatQuantity(skipped, 'row')} skipped, by policy.duplicates`]),
    ...(filtered === 0
      ? []
      : [`${formatQuantity(filtered, 'row')} filtered, by ${formatRowFilters(filters)}`]),
    ...(weakPhones === 0
      ? []
      : [`${formatQuantity(weakPhones, 'phone')} shared by too many people: not used for matching`]),
  ];
}

/** Returns for each problem a line of text with its count, code and first places, and another with the first reason. */
function problemLines(problems: readonly ProblemCount[]): string[] {
  const width = Math.max(...problems.map(({ n }) => figure(n).length));
  return problems.flatMap(({ n, code, examples }) => {
    const where = `${toSingleLine(formatRowPlaces(examples))}${n > examples.length ? ' …' : ''}`;
    const [first] = examples;
    const why = first === undefined ? [] : [`${' '.repeat(width)}  ${toSingleLine(reasonOf(first))}`];
    return [`${figure(n).padStart(width)}  ${toSingleLine(code)}, ${where}`, ...why];
  });
}

function reasonOf({ column, reason }: ProblemCount['examples'][number]): string {
  return column === null ? reason : `${column}: ${reason}`;
}
