import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { MappingInput, MappingUse } from '../../wire/mapping.ts';
import { useRouteAnswer } from '../hooks.ts';
import { useSetDefaultImportPipeline } from '../import-pipelines.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { buildHref } from '../place.ts';
import { LoadFieldsButton } from './ask-fields.tsx';
import { ColumnList } from './column-list.tsx';
import { RowCountsSection } from './counts-section.tsx';
import { YamlEditorPane } from './editor-pane.tsx';
import { MappingInputSelect } from './input-choice.tsx';
import { MappingEditorState } from './open-mapping.ts';
import { DraftQuestionList } from './questions.tsx';
import { SavedStateNotice } from './saved-state.tsx';
import { useStreamedAnswer } from './use-found.ts';
import type { CurrentRowSelector } from './view-state.ts';

/** The page of a mapping: its columns and results on the left, its text on the right. */
export function MappingPage({ path }: { readonly path: string }) {
  const [open] = useState(() => new MappingEditorState(path));
  useEffect(() => () => open.close(), [open]);
  const uses = useRouteAnswer('mappingUses', { path });
  const chosen = useSignal<MappingInput | undefined>(undefined);
  const wanted = useSignal<CurrentRowSelector>({ number: 0 });
  const input = chosen.value ?? usualInput(uses.value.value?.uses ?? []);
  const pipeline = pipelineOf(input, uses.value.value?.uses ?? []);
  useSetDefaultImportPipeline(pipeline);
  const text = open.settled.value;
  const request = input === undefined || text === '' ? null : { input, path, text };
  const columns = useStreamedAnswer('mappingColumns', 'columns', input === undefined ? null : { input });
  const counts = useStreamedAnswer('mappingCounts', 'counts', request);
  const row = useStreamedAnswer('mappingRow', 'row', request && { ...request, row: wanted.value });
  return (
    <div class="mapping">
      <div class="mapping-left">
        <section aria-label="Mapping and input" class="mapping-head">
          <p class="path">
            <a href={buildHref('mapping')}>All mappings</a> <b>{path}</b>
          </p>
          <SavedStateNotice open={open} />
          <ProblemNotice problem={open.problem.value} />
          <ProblemNotice problem={uses.problem.value} />
          <MappingInputSelect
            {...{ uses: uses.value.value?.uses, input }}
            onChoose={(other) => {
              chosen.value = other;
              wanted.value = { number: 0 };
            }}
          />
          <LoadFieldsButton pipeline={pipeline} />
          <p class="to-yaml">
            <button type="button" class="quiet" onClick={() => document.getElementById('yaml-head')?.focus()}>
              Go to the YAML
            </button>
          </p>
        </section>
        <DraftQuestionList open={open} />
        {input !== undefined && (
          <>
            <RowCountsSection {...{ open, columns, counts, row, wanted, request }} />
            <ColumnList {...{ open, columns, counts, row, wanted, request }} />
          </>
        )}
      </div>
      <YamlEditorPane
        open={open}
        columns={() => columns.value.value?.columns.columns.map(({ name }) => name) ?? []}
      />
    </div>
  );
}

/** Returns the chosen pipeline, or the first one that uses the mapping; undefined if none does. */
function pipelineOf(input: MappingInput | undefined, uses: readonly MappingUse[]): string | undefined {
  return input?.kind === 'pipeline' ? input.path : uses[0]?.pipeline;
}

/** Returns the default input: that of the first pipeline that reads a file; undefined for none. */
function usualInput(uses: readonly MappingUse[]): MappingInput | undefined {
  const use = uses.find(({ input }) => input !== null);
  return use && { kind: 'pipeline', path: use.pipeline };
}
