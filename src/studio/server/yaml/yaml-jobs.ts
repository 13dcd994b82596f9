import { whyOutOfDate } from '../../../app/plan/kept-plan.ts';
import { pipelineInput } from '../../../app/preview/pipeline-input.ts';
import type { PlanFacts } from '../../../app/run/plan-file.ts';
import { type Edited, editMapping, moveColumn, outlineOf, questionsIn } from '../../../mapping/index.ts';
import { loadExportPipeline, loadKind, loadPipeline, pipelineKind } from '../../../pipeline/index.ts';
import type { MappingChange, MappingShown } from '../../wire/mapping.ts';
import { checkYaml } from './check-yaml.ts';

interface Named {
  readonly file: string;
}

/**
 * What the studio finds out of YAML, in a thread of its own: to parse a long one takes seconds. Plain values come in, and
 * plain values are answered.
 */
export const yamlJobs = {
  shown: ({ text }: { readonly text: string }): MappingShown => {
    const outline = outlineOf(text);
    return { outline, questions: outline === null ? [] : questionsIn(text) };
  },
  edit: ({ text, edit }: { readonly text: string; readonly edit: MappingChange }): Edited =>
    edit.kind === 'moveColumn' ? moveColumn(text, edit) : editMapping(text, edit),
  check: ({ text, name }: { readonly text: string; readonly name: string }) => checkYaml(text, name),
  input: ({ file }: Named) => pipelineInput(file),
  workspace: async ({ file }: Named) => (await loadKind(file, await pipelineKind(file))).settings.workspace,
  import: async ({ file }: Named) => {
    const { about, settings } = await loadKind(file, 'import');
    return { pipeline: about.pipeline, guard: settings.guard };
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
    (await whyOutOfDate(await loadPipeline(file), facts, workDir)) ?? null,
};
