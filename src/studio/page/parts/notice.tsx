import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { RequestProblem } from '../../wire/problem.ts';
import type { Tone } from '../../wire/project.ts';
import { t } from '../language.ts';

interface NoticeProps {
  readonly tone: Tone;
  readonly message?: ComponentChildren;
  /** What to do about it. */
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
        <button type="button" onClick={again}>
          {t('Save again')}
        </button>
      </p>
    </Notice>
  );
}
