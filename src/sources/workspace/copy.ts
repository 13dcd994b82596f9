import type { Contact } from '../../model/contact.ts';
import { contactRecord } from '../../model/contact-record.ts';
import { messageRecords } from '../../model/message-record.ts';
import type { LiveInput, LiveWorkspace } from '../../model/ports.ts';
import type { User } from '../../model/user.ts';
import type { CopiedContact, CopyFile } from './copy-file.ts';

/** Pages whose messages are read at the same time, so that one contact with many holds nobody else up. */
const pagesUnderWay = 4;

const tellEveryMs = 10_000;

interface CopyPage {
  readonly contacts: readonly CopiedContact[];
  readonly next: string | null;
}

/** Copies what is missing of a workspace's contacts, page by page; whoever kills it loses no page that is on disk. */
export async function copyWorkspace(
  live: LiveInput,
  file: CopyFile,
  { messages }: { readonly messages: boolean },
  signal: AbortSignal,
): Promise<void> {
  const workspace = await live.open();
  try {
    const { cursor } = file.state;
    if (cursor !== null) live.tell(`Copying continues after ${copied(file.count(), live.name)}.`);
    const told = new Telling(live, file.count());
    const make = await recordMaker(workspace, messages);
    for await (const { contacts, next } of inTurn(workspace, cursor, make)) {
      signal.throwIfAborted();
      told.more(file.add(contacts, next));
    }
    file.finish();
  } finally {
    await workspace.close();
  }
}

type MakeRecord = (contact: Contact) => Promise<CopiedContact>;

async function recordMaker(workspace: LiveWorkspace, messages: boolean): Promise<MakeRecord> {
  const fieldNames = await workspace.customFields();
  const users = new Map<string, User>();
  if (messages) for (const user of await workspace.users()) users.set(String(user.id), user);
  return async (contact) => ({
    id: contact.id,
    json: contactRecord(contact, fieldNames),
    messages: messages ? messageRecords(await workspace.messages(contact.id), contact, users) : null,
  });
}

/** The pages in the list's order; messages of a few pages are read at the same time. */
async function* inTurn(
  workspace: LiveWorkspace,
  cursor: string | null,
  make: MakeRecord,
): AsyncGenerator<CopyPage, void, void> {
  const underWay: Promise<CopyPage>[] = [];
  let failed: { readonly error: unknown } | undefined;
  for await (const listed of untilError(workspace.contacts(cursor ?? undefined))) {
    if ('error' in listed) {
      failed = listed;
      continue;
    }
    const { items, next } = listed;
    const page = Promise.all(items.map(make)).then((contacts) => ({ contacts, next }));
    // What goes wrong is thrown when its turn comes.
    page.catch(() => undefined);
    underWay.push(page);
    const first = underWay.length < pagesUnderWay ? undefined : underWay.shift();
    if (first !== undefined) yield await first;
  }
  for (const page of underWay) yield await page;
  if (failed !== undefined) throw failed.error;
}

/** What came before the list broke off counts: the error comes as the last item. */
async function* untilError<T>(
  list: AsyncIterable<T>,
): AsyncGenerator<T | { readonly error: unknown }, void, void> {
  try {
    yield* list;
  } catch (error) {
    yield { error };
  }
}

/** Says from time to time how far the copying is. */
class Telling {
  readonly #live: LiveInput;
  #count: number;
  #at: number;

  constructor(live: LiveInput, count: number) {
    this.#live = live;
    this.#count = count;
    this.#at = live.clock.now();
  }

  more(contacts: number): void {
    this.#count += contacts;
    const now = this.#live.clock.now();
    if (now - this.#at < tellEveryMs) return;
    this.#at = now;
    this.#live.tell(`Copied ${copied(this.#count, this.#live.name)} so far.`);
  }
}

/** `12,345 contacts of https://…`. */
export function copied(count: number, name: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'contact' : 'contacts'} of ${name}`;
}
