import { keyset, type Listing, pageRequest, readPage, shortListing } from '../paging.ts';
import { invalid } from '../refusal.ts';
import { leftOut, objectBody, optionalText, requiredText, textArray } from '../rules/body.ts';
import { dataTypes, type FieldDefinition, isDataType, slugFor } from '../rules/data-types.ts';
import { templateOf, userOf } from '../store/settings.ts';
import { absent, type Call, type Endpoint, linksOf } from './endpoint.ts';

/** Returns the endpoint of a list of the workspace, in pages of at most 100. */
function list<Item>(
  template: string,
  listing: (call: Call) => Listing<Item>,
  show: (item: Item, call: Call) => object,
): Endpoint {
  return {
    method: 'GET',
    template,
    handle: (call) =>
      readPage(listing(call), pageRequest(call.query, 100), linksOf(call), (item) => show(item, call)),
  };
}

const listUsers = list(
  '/space/user',
  ({ store }) => keyset(store.queries.users, 'SELECT id, body FROM users WHERE pending = 0', []),
  userOf,
);

const readUser: Endpoint = {
  method: 'GET',
  template: '/space/user/{id}',
  handle(call) {
    const user = call.store.users.byId(numberOf(call, 'user'));
    if (user === undefined) throw absent(call, 'User not found');
    return user;
  },
};

const listClosingNotes = list(
  '/space/closing_notes',
  ({ store }) => shortListing(store.closingNotes.all()),
  ({ category, description }) => (description === null ? { category } : { category, description }),
);

const listTemplates: Endpoint = {
  method: 'GET',
  template: '/space/channel/{id}/template',
  handle(call) {
    const id = numberOf(call, 'channel');
    const request = pageRequest(call.query, 100);
    if (!call.store.channels.has(id)) throw absent(call, 'Channel not found');
    const listing = keyset(call.store.queries.templates, 'SELECT * FROM templates WHERE channel = ?', [id]);
    return readPage(listing, request, linksOf(call, 'next'), templateOf);
  },
};

const listCustomFields = list(
  '/space/custom_field',
  ({ store }) => keyset(store.queries.customFields, 'SELECT id, name FROM custom_fields WHERE 1', []),
  ({ name }, { store }) => shown(store.customFields.named(name)),
);

/** Returns the id in the path; throws a 400 where it is not a number. */
function numberOf({ params: { id = '' } }: Call, what: string): number {
  if (!/^\d{1,15}$/.test(id)) throw invalid(`"${id}" is no ${what} id`);
  return Number(id);
}

const createCustomField: Endpoint = {
  method: 'POST',
  template: '/space/custom_field',
  creates: true,
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

export const settingRoutes: readonly Endpoint[] = [
  listCustomFields,
  createCustomField,
  listUsers,
  readUser,
  listClosingNotes,
  listTemplates,
];
