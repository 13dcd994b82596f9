import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FoundFields } from '../../wire/mapping.ts';
import { call } from '../call.ts';
import { counted } from '../figures.ts';
import { CommandResult } from '../parts/command-result.tsx';

/** What workspaces have said of their custom fields, by the pipeline that names them, as long as the page is open. */
const known = signal<ReadonlyMap<string, FoundFields>>(new Map());

/** The pipeline that the page is about. */
const asked = signal<string | undefined>(undefined);

/** The custom fields of its workspace; none before it was asked. */
export const workspaceFields = computed(() => known.value.get(asked.value ?? '')?.fields ?? []);

/** Asks the workspace for its custom fields, which are then in the lists of targets. */
export function AskFields({ pipeline }: { readonly pipeline: string | undefined }) {
  useEffect(() => {
    asked.value = pipeline;
  }, [pipeline]);
  if (pipeline === undefined) return null;
  const before = known.value.get(pipeline);
  return (
    <div class="ask-fields">
      <CommandResult
        key={pipeline}
        command={{ command: 'fields', pipeline }}
        label={before === undefined ? 'Ask the workspace for its custom fields' : 'Ask again'}
        busy="Asking the workspace…"
        load={async (id) => {
          const answer = await call('workspaceFields', { id });
          if (answer.found !== null) known.value = new Map([...known.value, [pipeline, answer.found]]);
          return answer;
        }}
        show={() => null}
      />
      {before !== undefined && (
        <p class="note" role="status">
          {before.workspace} has {counted(before.fields.length, 'custom field')}, which are in the lists of
          targets.
        </p>
      )}
    </div>
  );
}
