import { formatCount, formatQuantity } from '../../../report/figures.ts';
import type { TerminalStyler } from '../../../report/layout.ts';
import { buildCommandWordsForSelection } from '../../../report/words.ts';
import { formatCommandLine, type Invocation } from '../../run/command-line.ts';
import { isStoppedByLimit } from './headline.ts';
import type { NextStep, Summary } from './summary.ts';

/** Returns the next steps as terminal lines. */
export function formatNextStepLines(steps: readonly NextStep[], { bold }: TerminalStyler): string[] {
  return steps.flatMap(({ why, command }) =>
    command === null ? [`  ${why}.`] : [`  ${why}:`, `    ${bold(command)}`],
  );
}

/** The data of a command line that is not in the summary. */
export interface NextCommandContext {
  /** The path of the pipeline's YAML file. */
  readonly pipelineFile: string;
  /** How the suggested commands are typed here, with the work dir. */
  readonly invocation: Invocation;
  /** `sandbox` or a base URL; undefined where the command line named none. */
  readonly workspace?: string | undefined;
  /** The input that the command line named instead of the pipeline's own; undefined where it named none. */
  readonly source?: string | undefined;
  /** The pipeline's deferred steps that may still be due for rows of the run. */
  readonly deferred?: readonly string[] | undefined;
  /** False if a corrected rejects.csv cannot be retried, because it would lack lists of the rows. */
  readonly canCorrectRejects?: boolean | undefined;
}

/** The properties of a run's end that its next steps depend on. */
export type RunEndFacts = Pick<
  Summary,
  'run' | 'outcome' | 'exitCode' | 'rows' | 'selection' | 'files' | 'gone' | 'matched'
> & {
  readonly manual: Pick<Summary['manual'], 'proposals' | 'questions'>;
  /**
   * The number of the run's open rows that no retry has finished since; undefined if retries are not taken into
   * account.
   */
  readonly open?: number;
};

const exitCodes = { budget: 4, unauthorized: 5 };

/** Returns the next steps after a run, the most urgent first. */
export function listNextSteps(end: RunEndFacts, context: NextCommandContext): NextStep[] {
  return end.outcome === 'finished' ? afterFinish(end, context) : afterStop(end, context);
}

function afterStop(end: RunEndFacts, context: NextCommandContext): NextStep[] {
  const { run, rows, exitCode } = end;
  if (isStoppedByLimit(end)) return [{ why: whyOthers(end), command: sameRows(end, context) }];
  const resume = {
    why: whyGoOn(end),
    command: ofRun(['resume', run], context),
  };
  const wrong = rows.rejected + rows.failed;
  if (wrong === 0) return [resume];
  const startOver = {
    why: `Fix the ${formatQuantity(wrong, 'row')} in the file, or fix the mapping, and start over; finished rows are not sent again`,
    // An unfinished run is bound to the file and the mapping as they were.
    command: sameRows(end, context, '--fresh'),
  };
  // Too many errors stopped it: continuing unchanged would only cause more.
  return exitCode === exitCodes.budget ? [startOver, resume] : [resume, startOver];
}

function whyGoOn({ exitCode }: RunEndFacts): string {
  return exitCode === exitCodes.unauthorized
    ? 'Set a token that the workspace accepts, then continue'
    : 'Continue; nothing is sent twice';
}

function whyOthers({ files }: RunEndFacts): string {
  return files.contacts === undefined
    ? 'Continue with the other rows'
    : `Check the contacts of these rows in the workspace (${files.contacts} lists them), then continue with the rest`;
}

function afterFinish(end: RunEndFacts, context: NextCommandContext): NextStep[] {
  return [
    fixRows,
    applyAgain,
    correct,
    takeChanged,
    confirmRemoved,
    answer,
    approve,
    decideComments,
    stale,
    runDeferred,
    noteGone,
  ].flatMap((step) => step(end, context) ?? []);
}

