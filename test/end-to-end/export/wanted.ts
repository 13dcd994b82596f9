import { z } from 'zod';
import type { ExportColumn, ExportKind } from '../../../src/model/export-record.ts';
import { formatMessageText } from '../../../src/model/message-text.ts';
import type { Planted, Thing } from './planted.ts';

const message = z.looseObject({
  messageId: z.number(),
  contactId: z.number(),
  traffic: z.string(),
  channelMessageId: z.union([z.string(), z.number()]).nullish(),
  message: z
    .looseObject({
      type: z.string().optional(),
      text: z.string().optional(),
      messageTag: z.string().optional(),
    })
    .nullable(),
  status: z.array(z.object({ value: z.string(), timestamp: z.number(), message: z.string().optional() })),
  sender: z
    .looseObject({ source: z.string(), userId: z.unknown(), teamId: z.unknown() })
    .partial({ userId: true, teamId: true })
    .nullish(),
});

type Statuses = z.output<typeof message>['status'];

/** The value of each column for everything that is planted, worked out once more, from what the interface gives. */
export function wantedValues(
  kind: ExportKind,
  planted: Planted,
  columns: readonly ExportColumn[],
): unknown[][] {
  const normal = normalOf(kind, planted);
  return (planted[kind] ?? []).map((thing) => {
    const record = normal(thing);
    return columns.map(({ path: [outer = '', inner] }) => {
      const value = record[outer];
      return (inner === undefined ? value : partOf(value, inner)) ?? null;
    });
  });
}

function partOf(value: unknown, name: string): unknown {
  return Object.entries(value ?? {}).find(([key]) => key === name)?.[1];
}

function normalOf(kind: ExportKind, planted: Planted): (thing: Thing) => Thing {
  if (kind === 'contacts') return contactOf;
  if (kind !== 'messages') return (thing) => thing;
  const names = new Map(planted.contacts.map((contact) => [contact.id, nameOf(contact) || 'contact']));
  const users = new Map(planted.users?.map((user) => [String(user.id), nameOf(user)]));
  return (thing) => messageOf(thing, names, users);
}

function contactOf({ custom_fields, created_at, ...contact }: Thing): Thing {
  const fields = z.array(z.object({ name: z.string(), value: z.string().nullable() })).parse(custom_fields);
  const customFields = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  return { ...contact, created: iso(Number(created_at)), customFields };
}

function messageOf(
  thing: Thing,
  contacts: ReadonlyMap<unknown, string>,
  users: ReadonlyMap<string, string>,
): Thing {
  const given = message.parse(thing);
  const { messageId, contactId, traffic, channelMessageId, status, sender } = given;
  const { type = 'text', messageTag } = given.message ?? {};
  const isText = type === 'text' && Object.keys(given.message ?? {}).every((key) => textKeys.has(key));
  const times = status.map(({ timestamp }) => timestamp);
  const { source, userId, teamId } = sender ?? {};
  const user =
    userId === undefined || userId === null ? (source ?? 'workspace') : userName(String(userId), users);
  return {
    ...thing,
    id: messageId,
    contactId,
    created: times.length === 0 ? null : iso(Math.min(...times)),
    direction: traffic,
    sender: traffic === 'incoming' ? contacts.get(contactId) : user,
    type: given.message?.type ?? null,
    // How a variant that the specification does not show is told has tests of its own.
    text: type === 'text' ? (given.message?.text ?? '') : formatMessageText(given.message),
    status: lastOf(status)?.value ?? null,
    channelMessageId: texted(channelMessageId),
    messageTag,
    senderSource: source,
    senderUserId: texted(userId),
    senderTeamId: texted(teamId),
    ...Object.fromEntries(
      ['pending', 'sent', 'delivered', 'read', 'failed'].map((value) => [
        `${value}At`,
        latest(status, value),
      ]),
    ),
    failure: status.filter(({ value }) => value === 'failed').at(-1)?.message,
    message: isText ? null : given.message,
  };
}

const textKeys = new Set(['type', 'text', 'messageTag']);

function userName(id: string, users: ReadonlyMap<string, string>): string {
  return users.get(id) ?? `user ${id}`;
}

function nameOf({ firstName, lastName }: Thing): string {
  return `${firstName ?? ''} ${lastName ?? ''}`.trim();
}

function texted(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value);
}

function latest(status: Statuses, wanted: string): string | null {
  const times = status.filter(({ value }) => value === wanted).map(({ timestamp }) => timestamp);
  return times.length === 0 ? null : iso(Math.max(...times));
}

function lastOf(status: Statuses): Statuses[number] | undefined {
  const newest = Math.max(...status.map(({ timestamp }) => timestamp));
  return status.findLast(({ timestamp }) => timestamp === newest);
}

function iso(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
}
