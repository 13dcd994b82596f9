import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { MappingInput, MappingUse } from '../../wire/mapping.ts';
import { useAnswer } from '../hooks.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { hrefOf } from '../place.ts';
import { ColumnList } from './column-list.tsx';
import { CountsSection } from './counts-section.tsx';
import { EditorPane } from './editor-pane.tsx';
import { InputChoice } from './input-choice.tsx';
import { OpenMapping } from './open-mapping.ts';
import { Questions } from './questions.tsx';
import { SavedState } from './saved-state.tsx';
import { useFound } from './use-found.ts';

/** One mapping: what it makes of its input on the left, its text on the right, both in step. */
export function MappingPage({ path }: { readonly path: string }) {
  const [open] = useState(() => new OpenMapping(path));
  useEffect(() => () => open.close(), [open]);
  const uses = useAnswer('mappingUses', { path });
  const chosen = useSignal<MappingInput | undefined>(undefined);
  const number = useSignal(0);
  const input = chosen.value ?? usualInput(uses.value.value?.uses ?? []);
  const text = open.settled.value;
  const request = input === undefined || text === '' ? null : { input, path, text };
  const columns = useFound('mappingColumns', 'columns', input === undefined ? null : { input });
  const counts = useFound('mappingCounts', 'counts', request);
  const row = useFound('mappingRow', 'row', request && { ...request, number: number.value });
  return (
    <div class="mapping">
      <div class="mapping-left">
        <section aria-label="Mapping and input" class="mapping-head">
          <p class="path">
            <a href={hrefOf('mapping')}>All mappings</a> <b>{path}</b>
          </p>
          <SavedState open={open} />
          <ProblemNotice problem={open.problem.value} />
          <ProblemNotice problem={uses.problem.value} />
          <InputChoice
            {...{ uses: uses.value.value?.uses, input }}
            onChoose={(other) => {
              chosen.value = other;
              number.value = 0;
            }}
          />
        </section>
        <Questions open={open} />
        {input !== undefined && (
          <>
            <CountsSection {...{ counts, request }} onRow={(n) => (number.value = n)} />
            <ColumnList {...{ open, columns, counts, row, number, request }} />
          </>
        )}
      </div>
      <EditorPane
        open={open}
        columns={() => columns.value.value?.columns.columns.map(({ name }) => name) ?? []}
      />
    </div>
  );
}

/** The first pipeline that reads a file. */
function usualInput(uses: readonly MappingUse[]): MappingInput | undefined {
  const use = uses.find(({ input }) => input !== null);
  return use && { kind: 'pipeline', path: use.pipeline };
}
