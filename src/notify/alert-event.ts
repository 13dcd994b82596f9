import type { FatalReason } from '../model/fatal-error.ts';

/** The events that trigger an alert, the most urgent first: the first that is configured and applies is used. */
export const alertEvents = ['failure', 'rejects', 'recovery', 'success'] as const;

export type AlertEvent = (typeof alertEvents)[number];

/** The result of a command that ran a pipeline. */
export interface PipelineCommandResult {
  readonly kind: 'import' | 'export';
  readonly exitCode: number;
  /** The reason of the error that stopped it; undefined where none did. */
  readonly reason: FatalReason | undefined;
  /** True if an alert about this failure was delivered already, and there is nothing new to report. */
  readonly isReported?: boolean;
}

/** The previous attempt of the same pipeline. */
export interface PreviousAttempt {
  readonly exitCode: number;
  /** The number of consecutive failed attempts, including this one. */
  readonly failures: number;
}

const needsAction = 3;

/** Returns `interrupted` for an interrupted command, `worked` for exit code 0 or 3, and `failed` for any other. */
export function classifyCommandResult({
  exitCode,
  reason,
}: PipelineCommandResult): 'worked' | 'failed' | 'interrupted' {
  if (reason === 'interrupted') return 'interrupted';
  return exitCode === 0 || exitCode === needsAction ? 'worked' : 'failed';
}

/** Returns the first configured event that applies to a result; undefined where no alert is to be sent. */
export function chooseAlertEvent(
  ending: PipelineCommandResult,
  before: PreviousAttempt | undefined,
  asked: readonly AlertEvent[],
): AlertEvent | undefined {
  const applies = applying(ending, before);
  return alertEvents.find((event) => applies[event] && asked.includes(event));
}

function applying(
  ending: PipelineCommandResult,
  before: PreviousAttempt | undefined,
): Readonly<Record<AlertEvent, boolean>> {
  const { kind, exitCode, reason, isReported = false } = ending;
  const verdict = classifyCommandResult(ending);
  return {
    failure: verdict === 'failed' && !isStillLocked(ending, before) && !isReported,
    rejects:
      verdict !== 'interrupted' &&
      (exitCode === needsAction || (kind === 'export' && reason === 'guard' && !isReported)),
    recovery: verdict === 'worked' && before !== undefined && before.failures > 0,
    success: verdict === 'worked' && exitCode === 0,
  };
}

const locked = 6;

/**
 * Returns true if this command and the one before both found the pipeline locked: only the first such command is
 * reported.
 */
function isStillLocked({ exitCode }: PipelineCommandResult, before: PreviousAttempt | undefined): boolean {
  return exitCode === locked && before?.exitCode === locked;
}
