import { findProblems } from '../app/check/find-problems.ts';
import type { Finding } from '../app/check/finding.ts';
import { asCall } from './longshore-error.ts';
import { atProgram, type CallOptions, siteOf } from './options.ts';

/** What checkPipeline takes. */
export interface CheckOptions extends CallOptions {
  /** Asks the workspace, too: base URL, token, custom fields. */
  readonly online?: boolean | undefined;
}

/** What a check found, as `check --json` prints it. */
export interface CheckResult {
  /** Whether a run could start. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** Checks a pipeline, its mapping and its input, and changes nothing; rejects with a LongshoreError where it cannot check. */
export async function checkPipeline(pipelineFile: string, options: CheckOptions = {}): Promise<CheckResult> {
  return await asCall(async () => {
    const job = { pipelineFile, online: options.online ?? false };
    const { findings } = await findProblems(job, siteOf(options), atProgram({ signal: options.signal }));
    return { ok: findings.every(({ verdict }) => verdict !== 'wrong'), findings };
  });
}
