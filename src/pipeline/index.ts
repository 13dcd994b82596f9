export {
  type ExportPipelineDocument,
  loadExportPipeline,
  loadExportPipelineDocument,
} from './export/load.ts';
export { type LoadedImportPipeline, loadImportPipeline } from './load.ts';
export { loadPipelineOfKind, readPipelineKind } from './load-kind.ts';
export type { NotifySettings } from './notify.ts';
export { createPipelineJsonSchema } from './schema.ts';
