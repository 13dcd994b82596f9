import type { ComponentChildren } from 'preact';
import type { Problem } from '../../wire/problem.ts';
import type { Tone } from '../../wire/project.ts';

/** Something to know, in the colour of how well it is; it is read out when it appears. */
export function Notice({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** Why something was not done, and what to do about it; nothing where there is no problem. */
export function ProblemNotice({ problem }: { readonly problem: Problem | undefined }) {
  if (problem === undefined) return null;
  return (
    <Notice tone="bad">
      <p class="message">{problem.message}</p>
      {problem.next !== undefined && <p class="next">{problem.next}</p>}
    </Notice>
  );
}
