import { escapeControlCharacters, toSingleLine } from '../../../model/escape-controls.ts';
import { formatCount, formatQuantity } from '../../../report/figures.ts';
import type { DraftOutput } from '../draft.ts';

const widestName = 40;
const narrowest = 8;

/** Returns the result of a draft as terminal text. */
export function formatDraftResult(
  drafted: DraftOutput,
  {
    next,
    shown,
    columns: room = Number.POSITIVE_INFINITY,
  }: {
    readonly next: string;
    readonly shown: (file: string) => string;
    /** The maximum width of the table; undefined for no limit. */
    readonly columns?: number | undefined;
  },
): string {
  const { format, options, rows, filtered, broken, problems, notes, todos } = drafted;
  const stated = Object.entries(options).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  const table = tableLines(drafted, room);
  const open =
    todos.length === 0
      ? ['No questions left. Check the draft, then:']
      : ['Questions to answer:', ...questions(todos, shown), 'Then:'];
  return [
    `${format}${stated.length === 0 ? '' : `, ${stated.join(', ')}`}: ${rowWords(rows, filtered)}${broken === 0 ? '' : `, and ${broken.toLocaleString('en-US')} that cannot be read (${Object.keys(problems).join(', ')})`}`,
    ...notes.map((note) => `  ${note}`),
    '',
    ...table,
    '',
    `Written: ${shown(drafted.mapping.file)}, ${shown(drafted.pipeline.file)}`,
    '',
    ...open,
    `  ${next}`,
  ].join('\n');
}

/** Returns a line for each column; in a narrow terminal without the number of distinct values. */
function tableLines({ columns, rows, leftOut }: DraftOutput, room: number): readonly string[] {
  const whyOf = new Map(leftOut.map(({ column, why }) => [column, `left out: ${why}`]));
  const cells = columns.map(({ name, filled, type, distinct, field }) => ({
    name: escapeControlCharacters(toSingleLine(name)),
    share: `${!rows ? 0 : Math.round((filled / rows) * 100)} %`.padStart(5),
    type: type.padEnd(8),
    few: (distinct === null || filled === 0 ? '' : `${distinct} distinct`).padEnd(11),
    field: field ?? whyOf.get(name) ?? '-',
  }));
  const widthOf = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => text.length));
  const names = Math.min(widestName, widthOf(cells.map(({ name }) => name)));
  const fields = widthOf(cells.map(({ field }) => field));
  const isNarrow = 2 + names + 2 + 5 + 2 + 8 + 2 + 11 + 2 + fields > room;
  const left = Math.max(2 * narrowest, room - (2 + 2 + 5 + 2 + 8 + 2));
  const width = isNarrow ? Math.min(names, Math.max(Math.floor(left / 2), left - fields)) : names;
  return cells.map(({ name, share, type, few, field }) => {
    const named = cut(name, width).padEnd(width);
    const line = isNarrow ? [named, share, type, cut(field, left - width)] : [named, share, type, few, field];
    return `  ${line.join('  ')}`.trimEnd();
  });
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

function rowWords(rows: number | null, filtered: DraftOutput['filtered']): string {
  if (filtered.rows > 0)
    return `${formatQuantity(filtered.of, 'row')}, ${formatCount(filtered.rows)} of them left out`;
  return rows === null ? 'not read yet' : `${rows.toLocaleString('en-US')} rows`;
}

/** Returns the questions with their places; a question asked in several lines is listed once. */
function questions(todos: DraftOutput['todos'], shown: (file: string) => string): readonly string[] {
  const lines = new Map<string, number[]>();
  for (const { file, line, question } of todos) {
    const key = `${question}\n${shown(file)}`;
    const known = lines.get(key);
    if (known === undefined) lines.set(key, [line]);
    else known.push(line);
  }
  return [...lines].map(([key, [first = 0, ...others]]) => {
    const [question = '', file = ''] = key.split('\n');
    const last = others.at(-1);
    return `  ${file}:${first}${last === undefined ? '' : ` to ${last}`}: ${question}`;
  });
}
