import type { AnswerFlaw, WorkspaceAnswer } from '../../../model/answer.ts';
import { idToIdentifier } from '../../../model/identifier.ts';
import { getMessageTimestamp, type Message } from '../../../model/message.ts';
import type { Lossless, Page, Workspace } from '../../../workspace/index.ts';
import type { ContactWithMessagesToRead, StagedExport, StagedMessage } from '../staging/staging.ts';
import { hashContent } from '../sync-state/content-hash.ts';

export interface MessageFetchContext {
  readonly workspace: Workspace;
  readonly staging: StagedExport;
  readonly signal: AbortSignal;
  /** Returns the content hash of a message in the previous export; undefined if the message is not compared. */
  readonly knownContent: (messageId: number) => string | undefined;
}

type MessagePage = Page<Lossless<Message>>;

/** Fetches a contact's messages with ids above its floor; each page is committed with the cursor of the next one. */
export async function fetchContactMessages(
  reading: MessageFetchContext,
  contact: ContactWithMessagesToRead,
): Promise<void> {
  const { staging } = reading;
  const asked = new Set<string>();
  const span = new IdSpan();
  let cursor = contact.cursor ?? firstCursor(reading, contact);
  for (;;) {
    const answer = await askPage(reading, contact, cursor);
    if (answer.kind === 'absent') return staging.endReading(contact, 'gone', null);
    if (answer.kind !== 'ok') return staging.endReading(contact, 'unreadable', answer.message);
    const page = answer.value;
    const order = noteOrder(staging, page);
    if (order === 'newest' && cursor === String(contact.floor) && reachesBelow(page, contact.floor)) {
      // The request started at the floor, as for an oldest-first list, but this list is newest-first: start at its
      // head.
      span.forget();
      cursor = null;
      continue;
    }
    const next = nextCursor(page, contact, order);
    const last = next === null || asked.has(next);
    const isNew = span.grows(page.items.map(({ value }) => value.messageId));
    if (!last && !isNew) return staging.endReading(contact, 'unreadable', endless);
    const reason = answer.flaws === undefined ? null : damage(answer.flaws);
    staging.addMessages(contact, newOnes(reading, contact, page), last ? null : next, reason);
    if (last) return;
    asked.add(next);
    cursor = next;
  }
}

const endless = 'the list of its messages does not end: several pages in a row had no new one';

function damage(flaws: readonly AnswerFlaw[]): string {
  return `messages: ${[...new Set(flaws.map(({ reason }) => reason))].join('; ')}`;
}

/** The range of message ids seen so far. Messages are listed by id, so a page with a new message extends it. */
class IdSpan {
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;
  #emptyHanded = 0;

  /** Adds the ids of a page; returns false after two pages in a row without a new id. */
  grows(ids: readonly number[]): boolean {
    const isNew = ids.some((id) => id < this.#least || id > this.#most);
    for (const id of ids) {
      this.#least = Math.min(this.#least, id);
      this.#most = Math.max(this.#most, id);
    }
    this.#emptyHanded = isNew ? 0 : this.#emptyHanded + 1;
    return this.#emptyHanded < mostEmptyHanded;
  }

  forget(): void {
    this.#least = Number.POSITIVE_INFINITY;
    this.#most = Number.NEGATIVE_INFINITY;
    this.#emptyHanded = 0;
  }
}

const mostEmptyHanded = 2;

/** Returns the cursor to begin at: the floor, for an incremental read of an oldest-first list; otherwise null. */
function firstCursor({ staging }: MessageFetchContext, { floor }: ContactWithMessagesToRead): string | null {
  return floor > 0 && staging.state.get().order === 'oldest' ? String(floor) : null;
}

async function askPage(
  { workspace }: MessageFetchContext,
  { id }: ContactWithMessagesToRead,
  cursor: string | null,
): Promise<WorkspaceAnswer<MessagePage>> {
  return await workspace.messages.listLossless(idToIdentifier(id), cursor === null ? {} : { cursor });
}

/**
 * Derives the order of the list from the ids of a page, and saves it; returns the known order if the page does not show
 * it.
 */
function noteOrder(staging: StagedExport, { items }: MessagePage): 'newest' | 'oldest' | null {
  const known = staging.state.get().order;
  const first = items[0]?.value.messageId;
  const last = items.at(-1)?.value.messageId;
  if (first === undefined || last === undefined || first === last) return known;
  const order = first > last ? 'newest' : 'oldest';
  if (order !== known) staging.state.set({ order });
  return order;
}

function reachesBelow({ items }: MessagePage, floor: number): boolean {
  return items.some(({ value }) => value.messageId < floor);
}

/** Returns the cursor of the next page; null if all messages above the floor were seen. */
function nextCursor(
  { items, next }: MessagePage,
  { floor }: ContactWithMessagesToRead,
  order: string | null,
): string | null {
  if (next === null || floor === 0) return next;
  const ids = items.map(({ value }) => value.messageId);
  if (order === 'newest') return ids.some((id) => id <= floor) ? null : next;
  // The messages between this page and the floor are known: continue at the floor.
  return order === 'oldest' && ids.every((id) => id < floor) ? String(floor) : next;
}

function newOnes(
  { knownContent }: MessageFetchContext,
  { known, floor }: ContactWithMessagesToRead,
  { items }: MessagePage,
): readonly StagedMessage[] {
  return items.flatMap(({ value, given }) => {
    const { messageId } = value;
    if (messageId <= floor) return [];
    const updated = messageId <= known;
    if (updated) {
      const before = knownContent(messageId);
      // Only messages whose status may still change have a saved hash; an older known message is not exported again.
      if (before === undefined || before === hashContent(given)) return [];
    }
    return [{ id: messageId, at: getMessageTimestamp(value), updated, given: JSON.stringify(given) }];
  });
}
