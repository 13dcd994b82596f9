export { checkColumns, checkWorkspace, fieldsToCreate } from './check.ts';
export { compileMapping } from './compile.ts';
export { type LoadedDocument, loadDocument } from './document/load.ts';
export type { Mistake } from './document/mistake.ts';
export { runExamples } from './examples.ts';
export { type LoadedMapping, loadMapping, parseMapping } from './load.ts';
export { mappingJsonSchema } from './schema.ts';
