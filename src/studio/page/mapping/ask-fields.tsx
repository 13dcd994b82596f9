import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { WorkspaceFieldList } from '../../wire/mapping.ts';
import { callRoute } from '../call.ts';
import { formatCountWithNoun } from '../figures.ts';
import { CommandWithResult } from '../parts/command-result.tsx';

/** The custom fields of workspaces, by pipeline; kept until the page is closed. */
const known = signal<ReadonlyMap<string, WorkspaceFieldList>>(new Map());

/** The pipeline of the open mapping. */
const asked = signal<string | undefined>(undefined);

/** The custom fields of the workspace of the open mapping's pipeline; empty until they are loaded. */
export const workspaceFields = computed(() => known.value.get(asked.value ?? '')?.fields ?? []);

/**
 * A button that loads the custom fields of a pipeline's workspace into the lists of targets; nothing without a
 * pipeline.
 */
export function LoadFieldsButton({ pipeline }: { readonly pipeline: string | undefined }) {
  useEffect(() => {
    asked.value = pipeline;
  }, [pipeline]);
  if (pipeline === undefined) return null;
  const before = known.value.get(pipeline);
  return (
    <div class="ask-fields">
      <CommandWithResult
        key={pipeline}
        command={{ command: 'fields', pipeline }}
        label={before === undefined ? 'Ask the workspace for its custom fields' : 'Ask again'}
        busy="Asking the workspace…"
        load={async (id) => {
          const answer = await callRoute('workspaceFields', { id });
          if (answer.found !== null) known.value = new Map([...known.value, [pipeline, answer.found]]);
          return answer;
        }}
        show={() => null}
      />
      {before !== undefined && (
        <p class="note" role="status">
          {before.workspace} has {formatCountWithNoun(before.fields.length, 'custom field')}, which are in the
          lists of targets.
        </p>
      )}
    </div>
  );
}
