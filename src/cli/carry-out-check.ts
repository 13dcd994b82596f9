import { commandLine } from '../report/next-steps.ts';
import type { Finding } from '../runs/check/finding.ts';
import { findProblems } from '../wiring/find-problems.ts';
import { shownWorkDir } from '../wiring/work-dir.ts';
import { placeText, type Screen } from './screen.ts';
import { onStopSignals } from './stop-signals.ts';

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
    const { kind, findings } = await findProblems(
      { ...flags, waiting: (text) => screen.note(text) },
      stop.signal,
    );
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

function line({ text: given, place, next }: Finding): string {
  const text = given.replaceAll('\n', '\n       ');
  // Many an error begins with its file.
  const named = place?.file !== undefined && text.startsWith(place.file);
  const shown = named ? text : `${placeText(place)}${text}`;
  return next === undefined ? shown : `${shown}\n         ${next}`;
}
