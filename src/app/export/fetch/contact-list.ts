import { type CommandFactory, hint } from '../../../model/command.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import type { LoadedExportSettings } from '../../../pipeline/export-settings.ts';
import type { ContactListQuery, Workspace } from '../../../workspace/index.ts';
import type { ContactWithMessagesToRead, MessageSyncPoint, StagedExport } from '../staging/staging.ts';

const batch = 256;

/**
 * A queue of the listed contacts whose messages are to be read, in order; `next` waits while the list is still being
 * read.
 */
export class MessageFetchQueue {
  readonly #staging: StagedExport;
  #batch: readonly ContactWithMessagesToRead[] = [];
  #index = 0;
  #last = 0;
  #ended = false;
  #more: PromiseWithResolve = withResolve();

  constructor(staging: StagedExport) {
    this.#staging = staging;
  }

  /** Ends the queue: the contact list was read to its end, or failed. */
  end(): void {
    this.#ended = true;
    this.wake();
  }

  /** Wakes the waiting readers after contacts were added. */
  wake(): void {
    this.#more.resolve();
    this.#more = withResolve();
  }

  /** Returns the next contact, waiting for one if necessary; undefined when the queue has ended. */
  async next(signal: AbortSignal): Promise<ContactWithMessagesToRead | undefined> {
    for (;;) {
      signal.throwIfAborted();
      const contact = this.#take();
      if (contact !== undefined) return contact;
      if (this.#ended) return undefined;
      await this.#more.promise;
    }
  }

  #take(): ContactWithMessagesToRead | undefined {
    if (this.#index >= this.#batch.length) {
      this.#batch = this.#staging.toRead(this.#last, batch);
      this.#index = 0;
    }
    const contact = this.#batch[this.#index];
    if (contact === undefined) return undefined;
    this.#index += 1;
    this.#last = contact.seq;
    return contact;
  }
}

interface PromiseWithResolve {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function withResolve(): PromiseWithResolve {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** The workspace to list contacts of, the staging file to fill, and the pipeline that errors refer to. */
export interface ContactListContext {
  readonly workspace: Workspace;
  readonly staging: StagedExport;
  /** The path of the pipeline file. */
  readonly file: string;
  readonly command: CommandFactory;
}

/** Reads the contact list from the saved cursor on, commits each page to the staging file and calls `more` after it. */
export async function fetchContacts(
  { workspace, staging, ...pipeline }: ContactListContext,
  settings: LoadedExportSettings,
  syncOf: (id: number) => MessageSyncPoint,
  more: () => void,
): Promise<void> {
  const { listed, listCursor } = staging.state.get();
  if (listed) return;
  const query = queryOf(settings);
  // The list has priority over the message reads that run in parallel: they depend on it.
  const list = async (page: ContactListQuery) => {
    const answer = await workspace.contacts.listLossless({ ...query, ...page }, { urgent: true });
    if (answer.kind === 'refused' && answer.status !== 429) throw refusal(answer, settings, pipeline);
    return answer;
  };
  const from = listCursor === null ? {} : { cursor: listCursor };
  const reads = settings.messages !== undefined;
  for await (const { items, next, flaws } of workspace.paginate(list, from)) {
    staging.addContacts(items, { next, syncOf, reads, flaws });
    more();
  }
}

/**
 * Returns the error for a refused contact list: the token lacks the permission, or the filter is invalid. A retry fixes
 * neither.
 */
function refusal(
  { status, message }: { readonly status: number; readonly message: string },
  { contacts }: LoadedExportSettings,
  { file, command }: Pick<ContactListContext, 'file' | 'command'>,
): FatalError {
  if (status === 403) {
    return new FatalError(
      'unauthorized',
      `403: the token lacks permission for POST /contact/list (${message}).`,
      {
        next: 'Give the token this permission in the workspace settings: Integrations, Developer API.',
      },
    );
  }
  const chosen = (contacts?.filter.length ?? 0) > 0 || contacts?.search !== undefined;
  const what = chosen ? 'the filter or the search term of the contacts' : 'to list contacts';
  return new FatalError('usage', `the workspace refuses ${what} (${status} ${message}).`, {
    place: { file, key: 'export.contacts' },
    next: hint`To find the problem: ${command('check', file, '--online')}`,
  });
}

function queryOf({ contacts, timezone }: LoadedExportSettings): ContactListQuery {
  const filter = contacts?.filter ?? [];
  return {
    timezone,
    filter: { $and: filter },
    ...(contacts?.search !== undefined && { search: contacts.search }),
  };
}
