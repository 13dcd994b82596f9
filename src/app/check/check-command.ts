import { formatQuantity } from '../../report/figures.ts';
import { createTerminalStyler } from '../../report/layout.ts';
import { formatLeftBehindLines } from '../../report/left-behind-lines.ts';
import { formatLeftOutRows } from '../import/report/headline.ts';
import { formatCommandLine } from '../run/command-line.ts';
import { getFatalReasonExitCode } from '../run/exit-code.ts';
import { createErrorRethrower, type PipelineCommandContext } from '../run/terminal/next-hint.ts';
import { formatErrorPlace, printWarning, type Screen } from '../run/terminal/screen.ts';
import { abortOnStopSignals } from '../run/terminal/stop-signals.ts';
import type { CheckReport } from './check.ts';
import { runPipelineCheck } from './find-problems.ts';
import { type Finding, formatFindings } from './finding.ts';
import { toRowFindings } from './report/checked-rows.ts';
import { isReadyToImport, type RowCheckCounts } from './rows.ts';

/** The flags of check. */
export interface CheckFlags extends PipelineCommandContext {
  readonly online: boolean;
}

const marks = { ok: 'ok   ', wrong: 'ERROR', warning: 'WARN ', note: 'note ' } as const;

/**
 * Checks a pipeline and prints the findings. Returns the exit code: that of `unauthorized` if a permission is missing,
 * 2 if a run would not start, 3 if rows need manual action, else 0.
 */
export async function runCheckCommand(flags: CheckFlags, screen: Screen): Promise<number> {
  const words = checkWords(flags);
  const caller = {
    note: (text: string) => screen.note(text),
    warn: printWarning,
    stoppable: abortOnStopSignals,
  };
  const { kind, rows, leftBehind, filters, ...found } = await runPipelineCheck(flags, flags, caller).catch(
    createErrorRethrower(flags, words),
  );
  const findings = formatFindings(found.findings, flags.invocation);
  const wrong = findings.filter((finding) => finding.verdict === 'wrong').length;
  const exitCode = exitCodeOfCheck(findings, rows);
  const about = rows === null ? [] : toRowFindings(rows, filters);
  const text = () =>
    [
      ...findings.map((finding) => `${marks[finding.verdict]}  ${line(finding)}`),
      ...about.flatMap(({ verdict, text, below }) => [
        `${marks[verdict]}  ${text}`,
        ...below.map((each) => `         ${each}`),
      ]),
      ...formatLeftBehindLines(leftBehind, createTerminalStyler(screen.colour), screen.columns),
      '',
      ...nextLines(flags, wrong, { kind, rows, leftBehind, filters }),
    ].join('\n');
  screen.result(text, { ok: exitCode === 0, findings, rows, leftBehind });
  return exitCode;
}

function checkWords({ pipelineFile, online }: CheckFlags): readonly string[] {
  return ['check', pipelineFile, ...(online ? ['--online'] : [])];
}

function exitCodeOfCheck(findings: readonly Finding[], rows: RowCheckCounts | null): number {
  if (findings.some(({ denied }) => denied === true)) return getFatalReasonExitCode('unauthorized');
  if (findings.some(({ verdict }) => verdict === 'wrong')) return getFatalReasonExitCode('usage');
  return rows === null || isReadyToImport(rows) ? 0 : 3;
}

/**
 * Returns the lines with the overall result and what to type next: the check again if there are mistakes, the rehearsal
 * after an offline check of an import, otherwise the import or the export.
 */
function nextLines(
  flags: CheckFlags,
  wrong: number,
  {
    kind,
    rows,
    leftBehind,
    filters,
  }: Pick<CheckReport, 'rows' | 'leftBehind' | 'filters'> & { readonly kind: 'import' | 'export' },
): string[] {
  const { pipelineFile, online, workspace, source, invocation } = flags;
  const again = formatCommandLine(checkWords(flags), { workspace, source }, invocation);
  if (wrong > 0) return [`${wrong} to fix. Then:`, `  ${again}`];
  const rehearses = kind === 'import' && !online;
  const target = { workspace: rehearses ? 'sandbox' : workspace, source };
  const run = formatCommandLine([kind, pipelineFile], target, invocation);
  const next = rehearses ? 'rehearse' : kind;
  if (rows !== null && !isReadyToImport(rows)) {
    return [
      'Some rows need a look. Fix them in the input or the mapping, then:',
      `  ${again}`,
      `Or ${next} with the rows that pass:`,
      `  ${run}`,
    ];
  }
  if (kind === 'import' && rows === null)
    return ['No mistakes found; the rows were not checked. Next:', `  ${run}`];
  const leftOut = formatLeftOutRows(rows?.filtered ?? 0, filters);
  return [passWords(leftOut, rows?.pass ?? 0, leftBehind.length > 0), `  ${run}`];
}

/** Returns the result of a check in which no row needs a look; `loses` is true if an import loses something. */
function passWords(leftOut: string, pass: number, loses: boolean): string {
  const next = loses ? 'If nothing of the above needs a change:' : 'Next:';
  if (leftOut === '') return `${loses ? 'Every row passes.' : 'All good.'} ${next}`;
  return `${formatQuantity(pass, 'row')} ${pass === 1 ? 'passes' : 'pass'}${leftOut}. ${next}`;
}

function line({ text: given, place, next }: Finding): string {
  const text = given.replaceAll('\n', '\n       ');
  // Many error texts already start with the file; the place is not added to these.
  const named = place?.file !== undefined && text.startsWith(place.file);
  const shown = named ? text : `${formatErrorPlace(place)}${text}`;
  return next === undefined ? shown : `${shown}\n         ${next}`;
}
