import type { CheckOutput } from '../../wire/processes.ts';
import { callRoute } from '../call.ts';
import { t } from '../language.ts';
import { CommandWithResult } from '../parts/command-result.tsx';
import { LeftBehindList } from '../parts/left-behind.tsx';

interface CheckPipelineProps {
  readonly pipeline: string;
  readonly label: string;
  /** Called with the result of a check; undefined if it has none. */
  onFound?(result: CheckOutput | undefined): void;
}

/** A button that checks a pipeline, with the findings below. */
export function CheckPipelineSection({ pipeline, label, onFound }: CheckPipelineProps) {
  return (
    <CommandWithResult
      command={{ command: 'check', pipeline }}
      label={label}
      busy={t('Checking…')}
      load={async (id) => {
        const answer = await callRoute('checkResult', { id });
        onFound?.(answer.found ?? undefined);
        return answer;
      }}
      show={(found) => <Findings found={found} />}
    />
  );
}

const marks = { ok: 'good', wrong: 'bad', note: 'quiet' } as const;
const words = { ok: t('OK'), wrong: t('Error'), note: t('Note') } as const;

function Findings({ found: { findings, rows, leftBehind } }: { readonly found: CheckOutput }) {
  return (
    <>
      <ul class="findings" aria-label={t('What the check found')}>
        {findings.map(({ verdict, text, place, next }) => (
          <li key={`${text} ${place?.file} ${place?.line}`}>
            <span class={`tag ${marks[verdict]}`}>{words[verdict]}</span>
            <span>
              {text}
              {place?.line !== undefined && (
                <span class="note"> {t('(line {line, number})', { line: place.line })}</span>
              )}
              {next !== undefined && <span class="note"> {next}</span>}
            </span>
          </li>
        ))}
      </ul>
      {rows !== null && (
        <p>
          {t(
            '{pass, plural, one {# row of {read, number} passes} other {# rows of {read, number} pass}}; {rejected, plural, one {# row} other {# rows}} would be rejected.',
            { pass: rows.pass, read: rows.read, rejected: rows.rejected },
          )}
        </p>
      )}
      <LeftBehindList items={leftBehind} />
    </>
  );
}
