import type {
  ColumnStatistics,
  ColumnStatisticsProgress,
  MappingSummary,
  TargetOutline,
  YamlQuestion,
} from '../../wire/mapping.ts';
import { formatTargetWithKind } from '../parts/target-words.ts';

/** A line of the grid: a column of the input or of the mapping, or a target that no column is the source of. */
export interface MappingGridEntry {
  readonly id: string;
  readonly name: string;
  /** The statistics of the column; null for a text or a fixed value, and for a column that the input does not have. */
  readonly column: ColumnStatistics | null;
  /** True for a column that the mapping reads and the input does not have. */
  readonly isMissing: boolean;
  /** The targets that read the column, or have it as their only one; of a text or a fixed value its own. */
  readonly targets: readonly TargetOutline[];
  /** The other targets that use the column. */
  readonly alsoIn: readonly TargetOutline[];
  /** The open questions about the targets that have this line as their first source. */
  readonly questions: readonly YamlQuestion[];
}

/** Returns a line for each column, for each other column that the mapping reads, and each fixed value. */
export function buildGridLines(
  { columns, moreColumns, done }: Pick<ColumnStatisticsProgress, 'columns' | 'moreColumns' | 'done'>,
  { outline, questions }: MappingSummary,
): readonly MappingGridEntry[] {
  const targets = outline?.targets ?? [];
  const known = new Map(columns.map((column) => [column.name, column]));
  const read = targets.flatMap((target) =>
    // A column that is still asked for has no line: the question is shown above the grid.
    target.columns.filter(({ as, column }) => as === 'from' && !column.startsWith('TODO')),
  );
  // Until all of the input is read, a column may still be found in it.
  const names = new Set([...known.keys(), ...(done ? read.map(({ column }) => column) : [])]);
  const ofColumns = [...names].map((name) => {
    const uses = targets.filter((target) => target.columns.some((each) => each.column === name));
    const own = uses.filter((target) => isOwn(target, name));
    return {
      ...{ id: columnId(name), name, column: known.get(name) ?? null },
      // A name such as `phones[0]` is a place within a column.
      isMissing: !known.has(name) && moreColumns === 0 && !/[.[\]]/.test(name),
      ...{ targets: own, alsoIn: uses.filter((target) => !own.includes(target)) },
    };
  });
  const ofTexts = targets
    .filter(({ columns: [first] }) => first?.as !== 'from')
    .map((target) => ({
      ...{ id: lineIdOf(target), name: formatTargetWithKind(target), column: null },
      ...{ isMissing: false, targets: [target], alsoIn: [] },
    }));
  const asked = questions.map((question) => {
    const target = targets.find(({ path }) => path.every((key, depth) => key === question.path[depth]));
    return { question, id: target && lineIdOf(target) };
  });
  const missingFirst = ofColumns.toSorted((one, other) => Number(other.isMissing) - Number(one.isMissing));
  return [...missingFirst, ...ofTexts].map((line) => ({
    ...line,
    questions: asked.filter(({ id }) => id === line.id).map(({ question }) => question),
  }));
}

function isOwn({ name, columns }: TargetOutline, column: string): boolean {
  const isAlone = columns.every((each) => each.column === column);
  return (
    (name === 'comments' && isAlone) || columns.some((each) => each.column === column && each.as === 'from')
  );
}

function lineIdOf({ path, columns: [first] }: TargetOutline): string {
  return first?.as === 'from' ? columnId(first.column) : `target ${path.join('\0')}`;
}

function columnId(name: string): string {
  return `column ${name}`;
}
