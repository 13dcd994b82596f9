import { questionsIn } from '../../mapping/index.ts';
import type { LeftOut } from './mapping/custom-field-entries.ts';
import { fieldsRead } from './mapping/fields-read.ts';
import { type ColumnType, typeOf } from './profile/column-type.ts';
import type { TableProfile } from './profile/table-profile.ts';

/** A file that was drafted and is not written yet. */
export interface DraftFile {
  readonly file: string;
  readonly text: string;
}

/** A question that a drafted file asks, and where. */
interface Todo {
  readonly file: string;
  readonly line: number;
  readonly question: string;
}

/** What a column turned out to be. */
interface DraftedColumn {
  readonly name: string;
  readonly filled: number;
  readonly type: ColumnType['kind'];
  /** How many different values, null for many. */
  readonly distinct: number | null;
  /** Where the mapping reads it, as `contact.email`; null where it does not. */
  readonly field: string | null;
}

export interface Draft {
  readonly name: string;
  readonly format: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Null where nothing was counted. */
  readonly rows: number | null;
  readonly broken: number;
  /** Why rows cannot be read, each code with its number of rows. */
  readonly problems: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
  readonly columns: readonly DraftedColumn[];
  readonly leftOut: readonly LeftOut[];
  readonly todos: readonly Todo[];
  readonly mapping: DraftFile;
  readonly pipeline: DraftFile;
}

type Files = Pick<Draft, 'mapping' | 'pipeline'>;
type Counted = Pick<Draft, 'rows' | 'broken' | 'problems' | 'columns'>;

/** A draft of files; `table` is what was read for it, null where no rows were. */
export function finished(
  { name, format, options, notes, leftOut }: Omit<Draft, keyof Files | keyof Counted | 'todos'>,
  files: Files,
  table: TableProfile | null,
): Draft {
  const todos = [...openTodos(files.pipeline), ...openTodos(files.mapping)];
  const { rows, broken, problems, columns } = table === null ? uncounted : counted(table, files);
  return { name, format, options, rows, broken, problems, notes, columns, leftOut, todos, ...files };
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
      type: typeOf(column).kind,
      distinct: column.distinct?.size ?? null,
      field: fields.get(column.name) ?? null,
    })),
  };
}

/** The questions of a drafted file, in its order. */
function openTodos({ file, text }: DraftFile): readonly Todo[] {
  return questionsIn(text).map(({ line, question }) => ({ file, line, question }));
}
