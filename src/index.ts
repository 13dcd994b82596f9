// The library door: what the commands are made of, for programs that want to do the same.

export type { Contact, ContactBody } from './model/contact.ts';
export { FatalError } from './model/fatal-error.ts';
export type { RowCounts } from './model/outcome.ts';
export type { Clock, Randomness, Transport } from './model/ports.ts';
export { buildSummary, type Summary, writeRunFiles } from './report/index.ts';
export type { RunEvent } from './runs/events.ts';
export type { ExportEvent } from './runs/export/events.ts';
export { runCompaction, runExport } from './runs/export/export.ts';
export type { ExportEnd, ExportRequest } from './runs/export/request.ts';
export { type ImportEnd, runImport } from './runs/import/import.ts';
export type { ImportRequest } from './runs/import/request.ts';
export { type LoadedPipeline, loadExportPipeline, loadPipeline } from './runs/pipeline/index.ts';
export { type Sandbox, type SandboxOptions, startSandbox } from './sandbox/index.ts';
export { openWorkspace, systemClock, systemRandomness, type Workspace } from './workspace/index.ts';
