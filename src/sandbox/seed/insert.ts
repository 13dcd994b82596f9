import { isSqliteError } from '../../storage/sqlite.ts';
import { createSlug, parseFieldText } from '../rules/data-types.ts';
import { parseContactIdentifier } from '../rules/identifier.ts';
import { emptyContact } from '../store/contacts.ts';
import type { SandboxStore } from '../store/store.ts';
import type { ParsedSeed, SeedContact } from './seed.ts';

/** Inserts a checked seed into the workspace, all of it or nothing; throws an Error that names the conflict. */
export function insertSeed(store: SandboxStore, seed: ParsedSeed, now: number): void {
  store.transaction(() => {
    insertSpace(store, seed);
    insertChannels(store, seed);
    for (const contact of seed.contacts ?? []) insertSeedContact(store, contact, now);
    for (const message of seed.messages ?? []) insertMessage(store, message, now);
  });
}

/** Runs `add` for an object of the seed; if its name, id or slug is taken, throws an Error that names the object. */
function addOnce<T>(what: string, name: string, add: () => T): T {
  try {
    return add();
  } catch (error) {
    if (!isSqliteError(error, 'SQLITE_CONSTRAINT')) throw error;
    const [, column = 'id'] = /\.(\w+)$/.exec(error.message) ?? [];
    throw new Error(
      `The seed's ${what} "${name}" cannot be added: its ${column === 'emailKey' ? 'email' : column} is taken already.`,
      { cause: error },
    );
  }
}

function insertSpace(store: SandboxStore, seed: ParsedSeed): void {
  for (const user of seed.users ?? []) insertUser(store, user);
  for (const field of seed.customFields ?? []) insertField(store, field);
  for (const { category, description } of seed.closingNotes ?? []) {
    addOnce('closing note', category, () => store.closingNotes.add(category, description ?? null));
  }
  for (const { id, name, description = '', emoji = '', colorCode = '' } of seed.tags ?? []) {
    addOnce('tag', name, () => store.tags.add({ id, name, description, emoji, colorCode }));
  }
}

function insertChannels(store: SandboxStore, seed: ParsedSeed): void {
  for (const channel of seed.channels ?? []) {
    for (const template of channel.templates ?? []) insertTemplate(store, template, channel.id);
    store.channels.add(channel.id);
  }
  for (const template of seed.templates ?? []) insertTemplate(store, template, template.channelId);
}

type Item<K extends keyof ParsedSeed> = NonNullable<ParsedSeed[K]>[number];

function insertUser(store: SandboxStore, user: Item<'users'>): void {
  const { pending, ...shown } = user;
  const team = shown.team === undefined ? { id: 1, name: 'Everybody' } : shown.team;
  const added = { ...shown, role: shown.role ?? 'agent', team, restrictions: shown.restrictions ?? [] };
  addOnce('user', shown.email, () => store.users.add(added, pending ?? false));
}

function insertField(store: SandboxStore, field: Item<'customFields'>): void {
  const added = {
    ...field,
    slug: field.slug ?? createSlug(field.name, (slug) => store.customFields.withSlug(slug) !== undefined),
    description: field.description ?? '',
    allowedValues: field.allowedValues ?? [],
  };
  addOnce('custom field', field.name, () => store.customFields.add(added));
}

function insertTemplate(store: SandboxStore, template: Item<'templates'>, channel: number | undefined): void {
  if (channel === undefined)
    throw new Error(`The template "${template.name}" of the seed names no channelId.`);
  const { id, channelId: _, ...body } = template;
  store.channels.add(channel);
  const added = { components: [], botId: 1, languageCode: 'en', category: 'UTILITY', ...body };
  addOnce('template', template.name, () => store.channels.addTemplate(channel, id, added));
}

export function insertSeedContact(store: SandboxStore, contact: SeedContact, now: number): void {
  const isBlocked = contact.isBlocked ?? contact.status === 'blocked';
  const { firstName = null, lastName = null, phone = null, email = null, language = null } = contact;
  const { profilePic = null, countryCode = null, lifecycle = null } = contact;
  const added = {
    ...emptyContact,
    ...{ id: contact.id, firstName, lastName, phone, email, language, profilePic, countryCode, lifecycle },
    custom: JSON.stringify(seedValues(store, contact)),
    status: contact.status ?? emptyContact.status,
    assignee: assigneeId(store, contact.assignee),
    created_at: contact.created_at ?? Math.floor(now / 1000),
    isBlocked: isBlocked ? 1 : 0,
    readyAt: 0,
  };
  const id = addOnce('contact', `id:${contact.id}`, () => store.contacts.add(added));
  if (contact.tags !== undefined && contact.tags.length > 0) store.tags.attach(id, contact.tags);
}

function seedValues(store: SandboxStore, contact: SeedContact): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, value } of contact.custom_fields ?? []) {
    if (value === undefined || value === null || value === '') continue;
    const field = store.customFields.named(name);
    if (field === undefined)
      throw new Error(`The seed has no custom field "${name}", and a contact uses it.`);
    const kept = parseFieldText(String(value), field);
    if (kept === undefined) {
      throw new Error(`The seed's value ${JSON.stringify(value)} is no ${field.dataType} for "${name}".`);
    }
    values[field.id] = kept;
  }
  return values;
}

function assigneeId(store: SandboxStore, assignee: SeedContact['assignee']): number | null {
  if (assignee === undefined || assignee === null || assignee === '') return null;
  const email = typeof assignee === 'string' ? assignee : assignee.email;
  const user = store.users.byEmail(email);
  if (user === undefined)
    throw new Error(`The seed has no user ${email}, and a contact is assigned to them.`);
  return user.id;
}

function insertMessage(store: SandboxStore, message: Item<'messages'>, now: number): void {
  const { messageId, contactId, ...body } = message;
  const contact =
    typeof contactId === 'number'
      ? store.contacts.byId(contactId)?.id
      : idOf(store.contacts.find(parseContactIdentifier(contactId), now));
  if (contact === undefined)
    throw new Error(`The seed has no contact ${contactId}, and a message is theirs.`);
  const added = { channelId: 1, traffic: 'incoming', ...body };
  addOnce('message', String(messageId), () => store.messages.add(contact, messageId, added));
}

function idOf(found: ReturnType<SandboxStore['contacts']['find']>): number | undefined {
  return found.kind === 'ready' ? found.row.id : undefined;
}