function fixRows(end: RunEndFacts, context: NextCommandContext): NextStep | undefined {
  const { run, rows, selection } = end;
  const isApproved = selection.kind === 'approve';
  const wrong = isApproved ? Math.min(rows.rejected, wrongRows(end)) : wrongRows(end);
  if (wrong === 0) return undefined;
  const fix = `Fix the ${formatQuantity(wrong, 'row')} in the file, or fix the mapping; then`;
  const these = wrong === 1 ? 'this row' : 'these rows';
  // What was approved or answered about a row no longer holds once the row is changed.
  if (isApproved)
    return {
      why: `${fix} import again: only what is new or has changed is sent`,
      command: ofPipeline(['import', context.pipelineFile], context),
    };
  if (selection.kind === 'deferred')
    return { why: `${fix} run the deferred steps of ${these} again`, command: sameRows(end, context) };
  return { why: `${fix} retry only ${these}`, command: ofRun(['retry', run], context) };
}

function applyAgain(end: RunEndFacts, context: NextCommandContext): NextStep | undefined {
  const { rows, selection } = end;
  if (selection.kind !== 'approve' || rows.failed === 0) return undefined;
  return {
    why: `To apply again what was approved or answered about the ${formatQuantity(rows.failed, 'failed row')}`,
    command: sameRows(end, context),
  };
}

/** Returns the most rejected and failed rows that may still be open; `open` counts uncertain rows, too. */
function wrongRows({ rows, open = Number.POSITIVE_INFINITY }: RunEndFacts): number {
  return Math.min(rows.rejected + rows.failed, open);
}

function correct(end: RunEndFacts, context: NextCommandContext): NextStep | undefined {
  const { run, files, selection } = end;
  const whole = selection.kind === 'all' || selection.kind === 'retry';
  const canCorrect = whole && context.canCorrectRejects !== false;
  if (files.rejects === undefined || !canCorrect || wrongRows(end) === 0) return undefined;
  return {
    why: 'Or correct the rows in rejects.csv (a spreadsheet will do; keep its columns, save it as CSV UTF-8), then',
    command: ofRun(['retry', run, '--from', files.rejects], context),
  };
}

function takeChanged({ matched }: RunEndFacts, context: NextCommandContext): NextStep | undefined {
  const changed = matched?.changed ?? 0;
  if (changed === 0) return undefined;
  return {
    why: `${formatQuantity(changed, 'finished row')} ${changed === 1 ? 'has' : 'have'} changed since (not-taken.csv), and a retry leaves ${changed === 1 ? 'it' : 'them'} alone; to import the changes`,
    command: ofPipeline(['import', context.pipelineFile], context),
  };
}

function confirmRemoved(
  { run, matched, selection }: RunEndFacts,
  context: NextCommandContext,
): NextStep | undefined {
  const missing = matched?.missing ?? 0;
  if (missing === 0 || selection.kind !== 'retry') return undefined;
  const from = selection.from === undefined ? [] : ['--from', selection.from];
  const removed = `${missing === 1 ? 'it was' : 'they were'} removed on purpose`;
  const imported =
    missing === 1 ? 'corrected and imported as a new row' : 'corrected and imported as new rows';
  return {
    why: `${formatQuantity(missing, 'open row')} ${missing === 1 ? 'is' : 'are'} no longer in the file (not-taken.csv); if ${removed}${matched?.added ? `, or ${imported}` : ''}`,
    command: ofRun(['retry', run, ...from, '--removed'], context),
  };
}

function answer({ files, manual }: RunEndFacts, context: NextCommandContext): NextStep | undefined {
  const { questions } = manual;
  if (questions === 0) return undefined;
  const list = files.samePerson ?? 'same-person.csv';
  const are = questions === 1 ? '1 question asks' : `${formatCount(questions)} questions ask`;
  return {
    why: `${are} whether a row is the same person as another row or contact. Different: the row goes without the e-mail and phone that it shares with the other, and is rejected if it has no other. The answers may lead to new questions. Write same or different under "answer" in ${list}, then`,
    command: ofPipeline(['import', context.pipelineFile, '--approve', list], context),
  };
}

