import type { ColumnStatistics, MappingSummary, TargetOutline, YamlQuestion } from '../../wire/mapping.ts';
import { formatTargetWithKind } from './target-words.ts';

/** A line of the grid: a column of the input, or a target that no column is the source of. */
export interface GridLine {
  readonly id: string;
  readonly name: string;
  /** Null for a text or a fixed value. */
  readonly column: ColumnStatistics | null;
  /** The targets that have the column as a source, and the comments of it alone; of a text or a fixed value its own. */
  readonly targets: readonly TargetOutline[];
  /** The other targets that use the column. */
  readonly alsoIn: readonly TargetOutline[];
  /** The open questions about the targets that have this line as their first source. */
  readonly questions: readonly YamlQuestion[];
}

/** Returns a line for each column, then one for each text and fixed value. */
export function buildGridLines(
  columns: readonly ColumnStatistics[],
  { outline, questions }: MappingSummary,
): readonly GridLine[] {
  const targets = outline?.targets ?? [];
  const ofColumns = columns.map((column) => {
    const uses = targets.filter((target) => target.columns.some((each) => each.column === column.name));
    const own = uses.filter((target) => isOwn(target, column.name));
    const alsoIn = uses.filter((target) => !own.includes(target));
    return { id: columnId(column.name), name: column.name, column, targets: own, alsoIn };
  });
  const ofTexts = targets
    .filter(({ columns: [first] }) => first?.as !== 'from')
    .map((target) => ({
      ...{ id: lineIdOf(target), name: formatTargetWithKind(target), column: null },
      ...{ targets: [target], alsoIn: [] },
    }));
  const asked = questions.map((question) => {
    const target = targets.find(({ path }) => path.every((key, depth) => key === question.path[depth]));
    return { question, id: target && lineIdOf(target) };
  });
  return [...ofColumns, ...ofTexts].map((line) => ({
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
