import type { CheckOutput } from '../../wire/processes.ts';
import { callRoute } from '../call.ts';
import { t, translateEngineText } from '../language.ts';
import { CommandWithResult } from '../parts/command-result.tsx';
import { LeftBehindList } from '../parts/left-behind.tsx';
import { formatFileName } from './run-name.ts';

interface CheckPipelineProps {
  readonly pipeline: string;
  readonly label: string;
  /** Called with the result of a check; null if it has ended without one. */
  onFound?(result: CheckOutput | null): void;
}

/** A button that checks a pipeline, with the findings below. */
export function CheckPipelineSection({ pipeline, label, onFound }: CheckPipelineProps) {
  return (
    <CommandWithResult
      command={{ command: 'check', pipeline }}
      label={label}
      busy={t('Checking…')}
      failure={onFound && t('The check of the rows failed: how many will pass is not known.')}
      load={async (id) => {
        const answer = await callRoute('checkResult', { id });
        onFound?.(answer.found);
        return answer;
      }}
      show={(found) => <Findings found={found} />}
    />
  );
}

const marks = { ok: 'good', wrong: 'bad', note: 'quiet' } as const;
const words = { ok: t('OK'), wrong: t('Error'), note: t('Note') } as const;

/** The findings of a check, each with its place. */
export function FindingList({ findings }: Pick<CheckOutput, 'findings'>) {
  return (
    <ul class="lines aligned" aria-label={t('What the check found')}>
      {findings.map(({ verdict, text, place, next }) => (
        <li key={`${text} ${place?.file} ${place?.line}`}>
          <span class={`tag ${marks[verdict]}`}>{words[verdict]}</span>
          <span>
            {translateEngineText(text)}
            {place?.line !== undefined && <span class="note"> {placeText(place.file, place.line)}</span>}
            {next !== undefined && <span class="note"> {translateEngineText(next)}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function placeText(file: string | undefined, line: number): string {
  return file === undefined
    ? t('(line {line, number})', { line })
    : t('({file}, line {line, number})', { file: formatFileName(file), line });
}

function Findings({ found: { findings, rows, leftBehind } }: { readonly found: CheckOutput }) {
  return (
    <>
      <FindingList findings={findings} />
      {rows !== null && (
        <p>
          {t(
            '{pass, plural, one {# row of {read, number} passes} other {# rows of {read, number} pass}}; {rejected, plural, one {# row} other {# rows}} would be rejected{proposed, plural, =0 {} one {; # row waits for your answer} other {; # rows wait for your answer}}{left, plural, =0 {} one {; # row is left out} other {; # rows are left out}}.',
            { ...rows, left: rows.skipped + rows.filtered },
          )}
        </p>
      )}
      <LeftBehindList items={leftBehind} />
    </>
  );
}
