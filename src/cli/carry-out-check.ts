import { commandLine } from '../report/next-steps.ts';
import { checkAlerts } from '../runs/check/alerts.ts';
import { check } from '../runs/check/check.ts';
import { checkExport } from '../runs/check/export/check-export.ts';
import type { Finding } from '../runs/check/finding.ts';
import { exitCodeOf } from '../runs/exit-code.ts';
import {
  loadExportDocument,
  loadPipeline,
  type NotifySettings,
  pipelineKind,
} from '../runs/pipeline/index.ts';
import { withCommands } from './next-hint.ts';
import { openImpatiently } from './open-client.ts';
import { findSource } from './open-source.ts';
import { noteEvents } from './run-event.ts';
import { placeText, type Screen } from './screen.ts';
import { onStopSignals } from './stop-signals.ts';
import { openTarget, tokenIn } from './target.ts';
import { prepareWorkDir, shownWorkDir } from './work-dir.ts';

/** What check asks for. */
export interface CheckFlags {
  readonly pipelineFile: string;
  readonly online: boolean;
  readonly workspace: string | undefined;
  readonly workDir: string;
}

const marks = { ok: 'ok   ', wrong: 'WRONG', note: 'note ' };

/** Checks a pipeline and prints what was found; the exit code is 2 where a run would not begin. */
export async function carryOutCheck(flags: CheckFlags, screen: Screen): Promise<number> {
  const stop = new AbortController();
  const release = onStopSignals(stop);
  try {
    const { pipelineFile, workspace } = flags;
    const kind = await pipelineKind(flags.pipelineFile);
    const findings = await (kind === 'import' ? look : lookAtExport)(flags, stop.signal, screen).catch(
      (error) => {
        const words = ['check', pipelineFile, ...(flags.online ? ['--online'] : [])];
        throw withCommands(error, { ...flags, words });
      },
    );
    const wrong = findings.filter((finding) => finding.verdict === 'wrong').length;
    const again = commandLine([wrong === 0 ? kind : 'check', pipelineFile], {
      workspace,
      workDir: shownWorkDir(flags.workDir),
    });
    const end = wrong === 0 ? `All good. Next:\n  ${again}` : `${wrong} to mend. Then:\n  ${again}`;
    const lines = findings.map((finding) => `${marks[finding.verdict]}  ${line(finding)}`);
    screen.result(() => [...lines, '', end].join('\n'), { ok: wrong === 0, findings });
    if (findings.some(({ denied }) => denied === true)) return exitCodeOf('unauthorized');
    return wrong === 0 ? 0 : exitCodeOf('usage');
  } finally {
    release();
  }
}

async function look(flags: CheckFlags, signal: AbortSignal, screen: Screen): Promise<readonly Finding[]> {
  const pipeline = await loadPipeline(flags.pipelineFile);
  const alerts = alertsOf(pipeline.import.notify);
  const { workDir } = flags;
  if (!flags.online)
    return [...(await check({ pipeline, workDir, workspace: undefined, signal })), ...alerts];
  prepareWorkDir(workDir);
  const source = findSource(pipeline, flags);
  const target = await openTarget(flags, pipeline.import.workspace);
  const workspace = openImpatiently(target, pipeline.import.limits, signal, noteEvents(screen));
  try {
    const liveSource = source?.live(signal, noteEvents(screen), 'impatient');
    return [...(await check({ pipeline, workDir, workspace, liveSource, signal })), ...alerts];
  } finally {
    await workspace.close(0);
    await target.close();
  }
}

async function lookAtExport(
  flags: CheckFlags,
  signal: AbortSignal,
  screen: Screen,
): Promise<readonly Finding[]> {
  const document = await loadExportDocument(flags.pipelineFile);
  const settings = document.pipeline.export;
  const alerts = alertsOf(settings.notify);
  if (!flags.online) return [...(await checkExport({ document, workspace: undefined })), ...alerts];
  prepareWorkDir(flags.workDir);
  const target = await openTarget(flags, settings.workspace);
  const workspace = openImpatiently(target, settings.limits, signal, noteEvents(screen));
  try {
    return [...(await checkExport({ document, workspace })), ...alerts];
  } finally {
    await workspace.close(0);
    await target.close();
  }
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
