import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { findPlanOutdatedReason } from '../../../app/plan/kept-plan.ts';
import { readPipelineInputSettings } from '../../../app/preview/pipeline-input.ts';
import { formatErrorNextStep, type Invocation } from '../../../app/run/command-line.ts';
import type { PlanFacts } from '../../../app/run/plan-file.ts';
import {
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
  edit: ({ text, edit }: { readonly text: string; readonly edit: MappingEditRequest }): YamlEditResult =>
    edit.kind === 'moveColumn' ? moveColumn(text, edit) : editMapping(text, edit),
  check: checkYaml,
  input: ({ file }: Named) => readPipelineInputSettings(file),
  workspace: async ({ file }: Named) =>
    (await loadPipelineOfKind(file, await readPipelineKind(file))).settings.workspace,
  import: async ({ file }: Named) => {
    const { about, settings } = await loadPipelineOfKind(file, 'import');
    return { pipeline: about.pipeline, guard: settings.guard };
  },
  /**
   * The name and the mapping of an import pipeline, both null if it cannot be loaded, its input, null if that is no
   * file, the number of open questions in the pipeline and the mapping, and whether the mapping has no mistakes.
   */
  questions: async ({ file }: Named) => {
    const open = (path: string) => findYamlQuestions(readFileSync(path, 'utf8')).length;
    const input = (await readPipelineInputSettings(file)).input?.path ?? null;
    try {
      const { about, settings } = await loadPipelineOfKind(file, 'import');
      const mapping = resolve(dirname(file), settings.mapping);
      return {
        ...{ pipeline: about.pipeline, mapping, input, questions: open(file) + open(mapping) },
        isMappingValid: isValidMapping(readFileSync(mapping, 'utf8'), mapping),
      };
    } catch (error) {
      if (!(error instanceof FatalError) && !(error instanceof Error && 'code' in error)) throw error;
      return { pipeline: null, mapping: null, input, questions: open(file), isMappingValid: false };
    }
  },
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
