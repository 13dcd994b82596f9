import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { RequestProblem } from '../../wire/problem.ts';
import type { Tone } from '../../wire/project.ts';
import { t } from '../language.ts';
import { Button } from './controls.tsx';

interface NoticeProps {
  readonly tone: Tone;
  readonly message?: ComponentChildren;
  readonly next?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A notice in the colour of its tone, announced to screen readers. */
export function Notice({ tone, message, next, children }: NoticeProps) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {message !== undefined && <p class="message">{message}</p>}
      {next !== undefined && <p>{next}</p>}
      {children}
    </div>
  );
}

/** A notice of a problem and its next step; nothing without a problem. */
export function ProblemNotice({ problem }: { readonly problem: RequestProblem | undefined }) {
  return problem === undefined ? null : <Notice tone="bad" message={problem.message} next={problem.next} />;
}

interface SectionProps {
  readonly title: ComponentChildren;
  /** The problem that is shown below the title; undefined for none. */
  readonly problem?: RequestProblem | undefined;
  /** The id of its heading, which can then receive the focus. */
  readonly id?: string;
  readonly children: ComponentChildren;
}

/** A section of a view, named by its heading. */
export function Section({ title, problem, id, children }: SectionProps) {
  const own = useId();
  return (
    <section aria-labelledby={id ?? own}>
      <h2 id={id ?? own} tabIndex={id === undefined ? undefined : -1}>
        {title}
      </h2>
      <ProblemNotice problem={problem} />
      {children}
    </section>
  );
}

/** A note that is announced to screen readers when it changes. */
export function StatusNote({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="note" role="status">
      {children}
    </p>
  );
}

interface FailedSaveProps {
  readonly problem: Signal<RequestProblem | undefined>;
  again(): void;
}

/** A notice of a failed save, with a button that saves again; nothing without a problem. */
export function FailedSaveNotice({ problem: { value: problem }, again }: FailedSaveProps) {
  if (problem === undefined) return null;
  return (
    <Notice tone="bad" message={t('Not saved: {why}', { why: problem.message })} next={problem.next}>
      <p class="buttons">
        <Button label={t('Save again')} onClick={again} />
      </p>
    </Notice>
  );
}
