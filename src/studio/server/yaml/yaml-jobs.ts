import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { findPlanOutdatedReason } from '../../../app/plan/kept-plan.ts';
import { type CorrectedRowInput, checkCorrectedRows } from '../../../app/preview/corrected-row.ts';
import { readPipelineInputSettings } from '../../../app/preview/pipeline-input.ts';
import { formatErrorNextStep, type Invocation } from '../../../app/run/command-line.ts';
import { listRowFilterOptions } from '../../../app/run/input.ts';
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
  parsePlainYaml,
  parseYamlWithSchema,
  renameColumn,
  runMappingExamples,
  setYamlValues,
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
import { whereOption } from '../../../sources/where.ts';
import type { MappingEditRequest, MappingSummary, RowCondition } from '../../wire/mapping.ts';
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
    const questions = outline === null ? [] : findYamlQuestions(text);
    return { outline, questions, conditions: listRowConditions(text) };
  },
  edit: ({ text, edit }: { readonly text: string; readonly edit: MappingEditRequest }): YamlEditResult => {
    if (edit.kind === 'moveColumn') return moveColumn(text, edit);
    if (edit.kind === 'renameColumn') return renameColumn(text, edit);
    if (detectYamlKind(text) !== 'import') return editMapping(text, edit);
    if (edit.kind === 'answer') return answerYamlQuestion(text, edit, pipelineFile);
    if (edit.kind === 'setTarget') return setYamlValues(text, [[edit.target, edit.rule]], pipelineFile);
    return edit.kind === 'removeTarget'
      ? setYamlValues(text, [[edit.target, undefined]], pipelineFile)
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
   * if that is no file, the options that leave out rows, the number of open questions in the pipeline and the mapping, and whether both have no mistakes.
   */
  questions: async ({ file }: Named) => {
    const named = await readPipelineInputSettings(file);
    const text = named.mapping === null ? undefined : readIfPossible(named.mapping);
    const mapping = text === undefined ? null : named.mapping;
    const found = {
      mapping,
      input: named.input?.path ?? null,
      filters: listRowFilterOptions(named.input?.as ?? { options: {} }),
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

const pipelineFile = { schema: pipelineSchema, what: 'pipeline' };

const withConditions = z.object({ import: z.object({ source: z.object({ where: whereOption }) }) });

/** Returns the conditions on the rows of a pipeline's input; none where there are mistakes in them. */
function listRowConditions(text: string): readonly RowCondition[] {
  const read = parsePlainYaml(text);
  const written = withConditions.safeParse('value' in read ? read.value : undefined);
  return Object.entries(written.data?.import.source.where ?? {}).map(([column, condition]) => {
    const leavesOut = typeof condition === 'object' && condition !== null && 'not' in condition;
    const values = [leavesOut ? condition.not : condition].flat().map((value) => String(value ?? ''));
    return { column, values, leavesOut };
  });
}

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
