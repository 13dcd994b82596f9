export { type ExportPipelineDocument, loadExportDocument, loadExportPipeline } from './export/load.ts';
export { type LoadedPipeline, loadPipeline } from './load.ts';
export { loadPipelineOfKind, readPipelineKind } from './load-kind.ts';
export type { NotifySettings } from './notify.ts';
export { pipelineJsonSchema } from './schema.ts';
