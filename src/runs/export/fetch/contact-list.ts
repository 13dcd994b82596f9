import type { ContactListQuery } from '../../../workspace/endpoints/contacts.ts';
import type { Workspace } from '../../../workspace/index.ts';
import type { LoadedExport } from '../../pipeline/export-settings.ts';
import type { MessageMark, Staging } from '../staging/staging.ts';

/** Reads the contact list from where it was left, a page a commit, and calls `more` after each. */
export async function fetchContacts(
  { workspace, staging }: { readonly workspace: Workspace; readonly staging: Staging },
  settings: LoadedExport,
  markOf: (id: number) => MessageMark,
  more: () => void,
): Promise<void> {
  const { listed, listCursor } = staging.state.get();
  if (listed) return;
  const query = queryOf(settings);
  // Ahead of the messages that are read beside it: everything waits for the list.
  const list = (page: ContactListQuery) =>
    workspace.contacts.listGiven({ ...query, ...page }, { urgent: true });
  const from = listCursor === null ? {} : { cursor: listCursor };
  const reads = settings.messages !== undefined;
  for await (const { items, next } of workspace.paginate(list, from)) {
    staging.addContacts(items, { next, markOf, reads });
    more();
  }
}

function queryOf({ contacts, timezone }: LoadedExport): ContactListQuery {
  const filter = contacts?.filter ?? [];
  return {
    timezone,
    filter: { $and: filter },
    ...(contacts?.search !== undefined && { search: contacts.search }),
  };
}
