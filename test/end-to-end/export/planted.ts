import Database from 'better-sqlite3';
import type { ExportKind } from '../../../src/model/export-record.ts';

export type Thing = Readonly<Record<string, unknown>>;

/** What a workspace holds of each kind, as its interface gives it. */
export type Planted = { readonly [K in ExportKind]?: readonly Thing[] } & {
  readonly contacts: readonly Thing[];
  readonly customFields: readonly { readonly id: number; readonly name: string; readonly dataType: string }[];
};

interface Named {
  readonly id: number;
  readonly body: string;
}

/** Everything that stands in the file of a sandbox, by plain SELECTs. */
export function readPlanted(file: string): Planted {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const all = <Row>(sql: string): readonly Row[] => db.prepare<[], Row>(sql).all();
    const fields = all<{ id: number; name: string; dataType: string; allowedValues: string }>(
      'SELECT id, name, description, dataType, allowedValues FROM custom_fields ORDER BY id',
    ).map(({ allowedValues, ...field }) =>
      field.dataType === 'list' ? { ...field, allowedValues: listOf(allowedValues) } : field,
    );
    const users = all<Named>('SELECT id, body FROM users WHERE pending = 0 ORDER BY id').map(opened);
    const tagged = grouped(
      all<{ contact: number; name: string }>(
        'SELECT contact, name FROM contact_tags JOIN tags ON tags.id = tag ORDER BY contact, place',
      ),
    );
    const contacts = all<Thing & { id: number; custom: string; assignee: number | null; isBlocked: number }>(
      `SELECT id, firstName, lastName, phone, email, language, profilePic, countryCode, custom, status, assignee, lifecycle,
       created_at, isBlocked FROM contacts ORDER BY id`,
    ).map(({ custom, assignee, isBlocked, ...contact }) => ({
      ...contact,
      custom_fields: fields.map(({ id, name }) => ({ name, value: shownValue(thingOf(custom)[id]) })),
      tags: tagged.get(contact.id) ?? [],
      assignee: summary(users.find(({ id }) => id === assignee)),
      isBlocked: isBlocked === 1,
    }));
    const messages = all<Named & { contact: number }>(
      'SELECT id, contact, body FROM messages ORDER BY id',
    ).map(({ id, contact, body }) => ({ messageId: id, contactId: contact, ...thingOf(body) }));
    const templates = all<Named & { channel: number }>(
      'SELECT id, channel, body FROM templates ORDER BY id',
    ).map(({ id, channel, body }) => ({ id, channelId: channel, ...thingOf(body) }));
    const closingNotes = all<{ category: string; description: string | null }>(
      'SELECT category, description FROM closing_notes ORDER BY category',
    ).map(({ category, description }) => (description === null ? { category } : { category, description }));
    const counts = new Map<string, number>();
    for (const names of tagged.values())
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    const shownTags = [...counts].map(([name, count]) => ({ name, contacts: count }));
    return { contacts, messages, users, customFields: fields, closingNotes, templates, tags: shownTags };
  } finally {
    db.close();
  }
}

function grouped(rows: readonly { contact: number; name: string }[]): ReadonlyMap<number, readonly string[]> {
  const names = new Map<number, string[]>();
  for (const { contact, name } of rows) names.set(contact, [...(names.get(contact) ?? []), name]);
  return names;
}

function thingOf(json: string): Record<string, unknown> {
  return JSON.parse(json);
}

function listOf(json: string): readonly string[] {
  return JSON.parse(json);
}

function opened({ id, body }: Named): Thing & { readonly id: number } {
  return { id, ...thingOf(body) };
}

/** Values are given as texts, whatever their type. */
function shownValue(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value);
}

function summary(user: Thing | undefined): Thing | null {
  if (user === undefined) return null;
  const { id, firstName, lastName, email } = user;
  return { id, firstName, lastName, email };
}
