// The library: what the commands do, for programs (docs/library.md).

export type { Finding } from './app/check/finding.ts';
export type { ExportSummary } from './app/export/report/export-summary.ts';
export type { Summary } from './app/import/report/summary.ts';
export type { ExportEvent, RunEvent } from './app/run/events.ts';
export { LongshoreError } from './library/longshore-error.ts';
export type { CallOptions, RunOptions, WorkspaceOption } from './library/options.ts';
export {
  type CheckOptions,
  type CheckResult,
  checkPipeline,
  type ExportOptions,
  exportPipeline,
  type ImportOptions,
  importPipeline,
} from './library/pipelines.ts';
export type { ErrorPlace, FatalReason } from './model/fatal-error.ts';
export type { Outcome, RowCounts } from './model/outcome.ts';
export type { Problem } from './model/problem.ts';
export { type Sandbox, type SandboxOptions, startSandbox } from './sandbox/index.ts';
