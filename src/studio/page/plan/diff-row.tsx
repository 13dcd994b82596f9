import type { DiffLine } from '../../wire/plans.ts';
import { formatRowLine } from '../figures.ts';
import { useRouteAnswer } from '../hooks.ts';
import { t, translateEngineText } from '../language.ts';
import { Button } from '../parts/controls.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { formatProblemCode } from '../parts/problem-words.ts';
import { project } from '../project.ts';
import { formatChangedField } from './kinds.ts';
import { BeforeAfterTable } from './value.tsx';

interface DiffRowProps {
  readonly path: string;
  readonly line: DiffLine;
  onClose(): void;
}

/** A row with every value before and after. */
export function DiffRowDialog({ path, line, onClose }: DiffRowProps) {
  const { value: row, problem } = useRouteAnswer('planRow', { path, seq: line.seq });
  const outcome = project.value.rowStates.find(({ state }) => state === line.outcome);
  const meaning = outcome?.meaning ?? '';
  const id = row.value?.contact ?? null;
  return (
    <Dialog title={titleOf(line, outcome?.label ?? line.outcome)} onClose={onClose}>
      <p class="note">{id === null ? meaning : t('{meaning}; contact {id}', { meaning, id })}</p>
      <ProblemNotice problem={problem.value} />
      {row.value !== undefined && row.value.problems.length > 0 && (
        <ul>
          {row.value.problems.map(({ code, reason }) => (
            <li key={`${code} ${reason}`}>
              <span title={code}>{formatProblemCode(code)}</span>: {translateEngineText(reason)}
            </li>
          ))}
        </ul>
      )}
      {row.value !== undefined && row.value.changes.length > 0 && (
        <BeforeAfterTable
          changes={row.value.changes.map(({ step, field, from, to }) => ({
            label: formatChangedField(step, field),
            ...(from !== undefined && { from: textOf(from) }),
            to: textOf(to),
          }))}
        />
      )}
      {row.value?.changes.length === 0 && <p>{t('Nothing would change.')}</p>}
      <p class="buttons">
        <Button label={t('Close')} onClick={onClose} />
      </p>
    </Dialog>
  );
}

function titleOf({ line, key }: DiffLine, outcome: string): string {
  const place = formatRowLine(line);
  return key === null
    ? t('Line {line}: {outcome}', { line: place, outcome })
    : t('Line {line}, key {key}: {outcome}', { line: place, key, outcome });
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
