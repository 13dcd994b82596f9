import { setImmediate } from 'node:timers/promises';
import type { Contact } from '../../model/contact.ts';
import { toContactRecordJson } from '../../model/contact-record.ts';
import { messageColumns } from '../../model/message-record.ts';
import type { LiveWorkspace, LiveWorkspaceInput } from '../../model/ports.ts';
import type { InputFacts, NestedListFacts, Source, SourceItem } from '../../model/row.ts';
import { removeDatabase } from '../../storage/sqlite.ts';
import { parseJsonArrayRows } from '../json/array-rows.ts';
import { toJsonSourceItem } from '../json/items.ts';
import { createFingerprintHash, createInputError } from '../plain-file.ts';
import { ColumnUnion } from '../rows.ts';
import { defineSourceFormat, type SourceFormat, type SourceInput } from '../source-format.ts';
import {
  ContactCopyFile,
  type CopiedContactRow,
  copyWorkspaceContacts,
  formatContactCount,
  resolveContactCopyPath,
} from './copy-file.ts';
import { type WorkspaceOptions, workspaceOptionsSchema } from './options.ts';

/** The name of the list that holds a contact's messages. */
const messageList = 'messages';

/** Converts a copied contact to a row, with its messages as a list. */
function contactItem({ seq, json, messages }: CopiedContactRow, maxRowBytes: number): SourceItem {
  const problem = Buffer.byteLength(json) > maxRowBytes ? 'tooLarge' : null;
  const item = toJsonSourceItem(
    { line: seq, text: json, problem },
    {
      nulls: [],
      without: [],
      loneSurrogates: 'replace',
      maxRowBytes,
    },
  );
  if (item.kind !== 'row' || messages === null) return item;
  return {
    kind: 'row',
    line: item.line,
    cell: (column) => item.cell(column),
    entries: () => item.entries(),
    list: (name) => (name === messageList ? parseJsonArrayRows(messages) : item.list?.(name)),
  };
}

const batch = { rows: 256, characters: 4 * 1024 * 1024 };

/**
 * Creates the source of a live workspace: copies it once and reads the copy; requests nothing before `inspect` or
 * `read`.
 */
function workspaceSource(options: WorkspaceOptions, { live, spoolDir }: SourceInput): Source {
  if (live === undefined) throw new Error('The format "workspace" is opened with a live workspace.');
  const path = resolveContactCopyPath(spoolDir, live.purpose);
  return {
    async inspect(signal) {
      signal.throwIfAborted();
      const copy = copyOf(live, path);
      try {
        const { whole, begunAt } = copy.state;
        if (!whole) await copyWorkspaceContacts(live, copy, options, signal);
        if (copy.count() > 0)
          return await factsOf(copy, options, live.name, whole ? begunAt : undefined, signal);
      } finally {
        copy.close();
      }
      removeDatabase(path);
      const next = 'Check that it is the right workspace.';
      throw createInputError(live.name, 'has no contact that the token can read', next);
    },
    async *read(from, signal) {
      const copy = ContactCopyFile.open(path);
      if (copy === undefined)
        throw createInputError(live.name, 'was copied, but the copy is gone', 'Start over with --fresh.');
      try {
        for await (const rows of rowsOf(copy, from, signal))
          yield rows.map((row) => contactItem(row, options.maxRowBytes));
      } finally {
        copy.close();
      }
    },
  };
}

/** Opens the copy that the run continues, or creates a new one. */
function copyOf(live: LiveWorkspaceInput, path: string): ContactCopyFile {
  const earlier = ContactCopyFile.open(path);
  if (earlier !== undefined) {
    if (live.keeps(earlier.state)) return earlier;
    earlier.close();
  }
  return ContactCopyFile.create(path, live.clock.now());
}