function approve({ rows, files, manual }: RunEndFacts, context: NextCommandContext): NextStep | undefined {
  if (rows.proposed === 0 || manual.proposals === 0) return undefined;
  const { approvedMerges } = files;
  const list = approvedMerges ?? files.mergeProposals ?? 'merge-proposals.csv';
  return {
    why:
      approvedMerges === undefined
        ? `Open ${list}, write yes under "approve" where two contacts are one person, then`
        : `To apply what is approved in ${list}`,
    command: ofPipeline(['import', context.pipelineFile, '--approve', list], context),
  };
}

function decideComments(end: RunEndFacts, context: NextCommandContext): NextStep | undefined {
  const { run, rows, files, open = Number.POSITIVE_INFINITY } = end;
  const uncertain = Math.min(rows.uncertain, open);
  if (uncertain === 0) return undefined;
  const of = formatQuantity(uncertain, 'row');
  if (files.uncertain === undefined)
    return {
      why: `Check in the workspace whether the uncertain comments are there; to resend those of ${of}`,
      command: ofRun(['retry', run, '--resend'], context),
    };
  return {
    why: `Check in the workspace whether the uncertain comments of ${of} are there, write no (it is there) or yes (send it again) under "resend" in ${files.uncertain}, then`,
    command: ofRun(['retry', run, '--decided', files.uncertain], context),
  };
}

function stale({ rows, selection }: RunEndFacts, context: NextCommandContext): NextStep | undefined {
  if (rows.stale === 0) return undefined;
  if (selection.kind !== 'approve')
    return {
      why: `${formatQuantity(rows.stale, 'row')} ${rows.stale === 1 ? 'is' : 'are'} stale: something changed after the plan was made, and nothing was sent (see dropped.csv); to plan the import as it would be now`,
      command: ofPipeline(['plan', context.pipelineFile], context),
    };
  return {
    why: `${formatQuantity(rows.stale, 'row')} ${rows.stale === 1 ? 'is' : 'are'} stale: something changed after it was approved or answered, and nothing was sent (see dropped.csv); to decide about ${rows.stale === 1 ? 'it' : 'them'} again`,
    command: ofPipeline(['import', context.pipelineFile], context),
  };
}

function runDeferred(_: RunEndFacts, context: NextCommandContext): NextStep | undefined {
  const { deferred = [] } = context;
  if (deferred.length === 0) return undefined;
  return {
    why: `The pipeline defers ${listed(deferred)}; to run ${deferred.length === 1 ? 'it' : 'them'} for the same rows`,
    command: ofPipeline(['import', context.pipelineFile, '--deferred'], context),
  };
}

function noteGone({ gone = 0, files, rows }: RunEndFacts): NextStep | undefined {
  if (gone === 0) return undefined;
  const list = files.gone === undefined ? '' : ` (${files.gone})`;
  const [keys, contacts] =
    gone === 1
      ? ['1 key of earlier runs is no longer in the input', 'its contact, which was left alone']
      : [
          `${formatCount(gone)} keys of earlier runs are no longer in the input`,
          'their contacts, which were left alone',
        ];
  // Nothing tells whose row it is if it could not be read or looked up.
  const open = rows.rejected + rows.failed;
  const doubt =
    open === 0 ? '' : `; the rows to correct or retry (${formatCount(open)}) may lead to some of them`;
  return {
    why: `${keys}${list}, and no row led to ${contacts}${doubt}`,
    command: null,
  };
}

/** Returns the command for the same selection of rows. */
function sameRows(
  { selection }: RunEndFacts,
  context: NextCommandContext,
  ...flags: readonly string[]
): string {
  const words = [...buildCommandWordsForSelection(selection, context.pipelineFile), ...flags];
  return selection.kind === 'retry' ? ofRun(words, context) : ofPipeline(words, context);
}

/** Returns a command about a run, whose workspace the journal remembers. */
function ofRun(words: readonly string[], { invocation }: NextCommandContext): string {
  return formatCommandLine(words, {}, invocation);
}

/** Returns a command about the pipeline, with its workspace and source. */
function ofPipeline(words: readonly string[], context: NextCommandContext): string {
  return formatCommandLine(words, context, context.invocation);
}

/** Returns `a`, `a and b`, `a, b and c`. */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
