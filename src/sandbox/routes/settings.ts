import { keyset, pageRequest, readPage, shortListing } from '../paging.ts';
import { invalid } from '../refusal.ts';
import { leftOut, objectBody, optionalText, requiredText, textArray } from '../rules/body.ts';
import { dataTypes, type FieldDefinition, isDataType } from '../rules/data-types.ts';
import { slugFor } from '../rules/slug.ts';
import { templateOf, userOf } from '../store/settings.ts';
import { absent, type Call, type Endpoint, linksOf } from './endpoint.ts';

export const listUsers: Endpoint = {
  method: 'GET',
  template: '/space/user',
  writes: false,
  documents: [],
  handle(call) {
    const listing = keyset(call.store.queries.users, 'SELECT id, body FROM users WHERE pending = 0', []);
    return readPage(listing, pageRequest(call.query, 100), linksOf(call), userOf);
  },
};

export const readUser: Endpoint = {
  method: 'GET',
  template: '/space/user/{id}',
  writes: false,
  documents: [],
  handle(call) {
    const id = call.params.id ?? '';
    if (!/^\d{1,15}$/.test(id)) throw invalid(`"${id}" is no user id`);
    const user = call.store.users.byId(Number(id));
    if (user === undefined) throw absent(call, 'User not found');
    return user;
  },
};

export const listClosingNotes: Endpoint = {
  method: 'GET',
  template: '/space/closing_notes',
  writes: false,
  documents: [],
  handle(call) {
    const listing = shortListing(call.store.closingNotes.all());
    return readPage(listing, pageRequest(call.query, 100), linksOf(call), ({ category, description }) =>
      description === null ? { category } : { category, description },
    );
  },
};

export const listTemplates: Endpoint = {
  method: 'GET',
  template: '/space/channel/{id}/template',
  writes: false,
  documents: [],
  handle(call) {
    const id = call.params.id ?? '';
    if (!/^\d{1,15}$/.test(id)) throw invalid(`"${id}" is no channel id`);
    const request = pageRequest(call.query, 100);
    if (!call.store.channels.has(Number(id))) throw absent(call, 'Channel not found');
    const listing = keyset(call.store.queries.templates, 'SELECT * FROM templates WHERE channel = ?', [
      Number(id),
    ]);
    return readPage(listing, request, linksOf(call, 'next'), templateOf);
  },
};

export const listCustomFields: Endpoint = {
  method: 'GET',
  template: '/space/custom_field',
  writes: false,
  documents: [],
  handle(call) {
    const listing = keyset(call.store.queries.customFields, 'SELECT id, name FROM custom_fields WHERE 1', []);
    return readPage(listing, pageRequest(call.query, 100), linksOf(call), (row) =>
      shown(call.store.customFields.named(row.name)),
    );
  },
};

export const createCustomField: Endpoint = {
  method: 'POST',
  template: '/space/custom_field',
  writes: true,
  creates: true,
  documents: [],
  fromClients: (body) => leftOut(body, ['slug', 'description', 'allowedValues'], isNothing),
  handle(call) {
    const field = newField(call);
    if (call.store.customFields.named(field.name) !== undefined) {
      throw invalid(`there is a custom field "${field.name}" already`);
    }
    if (call.store.customFields.withSlug(field.slug) !== undefined) {
      throw invalid(`there is a custom field with the slug "${field.slug}" already`);
    }
    return shown(call.store.customFields.add(field));
  },
};

function isNothing(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function newField(call: Call): Omit<FieldDefinition, 'id'> {
  const known = ['name', 'slug', 'description', 'dataType', 'allowedValues'];
  const body = objectBody(call.body, known, call.settings.unknownProperties);
  const name = requiredText(body, 'name');
  const dataType = body.dataType;
  if (!isDataType(dataType)) throw invalid(`dataType must be one of ${dataTypes.join(', ')}`);
  const slug = optionalText(body, 'slug');
  if (slug !== undefined && !/^[A-Za-z0-9_]+$/.test(slug)) {
    throw invalid('slug must consist of letters, numbers and underscores');
  }
  if (body.allowedValues !== undefined && dataType !== 'list') {
    throw invalid('allowedValues belong to a list only');
  }
  const allowedValues =
    body.allowedValues === undefined ? [] : textArray(body.allowedValues, 'allowedValues');
  return {
    name,
    slug: slug ?? slugFor(name, (taken) => call.store.customFields.withSlug(taken) !== undefined),
    description: optionalText(body, 'description') ?? '',
    dataType,
    allowedValues,
  };
}

function shown(field: FieldDefinition | undefined): object {
  if (field === undefined) return {};
  const { id, name, description, dataType, allowedValues } = field;
  return { id, name, description, dataType, ...(dataType === 'list' ? { allowedValues } : {}) };
}
