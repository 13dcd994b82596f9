import type { Contact } from '../../model/contact.ts';
import { contactRecord } from '../../model/contact-record.ts';
import type { LiveWorkspace } from '../../model/ports.ts';
import type { ListFacts } from '../../model/row.ts';
import { ColumnUnion } from '../column-union.ts';
import { contactItem } from './contact-row.ts';
import { type WorkspaceOptions, workspaceOptions } from './options.ts';
import { listsOf } from './source.ts';

const nobody: Contact = {
  id: 0,
  ...{ firstName: null, lastName: null, email: null, phone: null, language: null, profilePic: null },
  ...{ countryCode: null, custom_fields: [], status: null, tags: [], assignee: null, lifecycle: null },
  created_at: null,
  isBlocked: false,
};

/** What a workspace's contacts have, without copying them: from its custom fields and the first page of its contacts. */
export async function workspaceColumns(
  workspace: LiveWorkspace,
  options: unknown,
): Promise<{ readonly columns: readonly string[]; readonly lists: readonly ListFacts[] }> {
  const { messages }: Pick<WorkspaceOptions, 'messages'> = workspaceOptions
    .pick({ messages: true })
    .loose()
    .parse(options);
  const fieldNames = await workspace.customFields();
  const columns = new ColumnUnion();
  for (const contact of [nobody, ...(await firstPage(workspace))]) {
    const copied = { seq: 1, id: contact.id, json: contactRecord(contact, fieldNames), messages: null };
    const item = contactItem(copied, Number.POSITIVE_INFINITY);
    if (item.kind === 'row') columns.add(item);
  }
  return { columns: columns.names() ?? [], lists: listsOf({ messages }) };
}

async function firstPage(workspace: LiveWorkspace): Promise<readonly Contact[]> {
  for await (const { items } of workspace.contacts()) return items;
  return [];
}
