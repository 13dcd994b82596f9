import { checkedRowsFindings } from '../report/checked-rows.ts';
import { commandLine } from '../report/next-steps.ts';
import { checkAlerts } from '../runs/check/alerts.ts';
import { type Checked, check } from '../runs/check/check.ts';
import { checkExport } from '../runs/check/export/check-export.ts';
import type { Finding } from '../runs/check/finding.ts';
import { allPass, type CheckedRows } from '../runs/check/rows.ts';
import {
  loadExportDocument,
  loadPipeline,
  type NotifySettings,
  pipelineKind,
} from '../runs/pipeline/index.ts';
import { openClient } from './open-client.ts';
import { findSource } from './open-source.ts';
import { placeText, type Screen } from './screen.ts';
import { onStopSignals } from './stop-signals.ts';
import { openTarget, tokenIn } from './target.ts';
import { prepareWorkDir, shownWorkDir } from './work-dir.ts';

/** What check asks for. */
export interface CheckFlags {
  readonly pipelineFile: string;
  readonly online: boolean;
  /** The input in place of the pipeline's own. */
  readonly source?: string | undefined;
  readonly workspace: string | undefined;
  readonly workDir: string;
}

const marks = { ok: 'ok   ', wrong: 'WRONG', warning: 'WARN ', note: 'note ' } as const;

/** Checks a pipeline and prints what was found; the exit code is 2 where a run would not begin, 3 where rows need a look. */
export async function carryOutCheck(flags: CheckFlags, screen: Screen): Promise<number> {
  const stop = new AbortController();
  const release = onStopSignals(stop);
  try {
    const kind = await pipelineKind(flags.pipelineFile);
    const { findings, rows } = await (kind === 'import' ? look : lookAtExport)(flags, stop.signal);
    const wrong = findings.filter((finding) => finding.verdict === 'wrong').length;
    const exitCode = wrong > 0 ? 2 : rows === null || allPass(rows) ? 0 : 3;
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
      `Or ${next} with what passes:`,
      `  ${run}`,
    ];
  }
  const judged = kind === 'export' || rows !== null;
  return [judged ? 'All good. Next:' : 'No mistakes found; the rows were not looked at. Next:', `  ${run}`];
}

async function look(flags: CheckFlags, signal: AbortSignal): Promise<Checked> {
  const pipeline = await loadPipeline(flags.pipelineFile, flags.source);
  const alerts = alertsOf(pipeline.import.notify);
  const { workDir } = flags;
  if (!flags.online)
    return withAlerts(await check({ pipeline, workDir, workspace: undefined, signal }), alerts);
  prepareWorkDir(workDir);
  const source = findSource(pipeline, flags);
  const target = await openTarget(flags, pipeline.import.workspace);
  const workspace = openClient(target, pipeline.import.limits, signal, () => undefined);
  try {
    const liveSource = source?.live(signal, () => undefined);
    return withAlerts(await check({ pipeline, workDir, workspace, liveSource, signal }), alerts);
  } finally {
    await workspace.close(0);
    await target.close();
  }
}

function withAlerts({ findings, rows }: Checked, alerts: readonly Finding[]): Checked {
  return { findings: [...findings, ...alerts], rows };
}

async function lookAtExport(flags: CheckFlags, signal: AbortSignal): Promise<Checked> {
  const document = await loadExportDocument(flags.pipelineFile);
  const settings = document.pipeline.export;
  const alerts = alertsOf(settings.notify);
  if (!flags.online) return exported(await checkExport({ document, workspace: undefined }), alerts);
  prepareWorkDir(flags.workDir);
  const target = await openTarget(flags, settings.workspace);
  const workspace = openClient(target, settings.limits, signal, () => undefined);
  try {
    return exported(await checkExport({ document, workspace }), alerts);
  } finally {
    await workspace.close(0);
    await target.close();
  }
}

function exported(findings: readonly Finding[], alerts: readonly Finding[]): Checked {
  return { findings: [...findings, ...alerts], rows: null };
}

function alertsOf(notify: NotifySettings | undefined): readonly Finding[] {
  return checkAlerts(notify, (variable) => tokenIn(variable) !== '');
}

function line({ text, place, next }: Finding): string {
  // Many an error begins with its file.
  const named = place?.file !== undefined && text.startsWith(place.file);
  const shown = named ? text : `${placeText(place)}${text}`;
  return next === undefined ? shown : `${shown}\n         ${next}`;
}
