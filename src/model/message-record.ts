import type { Contact } from './contact.ts';
import { toIsoTimestamp } from './contact-record.ts';
import { getMessageTimestamp, type Message } from './message.ts';
import { formatMessageText } from './message-text.ts';
import type { User } from './user.ts';

/** The columns of the list `messages`. */
export const messageColumns = [
  'id',
  'created',
  'direction',
  'sender',
  'type',
  'text',
  'channelId',
  'status',
] as const;

/** Lone surrogates, which cannot be sent and become U+FFFD, and NUL, which is removed. */
const unsendable = /\p{Surrogate}|\0/gu;

/**
 * Returns the messages of a contact as the JSON text of a list of records, each once, in the order of their ids,
 * which is their order in time.
 */
export function toMessageRecordsJson(
  messages: readonly Message[],
  contact: Contact,
  users: ReadonlyMap<string, User>,
): string {
  // A list that grows while it is read may contain a message twice.
  const once = new Map(messages.map((message) => [message.messageId, message]));
  const ordered = [...once.values()].sort((a, b) => a.messageId - b.messageId);
  return JSON.stringify(ordered.map((message) => toMessageRecord(message, contact, users)));
}

/** Returns a message as one flat record: the columns of the list `messages`. */
export function toMessageRecord(
  message: Message,
  contact: Contact,
  users: ReadonlyMap<string, User>,
): Readonly<Record<(typeof messageColumns)[number], unknown>> {
  const { messageId, channelId, traffic, message: content, status, sender } = message;
  return {
    id: messageId,
    created: toIsoTimestamp(getMessageTimestamp(message)),
    direction: traffic,
    sender: clean(traffic === 'incoming' ? nameOf(contact, 'contact') : senderName(sender, users)),
    type: content?.type ?? null,
    text: clean(formatMessageText(content ?? null)),
    channelId,
    status: lastOf(status)?.value ?? null,
  };
}

/** Returns the sender in the workspace: the user's name, or the source, such as a workflow. */
function senderName(sender: Message['sender'], users: ReadonlyMap<string, User>): string {
  const { source, userId } = sender ?? {};
  if (typeof userId !== 'string' && typeof userId !== 'number') return source ?? 'workspace';
  const user = users.get(String(userId));
  return user === undefined ? `user ${userId}` : nameOf(user, user.email);
}

function nameOf(
  { firstName, lastName }: { readonly firstName: string | null; readonly lastName: string | null },
  otherwise: string,
): string {
  return `${firstName ?? ''} ${lastName ?? ''}`.trim() || otherwise;
}

/**
 * Returns the latest status; of several from the same second, the last in the list. A missing time counts as the
 * earliest.
 */
function lastOf(status: Message['status']): Message['status'][number] | undefined {
  return status.reduce<Message['status'][number] | undefined>(
    (last, each) => ((each.timestamp ?? 0) >= (last?.timestamp ?? 0) ? each : last),
    undefined,
  );
}

function clean(text: string): string {
  return text.replace(unsendable, (sign) => (sign === '\0' ? '' : '\uFFFD'));
}
