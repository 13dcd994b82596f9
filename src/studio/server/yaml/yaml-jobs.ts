import { readFileSync } from 'node:fs';
import { findPlanOutdatedReason } from '../../../app/plan/kept-plan.ts';
import { type CorrectedRowInput, checkCorrectedRows } from '../../../app/preview/corrected-row.ts';
import { readPipelineInputSettings } from '../../../app/preview/pipeline-input.ts';
import { formatErrorNextStep, type Invocation } from '../../../app/run/command-line.ts';
import type { PlanFacts } from '../../../app/run/plan-file.ts';
import {
  answerYamlQuestion,
  compileMapping,
  editMapping,
  findYamlQuestions,
  listMistakes,
  moveColumn,
  outlineMapping,
  parseMapping,
  parseYamlWithSchema,
  runMappingExamples,
  type YamlEditResult,
} from '../../../mapping/index.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import {
  loadExportPipeline,
  loadImportPipeline,
  loadPipelineOfKind,
  readPipelineKind,
} from '../../../pipeline/index.ts';
import { pipelineSchema } from '../../../pipeline/schema.ts';
import type { MappingEditRequest, MappingSummary } from '../../wire/mapping.ts';
import type { YamlFinding } from '../../wire/project.ts';
import { detectYamlKind } from '../list-files.ts';

interface Named {
  readonly file: string;
}

interface YamlCheck {
  readonly text: string;
  readonly name: string;
  readonly invocation: Invocation;
}

/**
 * The jobs that parse YAML, which run in a thread, because a long text takes seconds. Their parameters and results can
 * be cloned between threads.
 */
export const yamlJobs = {
  shown: ({ text }: { readonly text: string }): MappingSummary => {
    const outline = outlineMapping(text);
    return { outline, questions: outline === null ? [] : findYamlQuestions(text) };
  },
  edit: ({ text, edit }: { readonly text: string; readonly edit: MappingEditRequest }): YamlEditResult => {
    if (edit.kind === 'moveColumn') return moveColumn(text, edit);
    return edit.kind === 'answer' && detectYamlKind(text) === 'import'
      ? answerYamlQuestion(text, edit, { schema: pipelineSchema, what: 'pipeline' })
      : editMapping(text, edit);
  },
  check: checkYaml,
  input: ({ file }: Named) => readPipelineInputSettings(file),
  workspace: async ({ file }: Named) =>
    (await loadPipelineOfKind(file, await readPipelineKind(file))).settings.workspace,
  import: async ({ file }: Named) => {
    const { about, settings } = await loadPipelineOfKind(file, 'import');
    return { pipeline: about.pipeline, guard: settings.guard };
  },
  /**
   * The name of an import pipeline, null if it cannot be loaded, its mapping, null if that is missing, its input, null
   * if that is no file, the number of open questions in the pipeline and the mapping, and whether both have no mistakes.
   */
  questions: async ({ file }: Named) => {
    const named = await readPipelineInputSettings(file);
    const text = named.mapping === null ? undefined : readIfPossible(named.mapping);
    const mapping = text === undefined ? null : named.mapping;
    const found = {
      mapping,
      input: named.input?.path ?? null,
      questions: [readFileSync(file, 'utf8'), text ?? ''].flatMap(findYamlQuestions).length,
    };
    try {
      const { about } = await loadPipelineOfKind(file, 'import');
      const isMappingValid = text !== undefined && isValidMapping(text, named.mapping ?? '');
      return { ...found, pipeline: about.pipeline, isMappingValid };
    } catch (error) {
      if (!(error instanceof FatalError) && !(error instanceof Error && 'code' in error)) throw error;
      return { ...found, pipeline: null, isMappingValid: false };
    }
  },
  checkCorrections: async ({ file, rows }: Named & { readonly rows: readonly CorrectedRowInput[] }) =>
    checkCorrectedRows((await loadImportPipeline(file)).import.mapping, rows),
  export: async ({ file }: Named) => {
    const { pipeline, export: settings } = await loadExportPipeline(file);
    const kinds = Object.entries({ contacts: settings.contacts, messages: settings.messages });
    return {
      pipeline,
      kinds: kinds.flatMap(([kind, each]) =>
        each === undefined ? [] : [{ kind, format: each.format, incremental: each.incremental }],
      ),
      objects: settings.workspaceObjects,
      to: settings.to,
    };
  },
  outOfDate: async ({
    file,
    facts,
    workDir,
  }: Named & { readonly facts: PlanFacts; readonly workDir: string }) =>
    (await findPlanOutdatedReason(await loadImportPipeline(file), facts, workDir)) ?? null,
};

/** Returns the text of a file; undefined if it is missing or cannot be read. */
function readIfPossible(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** Returns the findings about the text of a mapping or a pipeline alone, without its input. */
function checkYaml({ text, name, invocation }: YamlCheck): readonly YamlFinding[] {
  try {
    if (detectYamlKind(text) === 'mapping') return mappingFindings(text, name);
    parseYamlWithSchema(text, name, pipelineSchema, 'pipeline');
    return [{ verdict: 'ok', text: 'No mistakes found in this file.' }];
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    return findingsOf(error, invocation);
  }
}

function isValidMapping(text: string, name: string): boolean {
  try {
    return mappingFindings(text, name).every(({ verdict }) => verdict !== 'wrong');
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    return false;
  }
}

function mappingFindings(text: string, name: string): readonly YamlFinding[] {
  const mapping = parseMapping(text, name);
  compileMapping(mapping, {});
  const wrong = runMappingExamples(mapping).filter((each) => !each.ok);
  if (wrong.length === 0) return [{ verdict: 'ok', text: 'No mistakes found in this file.' }];
  return wrong.map(({ message, line }) => ({ verdict: 'wrong', text: `example: ${message}`, line }));
}

/** Returns the mistakes of a file with their positions; a mistake of the whole file has none. */
function findingsOf(error: FatalError, invocation: Invocation): readonly YamlFinding[] {
  const mistakes = listMistakes(error);
  const next = formatErrorNextStep(error, invocation);
  if (mistakes.length === 0) return [{ verdict: 'wrong', text: error.message, ...(next && { next }) }];
  return mistakes.map(({ line, column, key, reason }) => ({
    ...{ verdict: 'wrong', text: reason, line, column },
    ...(key !== '' && { key }),
  }));
}
