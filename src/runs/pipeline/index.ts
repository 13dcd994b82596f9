export { type ExportPipelineDocument, loadExportDocument, loadExportPipeline } from './export/load.ts';
export { type LoadedPipeline, loadPipeline, pipelineKind } from './load.ts';
export type { NotifySettings } from './notify.ts';
export { pipelineJsonSchema } from './schema.ts';
