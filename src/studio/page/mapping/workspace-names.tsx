import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { WorkspaceNames } from '../../wire/mapping.ts';
import { callRoute } from '../call.ts';
import { t } from '../language.ts';
import { CommandWithResult } from '../parts/command-result.tsx';
import { StatusNote } from '../parts/notice.tsx';
import { project, worksInSandbox, workspaceOfTab } from '../project.ts';

/** The names in workspaces, by pipeline and connected workspace; kept until the page is closed. */
const known = signal<ReadonlyMap<string, WorkspaceNames>>(new Map());

/** The pipeline of the open mapping, with the connected workspace. */
const asked = signal<string | undefined>(undefined);

/** The names in the workspace of the open mapping's pipeline; undefined until they are loaded. */
const names = computed(() => known.value.get(asked.value ?? ''));

/** The custom fields of that workspace. */
export const workspaceFields = computed(() => names.value?.fields ?? []);

/** The users of that workspace. */
export const workspaceUsers = computed(() => names.value?.users ?? []);

/** The stages of that workspace's first contacts. */
export const workspaceStages = computed(() => names.value?.stages ?? []);

/** The ids of the lists of suggestions for fields, by the target whose values they are for. */
const suggestionsByTarget: Readonly<Record<string, string>> = {
  assignee: 'workspace-users',
  lifecycle: 'workspace-stages',
};

/** Returns the id of the list of suggestions for the values of a target; undefined if there is none. */
export function suggestionsFor(target: string): string | undefined {
  return names.value === undefined ? undefined : suggestionsByTarget[target];
}

/**
 * A button that loads the names in the workspace of a pipeline into the lists of the page, and the lists themselves;
 * nothing without a pipeline. A connected workspace is asked at once.
 */
export function WorkspaceNamesButton({ pipeline }: { readonly pipeline: string | undefined }) {
  const place = pipeline && JSON.stringify([pipeline, worksInSandbox.value, project.value.workspace]);
  useEffect(() => {
    asked.value = place;
  }, [place]);
  if (pipeline === undefined || place === undefined) return null;
  const before = known.value.get(place);
  return (
    <div>
      <CommandWithResult
        key={JSON.stringify([pipeline, project.value.workspace])}
        command={{ command: 'fields', pipeline, ...workspaceOfTab(), all: true }}
        label={before === undefined ? t('Ask the workspace for its fields and users') : t('Ask again')}
        busy={t('Asking the workspace…')}
        startsItself={before === undefined && project.value.workspace !== null}
        load={async (id) => {
          const answer = await callRoute('workspaceNames', { id });
          if (answer.found !== null) known.value = new Map([...known.value, [place, answer.found]]);
          return answer;
        }}
        show={() => null}
      />
      {before !== undefined && <StatusNote>{describeNames(before)}</StatusNote>}
      <datalist id={suggestionsByTarget.assignee}>
        {before?.users?.map(({ id, email, firstName, lastName }) => (
          <option key={id} value={email} label={`${firstName} ${lastName}`} />
        ))}
      </datalist>
      <datalist id={suggestionsByTarget.lifecycle}>
        {before?.stages?.map((stage) => (
          <option key={stage} value={stage} />
        ))}
      </datalist>
    </div>
  );
}

function describeNames({ workspace, fields, users, stages }: WorkspaceNames): string {
  const found =
    users === null
      ? t(
          '{workspace, select, sandbox {The local sandbox} other {{workspace}}} has {fields, plural, one {# custom field} other {# custom fields}}, which are in the lists. Its users are not known, because the token may not list them.',
          { workspace, fields: fields.length },
        )
      : t(
          '{workspace, select, sandbox {The local sandbox} other {{workspace}}} has {fields, plural, one {# custom field} other {# custom fields}} and {users, plural, one {# user} other {# users}}, which are in the lists.',
          { workspace, fields: fields.length, users: users.length },
        );
  const seen =
    stages === null || stages.length === 0
      ? t('Its stages are not known: none of the contacts that it lists first has one.')
      : t('Its first contacts have {n, plural, one {one stage} other {# stages}}.', { n: stages.length });
  return `${found} ${seen}`;
}
