import type { ComponentChildren } from 'preact';
import type { RequestProblem } from '../../wire/problem.ts';
import type { Tone } from '../../wire/project.ts';

/** A notice in the colour of its tone, announced to screen readers. */
export function Notice({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** A notice of a problem and its next step; nothing without a problem. */
export function ProblemNotice({ problem }: { readonly problem: RequestProblem | undefined }) {
  if (problem === undefined) return null;
  return (
    <Notice tone="bad">
      <p class="message">{problem.message}</p>
      {problem.next !== undefined && <p class="next">{problem.next}</p>}
    </Notice>
  );
}
