import { z } from 'zod';
import { findYamlQuestions, parsePlainYaml } from '../../mapping/index.ts';
import type { DeletedRowCount } from './input/left-out-rows.ts';
import type { UnmappedColumn } from './mapping/custom-field-entries.ts';
import { type ColumnType, findColumnType } from './profile/column-type.ts';
import type { TableProfile } from './profile/table-profile.ts';

const rule = z.object({
  from: z.union([z.string(), z.array(z.string())]).optional(),
  template: z.string().optional(),
});
const written = z.object({
  key: z.union([z.string(), z.literal(false)]).optional(),
  contact: z.record(z.string(), rule),
  customFields: z.record(z.string(), rule).optional(),
  tags: rule.optional(),
  lifecycle: rule.optional(),
  assignee: rule.optional(),
  comments: z.array(z.object({ text: z.string(), each: z.string().optional() })).optional(),
});

/** Returns a map from each column to the fields that a drafted mapping fills from it: `Email` to `contact.email`. */
function fieldsRead(text: string): ReadonlyMap<string, string> {
  const read = parsePlainYaml(text);
  if ('mistake' in read) throw new Error(`the drafted mapping cannot be read: ${read.mistake}`);
  const { key, contact, customFields = {}, comments = [], ...contactSteps } = written.parse(read.value);
  const found = new Map<string, string>();
  const note = (column: string, field: string): void => {
    const other = found.get(column);
    found.set(column, other === undefined ? field : `${other}, ${field}`);
  };
  if (key) note(key, 'key');
  const all = [
    ...Object.entries(contact).map(([name, each]) => [`contact.${name}`, each] as const),
    ...Object.entries(customFields).map(([name, each]) => [`customFields.${name}`, each] as const),
    ...Object.entries(contactSteps),
  ];
  for (const [field, each] of all)
    for (const column of [each?.from ?? [], columnsIn(each?.template)].flat()) note(column, field);
  for (const { text: template, each } of comments)
    for (const column of each === undefined ? columnsIn(template) : [each]) note(column, 'comments');
  return found;
}

/** Returns the columns that a drafted template inserts. */
function columnsIn(template = ''): readonly string[] {
  return Array.from(template.matchAll(/\{([^{}]+)\}/g), ([, column = '']) => column);
}

/** A drafted file that is not written yet. */
export interface DraftFile {
  readonly file: string;
  readonly text: string;
}

/** A question in a drafted file, with its line. */
interface Todo {
  readonly file: string;
  readonly line: number;
  readonly question: string;
}

/** The profile of an input's column, and the fields that are filled from it. */
interface DraftedColumn {
  readonly name: string;
  readonly filled: number;
  readonly type: ColumnType['kind'];
  /** The number of distinct values; null for many. */
  readonly distinct: number | null;
  /** The fields that are filled from it, such as `contact.email`, separated by commas; null for none. */
  readonly field: string | null;
}

/** The result of drafting: the two files, the questions in them, and the profile of the input. */
export interface DraftOutput {
  readonly name: string;
  readonly format: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Null where no rows were counted. */
  readonly rows: number | null;
  /** The number of rows that the drafted `where` leaves out as deleted, of all rows that were read. */
  readonly filtered: DeletedRowCount;
  /** The number of records that cannot be read as rows. */
  readonly broken: number;
  /** The numbers of these records by problem code. */
  readonly problems: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
  readonly columns: readonly DraftedColumn[];
  readonly leftOut: readonly UnmappedColumn[];
  readonly todos: readonly Todo[];
  readonly mapping: DraftFile;
  readonly pipeline: DraftFile;
}

type Files = Pick<DraftOutput, 'mapping' | 'pipeline'>;
type Counted = Pick<DraftOutput, 'rows' | 'broken' | 'problems' | 'columns'>;

/**
 * Returns the result of drafting, with the questions in its files; `table` is the profile of the rows, null if none
 * were read.
 */
export function buildDraftResult(
  {
    name,
    format,
    options,
    filtered,
    notes,
    leftOut,
  }: Omit<DraftOutput, keyof Files | keyof Counted | 'todos'>,
  files: Files,
  table: TableProfile | null,
): DraftOutput {
  const todos = [...openTodos(files.pipeline), ...openTodos(files.mapping)];
  const { rows, broken, problems, columns } = table === null ? uncounted : counted(table, files);
  return {
    name,
    format,
    options,
    rows,
    filtered,
    broken,
    problems,
    notes,
    columns,
    leftOut,
    todos,
    ...files,
  };
}

const uncounted: Counted = { rows: null, broken: 0, problems: {}, columns: [] };

function counted({ rows, broken, columns }: TableProfile, { mapping }: Files): Counted {
  const fields = fieldsRead(mapping.text);
  return {
    rows,
    broken: [...broken.values()].reduce((sum, count) => sum + count, 0),
    problems: Object.fromEntries(broken),
    columns: columns.map((column) => ({
      name: column.name,
      filled: column.filled,
      type: findColumnType(column).kind,
      distinct: column.distinct?.size ?? null,
      // A list of plain values is read as `tags[]`.
      field: fields.get(column.name) ?? fields.get(`${column.name}[]`) ?? null,
    })),
  };
}

/** Returns the questions of a drafted file, in order. */
function openTodos({ file, text }: DraftFile): readonly Todo[] {
  return findYamlQuestions(text).map(({ line, question }) => ({ file, line, question }));
}
