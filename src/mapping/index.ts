export { checkColumns, neededColumns, optionalColumns } from './check/columns.ts';
export { fieldsToCreate } from './check/custom-fields.ts';
export { checkWorkspace } from './check/workspace.ts';
export { columnReader, firstColumnOf, listUses } from './columns.ts';
export { compileMapping } from './compile/index.ts';
export {
  type FilledFiles,
  type FillValues,
  loadDocument,
  parseDocument,
  readOnce,
  readYamlText,
  type YamlReader,
} from './document/load.ts';
export { listMistakes, type Mistake, type NoteMistake } from './document/mistake.ts';
export { mapDocument, mostYaml, plainYaml } from './document/yaml-text.ts';
export { editMapping, type MappingEdit } from './edit/edit-mapping.ts';
export { createExample } from './edit/example-of.ts';
export { type ColumnMove, moveColumn } from './edit/move-column.ts';
export {
  type ColumnOfTarget,
  type MappingOutline,
  type OutlinedTarget,
  outlineMapping,
} from './edit/outline.ts';
export type { EditResult, Plain, YamlPath } from './edit/plain.ts';
export { findQuestions, withoutQuestions, type YamlQuestion } from './edit/questions.ts';
export { keepRules } from './keep.ts';
export { type LoadedMapping, loadMapping, parseMapping } from './load.ts';
export { runExamples } from './run-examples.ts';
export { furtherFields } from './schema/contact.ts';
export { type Mapping, mappingJsonSchema } from './schema.ts';
export { settleTags } from './settle-tags.ts';
export { targetOfCode, valuesByTarget } from './trace/targets.ts';
export { compileTrace, compileValueTable, type RowTrace } from './trace/trace-row.ts';
export { writtenFields } from './written-fields.ts';
