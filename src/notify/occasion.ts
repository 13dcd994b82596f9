import type { FatalReason } from '../model/fatal-error.ts';

/** The occasions of an alert, the most urgent first: of those that are asked for and apply, the first wins. */
export const occasions = ['failure', 'rejects', 'recovery', 'success'] as const;

export type Occasion = (typeof occasions)[number];

/** The end of a command over a pipeline. */
export interface CommandEnding {
  readonly kind: 'import' | 'export';
  readonly exitCode: number;
  /** The reason it stopped for. */
  readonly reason: FatalReason | undefined;
}

/** The attempt before. */
export interface AttemptBefore {
  readonly exitCode: number;
  readonly failures: number;
}

const needsAction = 3;

/** Returns the verdict of an attempt: one that a person interrupts says nothing of the pipeline. */
export function verdictOf({ exitCode, reason }: CommandEnding): 'worked' | 'failed' | 'interrupted' {
  if (reason === 'interrupted') return 'interrupted';
  return exitCode === 0 || exitCode === needsAction ? 'worked' : 'failed';
}

/** Returns the occasion of an alert; undefined where none is to be sent. */
export function occasionOf(
  ending: CommandEnding,
  before: AttemptBefore | undefined,
  asked: readonly Occasion[],
): Occasion | undefined {
  const applies = applying(ending, before);
  return occasions.find((occasion) => applies[occasion] && asked.includes(occasion));
}

function applying(
  ending: CommandEnding,
  before: AttemptBefore | undefined,
): Readonly<Record<Occasion, boolean>> {
  const { kind, exitCode, reason } = ending;
  const verdict = verdictOf(ending);
  return {
    failure: verdict === 'failed' && !isStillLocked(ending, before),
    rejects:
      verdict !== 'interrupted' && (exitCode === needsAction || (kind === 'export' && reason === 'guard')),
    recovery: verdict === 'worked' && before !== undefined && before.failures > 0,
    success: verdict === 'worked' && exitCode === 0,
  };
}

const locked = 6;

/** A start that overlaps another is reported once, however often it is tried again meanwhile. */
function isStillLocked({ exitCode }: CommandEnding, before: AttemptBefore | undefined): boolean {
  return exitCode === locked && before?.exitCode === locked;
}
