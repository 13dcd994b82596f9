import type { Contact } from '../../../model/contact.ts';
import { toContactRecord, toIsoTimestamp } from '../../../model/contact-record.ts';
import type { ExportRecord } from '../../../model/export-record.ts';
import type { Message } from '../../../model/message.ts';
import { toMessageRecord } from '../../../model/message-record.ts';
import { formatMessageText } from '../../../model/message-text.ts';
import type { User } from '../../../model/user.ts';
import { contactSchema, messageSchema } from '../../../workspace/index.ts';

export type LosslessRecord = Readonly<Record<string, unknown>>;

/** Parses a contact that was kept as the interface sent it; throws a ZodError if it is not one. */
export function parseContact(given: LosslessRecord): Contact {
  return contactSchema.parse(given);
}

/** Returns the export record of a contact; `fieldNames` are those of all custom fields of the workspace. */
export function toContactExportRecord(given: LosslessRecord, fieldNames: readonly string[]): ExportRecord {
  return { given, normal: toContactRecord(parseContact(given), fieldNames) };
}

/** Returns the export record of a message of a contact; `users` maps user ids to users. */
export function toMessageExportRecord(
  given: LosslessRecord,
  contact: Contact,
  users: ReadonlyMap<string, User>,
): ExportRecord {
  const message = messageSchema.parse(given);
  const { channelMessageId, contactId, sender, status } = message;
  const content: Readonly<Record<string, unknown>> = message.message ?? {};
  const { pendingAt, sentAt, deliveredAt, readAt, failedAt, failure } = statusTimes(status);
  // The properties are listed one by one: a record built by spreading objects takes 9 kB, and most of the time of
  // writing messages.
  const {
    id,
    created,
    direction,
    sender: from,
    type,
    channelId,
    status: last,
  } = toMessageRecord(message, contact, users);
  return {
    given,
    normal: {
      id,
      created,
      direction,
      sender: from,
      type,
      // Unlike the text that `toMessageRecord` returns, this one keeps lone surrogates and NUL.
      text: formatMessageText(message.message ?? null),
      channelId,
      status: last,
      contactId,
      senderSource: sender?.source ?? null,
      senderUserId: textOf(sender?.userId),
      senderTeamId: textOf(sender?.teamId),
      messageTag: textOf(content.messageTag),
      channelMessageId: textOf(channelMessageId),
      pendingAt,
      sentAt,
      deliveredAt,
      readAt,
      failedAt,
      failure,
      // The content is kept unchanged if it is more than plain text.
      message: isPlainText(content) ? null : (message.message ?? null),
    },
  };
}

const plain = new Set(['type', 'text', 'messageTag']);

function isPlainText(content: Readonly<Record<string, unknown>>): boolean {
  return (content.type ?? 'text') === 'text' && Object.keys(content).every((key) => plain.has(key));
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** Returns the latest time of each status (ISO 8601), and the reason of a failed delivery; null for a missing one. */
function statusTimes(status: Message['status']) {
  const latest = new Map<string, number>();
  let failure: string | null = null;
  for (const { value, timestamp, message } of status) {
    if (typeof timestamp === 'number') latest.set(value, Math.max(timestamp, latest.get(value) ?? timestamp));
    if (value === 'failed') failure = message ?? null;
  }
  const at = (value: string) => toIsoTimestamp(latest.get(value));
  return {
    pendingAt: at('pending'),
    sentAt: at('sent'),
    deliveredAt: at('delivered'),
    readAt: at('read'),
    failedAt: at('failed'),
    failure,
  };
}
