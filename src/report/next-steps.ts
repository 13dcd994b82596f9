import { counted } from './figures.ts';
import { selectionCommand } from './selection-words.ts';
import type { Summary } from './summary.ts';

/** Where to go from here: why, and what to type, where there is something to type. */
export interface NextStep {
  readonly why: string;
  readonly command: string | null;
}

/** What a command line needs beside the summary. */
export interface CommandContext {
  /** The pipeline's YAML. */
  readonly pipelineFile: string;
  /** `sandbox` or a base URL, where the command line named it. */
  readonly workspace?: string | undefined;
  /** Where it is not the usual one. */
  readonly workDir?: string | undefined;
  /** Steps that the pipeline still holds back from these rows. */
  readonly held?: readonly string[] | undefined;
}

/** What the next steps depend on. */
export type EndOfRun = Pick<
  Summary,
  'run' | 'outcome' | 'exitCode' | 'rows' | 'selection' | 'files' | 'gone'
>;

/** A command line as it is typed in the checkout, each word quoted where a shell needs it. */
export function commandLine(
  words: readonly string[],
  context: Pick<CommandContext, 'workspace' | 'workDir'>,
): string {
  const flags = [
    ...(context.workspace === undefined ? [] : ['--workspace', context.workspace]),
    ...(context.workDir === undefined ? [] : ['--work-dir', context.workDir]),
  ];
  return ['npx', 'longshore', ...words, ...flags].map(quoted).join(' ');
}

/** As a POSIX shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const exitCodes = { budget: 4, unauthorized: 5 };

/** What there is to do after a run, the most urgent first. */
export function nextSteps(end: EndOfRun, context: CommandContext): NextStep[] {
  return end.outcome === 'finished' ? afterFinish(end, context) : afterStop(end, context);
}

function afterStop(end: EndOfRun, context: CommandContext): NextStep[] {
  const { run, rows, exitCode } = end;
  const goOn = {
    why: whyGoOn(end),
    command: ofRun(['resume', run], context),
  };
  const wrong = rows.rejected + rows.failed;
  if (wrong === 0) return [goOn];
  const anew = {
    why: `Mend the ${counted(wrong, 'row')} in the file, or the mapping, and begin anew; what is done is not sent again`,
    // An unfinished run is bound to the file and the mapping as they were.
    command: sameRows(end, context, '--fresh'),
  };
  // Too many errors stopped it: going on as before would only meet more of them.
  return exitCode === exitCodes.budget ? [anew, goOn] : [goOn, anew];
}

function whyGoOn({ exitCode, files }: EndOfRun): string {
  if (exitCode === exitCodes.unauthorized) {
    return 'Give a token that the workspace takes (LONGSHORE_TOKEN), then continue';
  }
  // Nothing stopped it: it was asked for these rows only.
  const asked = exitCode === 0 || exitCode === 3;
  return asked && files.contacts !== undefined
    ? `Check the contacts of these rows in the workspace (${files.contacts} lists them), then continue with the rest`
    : 'Continue where it left off; nothing is sent twice';
}

function afterFinish(end: EndOfRun, context: CommandContext): NextStep[] {
  return [mend, approve, resend, stale, carryOutHeld, noteGone].flatMap((step) => step(end, context) ?? []);
}

function mend(end: EndOfRun, context: CommandContext): NextStep | undefined {
  const wrong = end.rows.rejected + end.rows.failed;
  if (wrong === 0) return undefined;
  const { kind } = end.selection;
  const retried = kind === 'all' || kind === 'retry';
  return {
    why: `Mend the ${counted(wrong, 'row')} in the file, or the mapping; then, for ${wrong === 1 ? 'it' : 'them'} alone`,
    command: retried ? ofRun(['retry', end.run], context) : sameRows(end, context),
  };
}

function approve({ rows, files }: EndOfRun, context: CommandContext): NextStep | undefined {
  if (rows.proposed === 0) return undefined;
  const list = files.mergeProposals ?? 'merge-proposals.csv';
  return {
    why: `Look at ${list}, write yes under "approve" where two contacts are one person, then`,
    command: commandLine(['import', context.pipelineFile, '--approve', list], context),
  };
}

function resend({ run, rows, files }: EndOfRun, context: CommandContext): NextStep | undefined {
  if (rows.uncertain === 0) return undefined;
  const list = files.uncertain === undefined ? '' : ` (${files.uncertain} has their text)`;
  return {
    why: `Look in the workspace whether the uncertain comments are there${list}; to send those of ${counted(rows.uncertain, 'row')} again`,
    command: ofRun(['retry', run, '--resend'], context),
  };
}

function stale({ rows }: EndOfRun, context: CommandContext): NextStep | undefined {
  if (rows.stale === 0) return undefined;
  return {
    why: `${counted(rows.stale, 'row')} ${rows.stale === 1 ? 'is' : 'are'} not as it was when the merge was approved, and nothing was sent (dropped.csv says why); to have the merges proposed anew`,
    command: commandLine(['import', context.pipelineFile], context),
  };
}

function carryOutHeld(_: EndOfRun, context: CommandContext): NextStep | undefined {
  const { held = [] } = context;
  if (held.length === 0) return undefined;
  return {
    why: `The pipeline holds back ${listed(held)}; when automation may start`,
    command: commandLine(['import', context.pipelineFile, '--phase', 'held'], context),
  };
}

function noteGone({ gone = 0, files }: EndOfRun): NextStep | undefined {
  if (gone === 0) return undefined;
  const list = files.gone === undefined ? '' : ` (${files.gone})`;
  const verb = gone === 1 ? 'is' : 'are';
  return {
    why: `${counted(gone, 'key')} of earlier runs ${verb} not in the input any more${list}; nothing was done about ${gone === 1 ? 'it' : 'them'}`,
    command: null,
  };
}

/** Takes up the same rows once more. */
function sameRows({ selection }: EndOfRun, context: CommandContext, ...flags: readonly string[]): string {
  const words = [...selectionCommand(selection, context.pipelineFile), ...flags];
  return selection.kind === 'retry' ? ofRun(words, context) : commandLine(words, context);
}

/** A command about a run, whose workspace the journal remembers. */
function ofRun(words: readonly string[], { workDir }: CommandContext): string {
  return commandLine(words, { workDir });
}

/** `a`, `a and b`, `a, b and c`. */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
