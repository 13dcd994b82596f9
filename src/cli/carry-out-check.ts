import { commandLine } from '../report/next-steps.ts';
import { checkAlerts } from '../runs/check/alerts.ts';
import { check } from '../runs/check/check.ts';
import { checkExport } from '../runs/check/export/check-export.ts';
import type { Finding } from '../runs/check/finding.ts';
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
import { announce, announceTarget, openTarget } from './target.ts';
import { assertAllowed, variable } from './variables.ts';
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
    const kind = await pipelineKind(flags.pipelineFile);
    const findings = await (kind === 'import'
      ? look(flags, screen, stop.signal)
      : lookAtExport(flags, screen, stop.signal));
    const wrong = findings.filter((finding) => finding.verdict === 'wrong').length;
    const { pipelineFile, workspace } = flags;
    const again = commandLine([wrong === 0 ? kind : 'check', pipelineFile], {
      workspace,
      workDir: shownWorkDir(flags.workDir),
    });
    const end = wrong === 0 ? `All good. Next:\n  ${again}` : `${wrong} to mend. Then:\n  ${again}`;
    const lines = findings.map((finding) => `${marks[finding.verdict]}  ${line(finding)}`);
    screen.result(() => [...lines, '', end].join('\n'), { ok: wrong === 0, findings });
    return wrong === 0 ? 0 : 2;
  } finally {
    release();
  }
}

async function look(flags: CheckFlags, screen: Screen, signal: AbortSignal): Promise<readonly Finding[]> {
  const pipeline = await loadPipeline(flags.pipelineFile);
  if (flags.workspace !== 'sandbox') assertAllowed(pipeline.import.workspace.tokenEnv);
  const alerts = alertsOf(pipeline.import.notify);
  const { workDir } = flags;
  const waiting = (text: string) => screen.note(text);
  if (!flags.online)
    return [...(await check({ pipeline, workDir, workspace: undefined, waiting, signal })), ...alerts];
  prepareWorkDir(workDir);
  const source = findSource(pipeline, flags);
  if (source?.baseUrl !== undefined) announce('Source', source.baseUrl, screen);
  const target = await openTarget(flags, pipeline.import.workspace);
  announceTarget(target, screen);
  const workspace = openClient(target, pipeline.import.limits, signal, () => undefined);
  try {
    const liveSource = source?.live(signal, () => undefined);
    return [...(await check({ pipeline, workDir, workspace, liveSource, waiting, signal })), ...alerts];
  } finally {
    await workspace.close(0);
    await target.close();
  }
}

async function lookAtExport(
  flags: CheckFlags,
  screen: Screen,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const document = await loadExportDocument(flags.pipelineFile);
  const settings = document.pipeline.export;
  if (flags.workspace !== 'sandbox') assertAllowed(settings.workspace.tokenEnv);
  const alerts = alertsOf(settings.notify);
  if (!flags.online) return [...(await checkExport({ document, workspace: undefined })), ...alerts];
  prepareWorkDir(flags.workDir);
  const target = await openTarget(flags, settings.workspace);
  announceTarget(target, screen);
  const workspace = openClient(target, settings.limits, signal, () => undefined);
  try {
    return [...(await checkExport({ document, workspace })), ...alerts];
  } finally {
    await workspace.close(0);
    await target.close();
  }
}

function alertsOf(notify: NotifySettings | undefined): readonly Finding[] {
  return checkAlerts(notify, (name) => variable(name) !== '');
}

function line({ text, place, next }: Finding): string {
  // Many an error begins with its file.
  const named = place?.file !== undefined && text.startsWith(place.file);
  const shown = named ? text : `${placeText(place)}${text}`;
  return next === undefined ? shown : `${shown}\n         ${next}`;
}
