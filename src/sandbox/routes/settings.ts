import { createValidationError } from '../api-error.ts';
import {
  createArrayListing,
  createKeysetListing,
  type PagedListing,
  parsePageRequest,
  readPage,
} from '../paging.ts';
import {
  omitEmptyProperties,
  readOptionalText,
  readRequiredText,
  readTextArray,
  requireObjectBody,
} from '../rules/body.ts';
import { createSlug, type FieldDefinition, fieldDataTypes, isFieldDataType } from '../rules/data-types.ts';
import { toTemplateView, toUserView } from '../store/settings.ts';
import {
  createMissingResourceError,
  type RouteCall,
  type SandboxEndpoint,
  toPageLinkOptions,
} from './endpoint.ts';

/** Returns the endpoint that lists one kind of objects of the workspace, in pages of at most 100. */
function list<Item>(
  template: string,
  listing: (call: RouteCall) => PagedListing<Item>,
  show: (item: Item, call: RouteCall) => object,
): SandboxEndpoint {
  return {
    method: 'GET',
    template,
    handle: (call) =>
      readPage(listing(call), parsePageRequest(call.query, 100), toPageLinkOptions(call), (item) =>
        show(item, call),
      ),
  };
}

const listUsers = list(
  '/space/user',
  ({ store }) => createKeysetListing(store.queries.users, 'SELECT id, body FROM users WHERE pending = 0', []),
  toUserView,
);

const readUser: SandboxEndpoint = {
  method: 'GET',
  template: '/space/user/{id}',
  handle(call) {
    const user = call.store.users.byId(numberOf(call, 'user'));
    if (user === undefined) throw createMissingResourceError(call, 'User not found');
    return user;
  },
};

const listClosingNotes = list(
  '/space/closing_notes',
  ({ store }) => createArrayListing(store.closingNotes.all()),
  ({ category, description }) => (description === null ? { category } : { category, description }),
);

const listTemplates: SandboxEndpoint = {
  method: 'GET',
  template: '/space/channel/{id}/template',
  handle(call) {
    const id = numberOf(call, 'channel');
    const request = parsePageRequest(call.query, 100);
    if (!call.store.channels.has(id)) throw createMissingResourceError(call, 'Channel not found');
    const listing = createKeysetListing(
      call.store.queries.templates,
      'SELECT * FROM templates WHERE channel = ?',
      [id],
    );
    return readPage(listing, request, toPageLinkOptions(call, 'next'), toTemplateView);
  },
};

const listCustomFields = list(
  '/space/custom_field',
  ({ store }) =>
    createKeysetListing(store.queries.customFields, 'SELECT id, name FROM custom_fields WHERE 1', []),
  ({ name }, { store }) => shown(store.customFields.named(name)),
);

/** Returns the id in the path; throws a 400 if it is not a number. */
function numberOf({ params: { id = '' } }: RouteCall, what: string): number {
  if (!/^\d{1,15}$/.test(id)) throw createValidationError(`"${id}" is no ${what} id`);
  return Number(id);
}

const createCustomField: SandboxEndpoint = {
  method: 'POST',
  template: '/space/custom_field',
  creates: true,
  fromClients: (body) => omitEmptyProperties(body, ['slug', 'description', 'allowedValues'], isNothing),
  handle(call) {
    const field = newField(call);
    if (call.store.customFields.named(field.name) !== undefined) {
      throw createValidationError(`there is a custom field "${field.name}" already`);
    }
    if (call.store.customFields.withSlug(field.slug) !== undefined) {
      throw createValidationError(`there is a custom field with the slug "${field.slug}" already`);
    }
    return shown(call.store.customFields.add(field));
  },
};

function isNothing(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function newField(call: RouteCall): Omit<FieldDefinition, 'id'> {
  const known = ['name', 'slug', 'description', 'dataType', 'allowedValues'];
  const body = requireObjectBody(call.body, known, call.settings.unknownProperties);
  const name = readRequiredText(body, 'name');
  const dataType = body.dataType;
  if (!isFieldDataType(dataType))
    throw createValidationError(`dataType must be one of ${fieldDataTypes.join(', ')}`);
  const slug = readOptionalText(body, 'slug');
  if (slug !== undefined && !/^[A-Za-z0-9_]+$/.test(slug)) {
    throw createValidationError('slug must consist of letters, numbers and underscores');
  }
  if (body.allowedValues !== undefined && dataType !== 'list') {
    throw createValidationError('allowedValues belong to a list only');
  }
  const allowedValues =
    body.allowedValues === undefined ? [] : readTextArray(body.allowedValues, 'allowedValues');
  return {
    name,
    slug: slug ?? createSlug(name, (taken) => call.store.customFields.withSlug(taken) !== undefined),
    description: readOptionalText(body, 'description') ?? '',
    dataType,
    allowedValues,
  };
}

function shown(field: FieldDefinition | undefined): object {
  if (field === undefined) return {};
  const { id, name, description, dataType, allowedValues } = field;
  return { id, name, description, dataType, ...(dataType === 'list' ? { allowedValues } : {}) };
}

export const workspaceSettingRoutes: readonly SandboxEndpoint[] = [
  listCustomFields,
  createCustomField,
  listUsers,
  readUser,
  listClosingNotes,
  listTemplates,
];
