import { checkedRowsFindings } from '../report/checked-rows.ts';
import { commandLine } from '../report/next-steps.ts';
import type { Finding } from '../runs/check/finding.ts';
import { allPass, type CheckedRows } from '../runs/check/rows.ts';
import { exitCodeOf } from '../runs/exit-code.ts';
import { findProblems } from '../wiring/find-problems.ts';
import { shownWorkDir } from '../wiring/work-dir.ts';
import { withCommands } from './next-hint.ts';
import { placeText, type Screen } from './screen.ts';
import { onStopSignals } from './stop-signals.ts';

/** What check asks for. */
export interface CheckFlags {
  readonly pipelineFile: string;
  readonly online: boolean;
  /** The input in place of the pipeline's own. */
  readonly source?: string | undefined;
  readonly workspace: string | undefined;
  readonly workDir: string;
}

const marks = { ok: 'ok   ', wrong: 'ERROR', warning: 'WARN ', note: 'note ' } as const;

/** Checks a pipeline and prints what was found; the exit code is 2 where a run would not begin, 3 where rows need a look. */
export async function carryOutCheck(flags: CheckFlags, screen: Screen): Promise<number> {
  const stop = new AbortController();
  const release = onStopSignals(stop);
  try {
    const { kind, findings, rows } = await findProblems(
      { ...flags, waiting: (text) => screen.note(text) },
      stop.signal,
    ).catch((error: unknown) => {
      const words = ['check', flags.pipelineFile, ...(flags.online ? ['--online'] : [])];
      throw withCommands(error, { ...flags, words });
    });
    const wrong = findings.filter((finding) => finding.verdict === 'wrong').length;
    const exitCode = exitCodeOfCheck(findings, rows);
    const about = rows === null ? [] : checkedRowsFindings(rows);
    const text = () =>
      [
        ...findings.map((finding) => `${marks[finding.verdict]}  ${line(finding)}`),
        ...about.flatMap(({ verdict, text, below }) => [
          `${marks[verdict]}  ${text}`,
          ...below.map((each) => `         ${each}`),
        ]),
        '',
        ...nextLines({ flags, kind, wrong, rows }),
      ].join('\n');
    screen.result(text, { ok: exitCode === 0, findings, rows });
    return exitCode;
  } finally {
    release();
  }
}

function exitCodeOfCheck(findings: readonly Finding[], rows: CheckedRows | null): number {
  if (findings.some(({ denied }) => denied === true)) return exitCodeOf('unauthorized');
  if (findings.some(({ verdict }) => verdict === 'wrong')) return exitCodeOf('usage');
  return rows === null || allPass(rows) ? 0 : 3;
}

interface Outlook {
  readonly flags: CheckFlags;
  readonly kind: 'import' | 'export';
  readonly wrong: number;
  readonly rows: CheckedRows | null;
}

/** What it comes to, and what to type: after an offline check of an import, the rehearsal. */
function nextLines({ flags, kind, wrong, rows }: Outlook): string[] {
  const { pipelineFile, online, workspace, source } = flags;
  const workDir = shownWorkDir(flags.workDir);
  const again = commandLine(['check', pipelineFile, ...(online ? ['--online'] : [])], {
    workspace,
    workDir,
    source,
  });
  if (wrong > 0) return [`${wrong} to fix. Then:`, `  ${again}`];
  const rehearses = kind === 'import' && !online;
  const run = commandLine([kind, pipelineFile], {
    workspace: rehearses ? 'sandbox' : workspace,
    workDir,
    source,
  });
  const next = rehearses ? 'rehearse' : kind;
  if (rows !== null && !allPass(rows)) {
    return [
      'Some rows need a look. Fix them in the input or the mapping, then:',
      `  ${again}`,
      `Or ${next} with the rows that pass:`,
      `  ${run}`,
    ];
  }
  const judged = kind === 'export' || rows !== null;
  return [judged ? 'All good. Next:' : 'No mistakes found; the rows were not checked. Next:', `  ${run}`];
}

function line({ text: given, place, next }: Finding): string {
  const text = given.replaceAll('\n', '\n       ');
  // Many an error begins with its file.
  const named = place?.file !== undefined && text.startsWith(place.file);
  const shown = named ? text : `${placeText(place)}${text}`;
  return next === undefined ? shown : `${shown}\n         ${next}`;
}
