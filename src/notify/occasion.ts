import type { FatalReason } from '../model/fatal-error.ts';

/** The occasions of an alert, the most urgent first: of those that are asked for and apply, the first wins. */
export const alertOccasions = ['failure', 'rejects', 'recovery', 'success'] as const;

export type AlertOccasion = (typeof alertOccasions)[number];

/** The result of a command that ran a pipeline. */
export interface PipelineCommandResult {
  readonly kind: 'import' | 'export';
  readonly exitCode: number;
  /** The reason of the error that stopped it; undefined where none did. */
  readonly reason: FatalReason | undefined;
}

/** The previous attempt of the same pipeline. */
export interface PreviousAttempt {
  readonly exitCode: number;
  readonly failures: number;
}

const needsAction = 3;

/** Returns whether an attempt worked (exit code 0 or 3) or failed; an interrupted one counts as neither. */
export function classifyCommandResult({
  exitCode,
  reason,
}: PipelineCommandResult): 'worked' | 'failed' | 'interrupted' {
  if (reason === 'interrupted') return 'interrupted';
  return exitCode === 0 || exitCode === needsAction ? 'worked' : 'failed';
}

/** Returns the occasion of an alert; undefined where none is to be sent. */
export function chooseAlertOccasion(
  ending: PipelineCommandResult,
  before: PreviousAttempt | undefined,
  asked: readonly AlertOccasion[],
): AlertOccasion | undefined {
  const applies = applying(ending, before);
  return alertOccasions.find((occasion) => applies[occasion] && asked.includes(occasion));
}

function applying(
  ending: PipelineCommandResult,
  before: PreviousAttempt | undefined,
): Readonly<Record<AlertOccasion, boolean>> {
  const { kind, exitCode, reason } = ending;
  const verdict = classifyCommandResult(ending);
  return {
    failure: verdict === 'failed' && !isStillLocked(ending, before),
    rejects:
      verdict !== 'interrupted' && (exitCode === needsAction || (kind === 'export' && reason === 'guard')),
    recovery: verdict === 'worked' && before !== undefined && before.failures > 0,
    success: verdict === 'worked' && exitCode === 0,
  };
}

const locked = 6;

/** Returns true for the second and further starts in a row that find the pipeline locked: only the first is reported. */
function isStillLocked({ exitCode }: PipelineCommandResult, before: PreviousAttempt | undefined): boolean {
  return exitCode === locked && before?.exitCode === locked;
}
