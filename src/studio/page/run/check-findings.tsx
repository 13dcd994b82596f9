import { useSignal } from '@preact/signals';
import type { RequestProblem } from '../../wire/problem.ts';
import type { CheckOutput, StudioProcess } from '../../wire/processes.ts';
import { callRoute, toRequestProblem } from '../call.ts';
import { formatCount, formatCountWithNoun } from '../figures.ts';
import { LeftBehindList } from '../parts/left-behind.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { ProcessMessages } from '../parts/process-messages.tsx';

interface CheckFindingsProps {
  readonly process: StudioProcess;
  onFound(result: CheckOutput): void;
  onEnded(process: StudioProcess): void;
}

/** The messages of a check while it runs, and its findings after its end. */
export function CheckFindings({ process, onFound, onEnded }: CheckFindingsProps) {
  const found = useSignal<CheckOutput | null>(null);
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const load = async () => {
    const answer = await callRoute('checkResult', { id: process.id });
    found.value = answer.found;
    if (answer.found !== null) onFound(answer.found);
  };
  return (
    <div aria-live="polite">
      {process.state === 'running' && <p>Checking every row…</p>}
      <ProcessMessages
        id={process.id}
        onEnded={(ended) => {
          onEnded(ended);
          load().catch((error: unknown) => {
            problem.value = toRequestProblem(error);
          });
        }}
      />
      <ProblemNotice problem={problem.value} />
      {found.value !== null && <Findings found={found.value} />}
    </div>
  );
}

const marks = { ok: 'good', wrong: 'bad', note: 'quiet' } as const;
const words = { ok: 'OK', wrong: 'Error', note: 'Note' } as const;

function Findings({ found: { findings, rows, leftBehind } }: { readonly found: CheckOutput }) {
  return (
    <>
      <ul class="findings" aria-label="What the check found">
        {findings.map(({ verdict, text, place, next }) => (
          <li key={`${text} ${place?.file} ${place?.line}`}>
            <span class={`tag ${marks[verdict]}`}>{words[verdict]}</span>
            <span>
              {text}
              {place?.line !== undefined && <span class="note"> (line {formatCount(place.line)})</span>}
              {next !== undefined && <span class="note"> {next}</span>}
            </span>
          </li>
        ))}
      </ul>
      {rows !== null && (
        <p>
          {formatCountWithNoun(rows.pass, 'row')} of {formatCount(rows.read)} pass;{' '}
          {formatCountWithNoun(rows.rejected, 'row')} would be rejected.
        </p>
      )}
      <LeftBehindList items={leftBehind} />
    </>
  );
}
