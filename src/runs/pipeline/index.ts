export { type LoadedPipeline, loadPipeline } from './load.ts';
export { pipelineJsonSchema } from './schema.ts';
