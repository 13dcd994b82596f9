import type { CustomField } from '../../../model/custom-field.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import type { User } from '../../../model/user.ts';
import type { LoadedExportSettings } from '../../../pipeline/export-settings.ts';
import { readCustomFields } from '../../../steps/ensure-field.ts';
import type { Workspace } from '../../../workspace/index.ts';
import { readUsers } from '../../run/workspace-facts.ts';
import type { StagedExport } from '../staging/staging.ts';

/** The objects of a workspace that every export needs, whether it writes them or not. */
export interface UsersAndFields {
  readonly users: readonly User[];
  readonly customFields: readonly CustomField[];
}

/** Reads the users, who appear as senders of messages, and the custom fields, which become columns. */
export async function readUsersAndFields(workspace: Workspace): Promise<UsersAndFields> {
  const [users, customFields] = await Promise.all([readUsers(workspace), readCustomFields(workspace)]);
  return { users, customFields };
}

/**
 * Fetches the requested closing notes and templates into the staging file, unless it has them already; throws a
 * FatalError (usage) if the workspace does not list the templates of a channel.
 */
export async function fetchClosingNotesAndTemplates(
  { workspace, staging }: { readonly workspace: Workspace; readonly staging: StagedExport },
  { workspaceObjects, templates }: LoadedExportSettings,
): Promise<void> {
  if (staging.state.get().objects) return;
  if (workspaceObjects.includes('closingNotes')) {
    staging.setObjects('closingNotes', await all(workspace.paginate(workspace.closingNotes.list)));
  }
  const found: object[] = [];
  for (const channel of templates?.channels ?? []) {
    const list = workspace.paginate(async (page) => {
      const answer = await workspace.templates.list(channel, page);
      const isRefused = answer.kind === 'refused' && answer.status !== 429;
      if (answer.kind === 'absent' || isRefused) throw noChannel(channel, answer.message);
      return answer;
    });
    // An answer may omit the channel of a template.
    for (const template of await all(list))
      found.push({ ...template, channelId: template.channelId ?? channel });
  }
  staging.setObjects('templates', found);
  staging.state.set({ objects: true });
}

function noChannel(channel: number, message: string): FatalError {
  return new FatalError(
    'usage',
    `the workspace does not list the templates of channel ${channel} (${message}).`,
    {
      place: { key: 'export.templates.channels' },
      next: 'Remove the channel from templates.channels, or check its number in the workspace settings.',
    },
  );
}

async function all<T>(pages: AsyncIterable<{ readonly items: readonly T[] }>): Promise<T[]> {
  const found: T[] = [];
  for await (const { items } of pages) found.push(...items);
  return found;
}
