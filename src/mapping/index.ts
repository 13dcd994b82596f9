export {
  checkColumns,
  collectMappedColumns,
  findMissingColumns,
  findMissingOptionalColumns,
} from './check/columns.ts';
export { listFieldsToCreate } from './check/custom-fields.ts';
export { checkAgainstWorkspace } from './check/workspace.ts';
export { createColumnFilter, findFirstColumnOfRule, findListUses } from './columns.ts';
export { compileDayReader, compileTimeOfDayTests, type FieldDay } from './compile/dates.ts';
export { compileMapping } from './compile/index.ts';
export {
  createCachingYamlReader,
  loadYamlWithSchema,
  parseYamlWithSchema,
  readYamlText,
  type YamlLoadFunctions,
  type YamlReader,
  type YamlValueFiller,
} from './document/load.ts';
export { listMistakes, type MistakeReporter, type YamlMistake } from './document/mistake.ts';
export { maxYamlLength, parsePlainYaml, parseYamlMap } from './document/yaml-text.ts';
export {
  answerYamlQuestion,
  editMapping,
  type MappingEdit,
  setYamlValues,
  type YamlFileKind,
} from './edit/edit-mapping.ts';
export { createMappingExample } from './edit/example-of.ts';
export { type ColumnMove, moveColumn } from './edit/move-column.ts';
export {
  type ColumnInTarget,
  type MappingOutline,
  outlineMapping,
  type TargetOutline,
} from './edit/outline.ts';
export type { JsonValue, YamlEditResult, YamlPath } from './edit/plain.ts';
export { findYamlQuestions, removePartsWithOpenQuestions, type YamlQuestion } from './edit/questions.ts';
export { type ColumnRename, renameColumn } from './edit/rename-column.ts';
export { collectKeepRules } from './keep.ts';
export { type LoadedMapping, loadMapping, parseMapping } from './load.ts';
export { runMappingExamples } from './run-examples.ts';
export { listFurtherValuesFields } from './schema/contact.ts';
export { createMappingJsonSchema, type Mapping } from './schema.ts';
export { compileTagFinalizer } from './settle-tags.ts';
export { collectTargetValues, findProblemTargetName } from './trace/targets.ts';
export { compileLookedUpTexts, compileRowTracer, type RowTrace } from './trace/trace-row.ts';
export { listMappedFields } from './written-fields.ts';
