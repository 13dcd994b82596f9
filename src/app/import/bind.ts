import {
  beginRun,
  findLastRun,
  hasUndo,
  type JournalDatabase,
  markRunRunning,
  type RunBinding,
  type RunRecord,
} from '../../journal/index.ts';
import { type CommandFactory, hint, toCommand } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Clock } from '../../model/ports.ts';

/** The run that an import works on; `continued` if an earlier session began it. */
export interface ContinuedOrNewRun {
  readonly run: RunRecord;
  readonly continued: boolean;
}

/**
 * The rule for starting a new run in place of an unfinished one: `true` always, `false` never, `ifChanged` where its
 * input, mapping or system has changed.
 */
export type FreshStartPolicy = boolean | 'ifChanged';

/** The error for an unfinished run whose input, mapping or system has changed: the user must choose how to continue. */
export class RunInputsChangedError extends FatalError {}

/**
 * Continues the pipeline's last run on the same workspace with the same selection of rows. Starts a new one if there is
 * no last run, if the last run is finished or has an undo, or if `fresh` requires it. `check` is called before anything
 * is written, with the run to continue, or with undefined for a new one; it may throw. Throws a RunInputsChangedError
 * that lists the choices if `fresh` is false and the input, mapping or system of the unfinished run has changed.
 */
export function continueOrBeginRun(
  file: JournalDatabase,
  binding: RunBinding,
  fresh: FreshStartPolicy,
  clock: Clock,
  typed: CommandFactory = toCommand,
  check: (continued: RunRecord | undefined) => void = () => undefined,
): ContinuedOrNewRun {
  const last = findLastRun(file, binding);
  if (fresh === true || last === undefined || last.state === 'finished' || hasUndo(file, last)) {
    check(undefined);
    return { run: beginRun(file, binding, clock), continued: false };
  }
  const changed = whatChanged(last, binding);
  if (changed !== undefined && fresh === 'ifChanged') {
    check(undefined);
    return { run: beginRun(file, binding, clock), continued: false };
  }
  if (changed !== undefined) {
    throw new RunInputsChangedError(
      'usage',
      `${changed} since run ${last.id} began, and that run is not finished.`,
      {
        place: { file: binding.file },
        next: hint`Put it back and continue with: ${typed('resume', last.id)}
Or begin a new run, which sends what has changed since and what is still open: ${typed('import', binding.file, '--fresh')}`,
      },
    );
  }
  check(last);
  return { run: markRunRunning(file, last), continued: true };
}

function whatChanged(last: RunRecord, binding: RunBinding): string | undefined {
  if (last.input !== binding.input) return `The input ${binding.inputName} has changed`;
  if (last.mapping !== binding.mapping) return 'The mapping has changed';
  if (last.system?.name !== binding.system?.name) return 'source.system has changed';
  return undefined;
}
