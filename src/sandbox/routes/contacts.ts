import { createValidationError } from '../api-error.ts';
import { parseCustomValues } from '../contact-view.ts';
import { buildContactListClause } from '../filters/filter.ts';
import { createKeysetListing, parsePageRequest, readPage } from '../paging.ts';
import { type ContactChange, parseContactChange } from '../rules/contact-body.ts';
import type { FieldDefinition, FieldValue } from '../rules/data-types.ts';
import { type ContactPathIdentifier, parseContactIdentifier, toEmailKey } from '../rules/identifier.ts';
import { type ContactRow, emptyContact } from '../store/contacts.ts';
import type { SandboxStore } from '../store/store.ts';
import {
  getRequestUnixTime,
  type RouteCall,
  requireContact,
  type SandboxEndpoint,
  toContactResponse,
  toPageLinkOptions,
} from './endpoint.ts';

const createContact: SandboxEndpoint = {
  method: 'POST',
  template: '/contact/{identifier}',
  creates: true,
  handle(call) {
    const identifier = parseContactIdentifier(call.params.identifier ?? '');
    if (identifier.kind === 'id') throw createValidationError('a contact is created by email or phone');
    const change = changeOf(call, { partial: false });
    const named = identityOf(identifier, change);
    call.store.transaction(() => {
      const found = call.store.contacts.find(identifier, call.now);
      if (call.settings.existing === 'refuse' && found.kind !== 'absent') {
        throw createValidationError('a contact with this identifier is there already');
      }
      call.store.contacts.add({
        ...emptyContact,
        firstName: change.firstName ?? null,
        ...change.plain,
        ...named,
        custom: JSON.stringify(applyCustomFieldChange({}, change.custom ?? new Map())),
        status: call.settings.newStatus,
        created_at: getRequestUnixTime(call),
        readyAt: call.now + call.settings.processingMs,
      });
    });
    return { code: String(call.settings.createdStatus), message: 'The contact is being created.' };
  },
};

const readContact: SandboxEndpoint = {
  method: 'GET',
  template: '/contact/{identifier}',
  documents: [404],
  handle: (call) => toContactResponse(call, requireContact(call)),
};

const updateContact: SandboxEndpoint = {
  method: 'PUT',
  template: '/contact/{identifier}',
  documents: [449],
  handle(call) {
    const row = requireContact(call);
    const { customFieldArrays, emptyValues } = call.settings;
    const change =
      emptyValues === 'clear' ? readContactChange(call) : withoutEmpty(readContactChange(call), row);
    const keeps = customFieldArrays === 'merge' ? parseCustomValues(row) : {};
    const custom =
      change.custom === undefined ? row.custom : JSON.stringify(applyCustomFieldChange(keeps, change.custom));
    const { firstName = row.firstName } = change;
    call.store.contacts.save({ ...row, firstName, ...change.plain, custom });
    return { contactId: row.id };
  },
};

/** Returns the change without its empty values; empty custom fields keep the contact's own values. */
function withoutEmpty(change: ContactChange, row: ContactRow): ContactChange {
  const there = parseCustomValues(row);
  const custom = [...(change.custom ?? [])].map(([id, value]) => [id, value ?? there[id] ?? null] as const);
  return {
    ...change,
    plain: Object.fromEntries(Object.entries(change.plain).filter(([, value]) => value !== null)),
    custom: change.custom && new Map(custom),
  };
}

const listContacts: SandboxEndpoint = {
  method: 'POST',
  template: '/contact/list',
  reads: true,
  handle(call) {
    const request = parsePageRequest(call.query, call.settings.listLimit);
    const { sql, params } = buildContactListClause(call.body, call.store, call.settings);
    const listing = createKeysetListing(
      call.store.queries.contacts,
      `SELECT * FROM contacts WHERE readyAt <= ? AND ${sql}`,
      [call.now, ...params],
    );
    return readPage(listing, request, toPageLinkOptions(call), (row) => toContactResponse(call, row));
  },
};

/**
 * Parses the change of an existing contact; unless `strict`, the first name may be absent, as published clients send
 * it.
 */
export function readContactChange(call: RouteCall, more: readonly string[] = []): ContactChange {
  return changeOf(call, { partial: !call.settings.strict, more });
}

function changeOf(
  { body, store, settings: { unknownProperties, strict } }: RouteCall,
  rules: { readonly partial: boolean; readonly more?: readonly string[] },
): ContactChange {
  const field = (name: string) =>
    store.customFields.named(name) ?? (strict ? undefined : otherwise(store, name));
  return parseContactChange(body, field, { ...rules, unknownProperties });
}

/** Finds a custom field by its slug or its id as text, which published clients send in place of its name. */
function otherwise({ customFields }: SandboxStore, name: string): FieldDefinition | undefined {
  const bySlug = customFields.withSlug(name);
  return bySlug === undefined && /^\d{1,15}$/.test(name) ? customFields.withId(Number(name)) : bySlug;
}

/** Returns custom field values with a change applied; null removes a value. */
export function applyCustomFieldChange(
  values: Readonly<Record<string, FieldValue>>,
  change: ReadonlyMap<number, FieldValue | null>,
): Record<string, FieldValue> {
  const all = new Map<string, FieldValue | null>([
    ...Object.entries(values),
    ...[...change].map(([id, value]) => [String(id), value] as const),
  ]);
  const kept: Record<string, FieldValue> = {};
  for (const [id, value] of all) if (value !== null) kept[id] = value;
  return kept;
}

/** Returns the e-mail or phone of a new contact from its path; throws a 400 if the body has another one. */
function identityOf(
  identifier: Exclude<ContactPathIdentifier, { kind: 'id' }>,
  change: ContactChange,
): { email?: string; phone?: string } {
  const stated = change.plain[identifier.kind];
  const same = (text: string): boolean =>
    identifier.kind === 'email' ? toEmailKey(text) === identifier.key : text === identifier.text;
  if (stated !== undefined && (stated === null || !same(stated))) {
    throw createValidationError(`${identifier.kind} in the body is not that of the path`);
  }
  return { [identifier.kind]: stated ?? identifier.text };
}

export const contactRoutes: readonly SandboxEndpoint[] = [
  createContact,
  readContact,
  updateContact,
  listContacts,
];
