import type { RowCondition, RowsPage } from '../../wire/mapping.ts';
import type { StreamedAnswer } from '../hooks.ts';
import { rich, t } from '../language.ts';
import { Button } from '../parts/controls.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { ExternalText } from '../parts/shown-text.tsx';
import { project } from '../project.ts';
import type { PipelineQuestions } from './pipeline-questions.ts';

interface RowConditionsProps {
  /** Undefined where the rows are those of a file. */
  readonly pipeline: PipelineQuestions | undefined;
}

interface LeaveOutProps extends RowConditionsProps {
  readonly column: string;
  readonly answer: StreamedAnswer<{ readonly rows: RowsPage }>;
}

const where = ['import', 'source', 'where'];

/** A button that leaves the rows with the value that was looked for out of the import; nothing until they are counted. */
export function LeaveOutButton({ column, answer, pipeline }: LeaveOutProps) {
  const texts = (!answer.isOld.value && answer.value.value?.rows.texts) || [];
  const n = texts.reduce((sum, each) => sum + each.n, 0);
  const values = texts.map(({ value }) => value);
  const rule = buildConditionWithout(
    values,
    pipeline?.conditions.value.find((each) => each.column === column),
  );
  if (pipeline === undefined || n === 0 || rule === undefined || project.value.readOnly) return null;
  return (
    <p class="buttons">
      <Button
        class="quiet"
        label={t(
          '{n, plural, one {Leave this row out of the import} other {Leave these # rows out of the import}}',
          {
            n,
          },
        )}
        onClick={() => void pipeline.change({ kind: 'setTarget', target: [...where, column], rule })}
      />
    </p>
  );
}

/** Returns the rule of a condition that leaves out values, too; undefined if no row would be left. */
function buildConditionWithout(out: readonly string[], before: RowCondition | undefined) {
  if (before?.leavesOut === false) {
    const rest = before.values.filter((value) => !out.includes(value));
    return rest.length === 0 ? undefined : rest;
  }
  const [only = '', ...more] = new Set([...(before?.values ?? []), ...out]);
  return { not: more.length === 0 ? only : [only, ...more] };
}

/** The conditions of a pipeline on its rows, each with a button that removes it; nothing without any. */
export function RowConditionList({ pipeline }: RowConditionsProps) {
  const conditions = pipeline?.conditions.value ?? [];
  return (
    <>
      <ProblemNotice problem={pipeline?.problem.value} />
      {pipeline !== undefined && conditions.length > 0 && (
        <ul class="lines" aria-label={t('Conditions on the rows')}>
          {conditions.map((condition) => (
            <li key={condition.column}>
              {conditionWords(condition)}{' '}
              {!project.value.readOnly && (
                <Button
                  class="link"
                  label={t('Import them too')}
                  onClick={() =>
                    void pipeline.change({ kind: 'removeTarget', target: [...where, condition.column] })
                  }
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function conditionWords({ column, values, leavesOut }: RowCondition) {
  const names = {
    column: <ExternalText text={column} />,
    values: <ExternalText text={values.map((value) => value.trim() || t('empty')).join(', ')} />,
  };
  return leavesOut
    ? rich('Left out: rows with {values} in {column}', names)
    : rich('Left out: rows with something other than {values} in {column}', names);
}
