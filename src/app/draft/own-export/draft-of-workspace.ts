import type { DraftPlace } from '../pipeline-text.ts';
import { finished } from '../result.ts';
import { draftFiles } from './draft-files.ts';
import { definedEntries, type FieldDefinition } from './field-entries.ts';

/** A workspace that is to be moved. */
export interface OldWorkspace {
  readonly baseUrl: string;
  /** The environment variable that holds its token. */
  readonly tokenEnv: string;
  readonly customFields: readonly FieldDefinition[];
}

const name = 'old-workspace';

/** Drafts how a workspace that is read itself goes into another one: the shipped mapping, with every custom field in it. */
export async function draftOfWorkspace(place: DraftPlace, workspace: OldWorkspace) {
  const { baseUrl, tokenEnv, customFields } = workspace;
  const options = { baseUrl, tokenEnv, messages: true };
  const { entries, leftOut } = definedEntries(customFields, () => undefined);
  const files = await draftFiles(place, name, {
    lines: [`Drafted from the workspace ${baseUrl}: ${customFields.length} custom fields.`],
    notes: [],
    fields: entries,
    messages: true,
    source: () => ({ format: 'workspace', ...options }),
  });
  const notes = [
    `Only the ${customFields.length} custom fields of the workspace were read.`,
    `The messages of a contact take at least one request; without messages: true in the pipeline, and comments in the mapping, no history is moved.`,
  ];
  return finished({ name, format: 'workspace', options, notes, leftOut }, files, null);
}