async function* rowsOf(
  copy: ContactCopyFile,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<readonly CopiedContactRow[]> {
  for (let done = from; ; ) {
    signal.throwIfAborted();
    const rows = copy.after(done, batch);
    if (rows.length === 0) return;
    yield rows;
    done += rows.length;
    // The reading is synchronous; a turn of the event loop lets abort signals arrive.
    await setImmediate();
  }
}

async function factsOf(
  copy: ContactCopyFile,
  options: WorkspaceOptions,
  name: string,
  copiedBefore: number | undefined,
  signal: AbortSignal,
): Promise<InputFacts> {
  const { messages, maxRowBytes } = options;
  const hash = createFingerprintHash(['workspace', messages, maxRowBytes]);
  const columns = new ColumnUnion();
  let items = 0;
  let bytes = 0;
  for await (const rows of rowsOf(copy, 0, signal)) {
    for (const row of rows) {
      const text = `${row.json}\n${row.messages ?? ''}\n`;
      hash.update(text);
      bytes += Buffer.byteLength(text);
      const item = contactItem(row, maxRowBytes);
      if (item.kind === 'row') columns.add(item);
    }
    items += rows.length;
  }
  const note = `Copied ${formatContactCount(items, name)}${messages ? ' with their messages' : ''}`;
  const when = copiedBefore === undefined ? '' : ` at ${minuteOf(copiedBefore)}: that copy is read`;
  const fingerprint = hash.digest('hex');
  const lists = listsOf(options);
  return { name, bytes, fingerprint, items, columns: columns.names(), lists, notes: [`${note}${when}.`] };
}

/** Returns the lists that the rows have: the messages, if they are copied. */
function listsOf({ messages }: Pick<WorkspaceOptions, 'messages'>): readonly NestedListFacts[] {
  return messages ? [{ name: messageList, columns: messageColumns }] : [];
}

function minuteOf(timestamp: number): string {
  return `${new Date(timestamp).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const format = defineSourceFormat({
  name: 'workspace',
  extensions: [],
  words: {
    reads: 'The contacts of another workspace of this interface, by its address and its token.',
    columns:
      '`id`, `firstName`, `lastName`, `email`, `phone`, `language`, `countryCode`, `profilePic`, `lifecycle`, `assignee.id`, `assignee.email`, `assignee.firstName`, `assignee.lastName`, `status`, `isBlocked`, `created`, `tags[]`, `customFields.NAME`, and the list `messages`.',
    line: "The contact's number in the copy.",
  },
  options: workspaceOptionsSchema,
  live: true,
  lists: (options) => listsOf(options).map(({ name }) => name),
  open: workspaceSource,
});

/** The format `workspace`, without the options of packed inputs. */
export const workspaceSourceFormat: SourceFormat = {
  ...format,
  options: format.options.omit({ member: true, maxUnpacked: true }),
};

const emptyContact: Contact = {
  id: 0,
  ...{ firstName: null, lastName: null, email: null, phone: null, language: null, profilePic: null },
  ...{ countryCode: null, custom_fields: [], status: null, tags: [], assignee: null, lifecycle: null },
  created_at: null,
  isBlocked: false,
};

/**
 * Returns the columns and lists of a workspace's contacts without a copy: from its custom fields and the first page.
 */
export async function readWorkspaceColumns(
  workspace: LiveWorkspace,
  options: unknown,
): Promise<{ readonly columns: readonly string[]; readonly lists: readonly NestedListFacts[] }> {
  const { messages }: Pick<WorkspaceOptions, 'messages'> = workspaceOptionsSchema
    .pick({ messages: true })
    .loose()
    .parse(options);
  const fieldNames = await workspace.customFields();
  const columns = new ColumnUnion();
  for (const contact of [emptyContact, ...(await firstPage(workspace))]) {
    const copied = { seq: 1, id: contact.id, json: toContactRecordJson(contact, fieldNames), messages: null };
    const item = contactItem(copied, Number.POSITIVE_INFINITY);
    if (item.kind === 'row') columns.add(item);
  }
  return { columns: columns.names() ?? [], lists: listsOf({ messages }) };
}

async function firstPage(workspace: LiveWorkspace): Promise<readonly Contact[]> {
  for await (const { items } of workspace.contacts()) return items;
  return [];
}
