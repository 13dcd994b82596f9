import { z } from 'zod';
import type { ContactBody } from '../../model/contact.ts';
import type { NewCustomField } from '../../model/custom-field.ts';
import type { Identifier } from '../../model/identifier.ts';
import type { HttpMethod } from '../../model/ports.ts';
import {
  createLosslessSchema,
  createPageResponseSchema,
  encodePageQuery,
  type PageQuery,
} from './answers.ts';
import {
  type CallEndpoint,
  createContactEndpointCall,
  createEndpointCall,
  defineEndpoint,
  type Endpoint,
  type EndpointCallOptions,
} from './endpoint.ts';
import {
  acknowledgementSchema,
  closingNoteSchema,
  commentSchema,
  contactReferenceSchema,
  contactSchema,
  customFieldSchema,
  messageSchema,
  tagSchema,
  templateSchema,
  userSchema,
} from './schemas.ts';

/** The value of a condition: the specification has a text only; published clients also send the other two. */
export type FilterValue = string | readonly string[] | { readonly from: string; readonly to: string };

/** One condition of a contact filter (specification: POST /contact/list). */
export interface FilterCondition {
  readonly category: 'contactField' | 'contactTag' | 'lifecycle';
  readonly field?: string;
  readonly operator:
    | 'isEqualTo'
    | 'isNotEqualTo'
    | 'isTimestampAfter'
    | 'isTimestampBefore'
    | 'isTimestampBetween'
    | 'exists'
    | 'doesNotExist'
    | 'isGreaterThan'
    | 'isLessThan'
    | 'isBetween'
    | 'hasAnyOf'
    | 'hasAllOf'
    | 'hasNoneOf';
  readonly value?: FilterValue;
}

/** The filter of a contact list, and the page to read. */
export interface ContactListQuery extends PageQuery {
  readonly search?: string;
  readonly timezone?: string;
  readonly filter?: { readonly $and: readonly FilterCondition[] };
}

/** The body of a status change; `summary` is used only with a `category`. */
interface ConversationStatus {
  readonly status: 'open' | 'close';
  readonly category?: string;
  readonly summary?: string;
}

/** The description, color and emoji of a tag. */
interface TagLook {
  readonly description?: string;
  readonly colorCode?: string;
  readonly emoji?: string;
}

const contacts = {
  create: defineEndpoint('contacts.create', 'POST', '/contact/{identifier}', acknowledgementSchema),
  read: defineEndpoint('contacts.read', 'GET', '/contact/{identifier}', contactSchema, { exact: true }),
  update: defineEndpoint('contacts.update', 'PUT', '/contact/{identifier}', contactReferenceSchema),
  merge: defineEndpoint('contacts.merge', 'POST', '/contact/merge', contactReferenceSchema),
  list: defineEndpoint('contacts.list', 'POST', '/contact/list', createPageResponseSchema(contactSchema), {
    idempotent: true,
    readOnly: true,
  }),
  setLifecycle: defineEndpoint(
    'contacts.setLifecycle',
    'POST',
    '/contact/{identifier}/lifecycle/update',
    acknowledgementSchema,
  ),
  comment: defineEndpoint('contacts.comment', 'POST', '/contact/{identifier}/comment', commentSchema),
};

const conversation = '/contact/{identifier}/conversation';
const conversations = {
  setStatus: defineEndpoint(
    'conversations.setStatus',
    'POST',
    `${conversation}/status`,
    contactReferenceSchema,
  ),
  assign: defineEndpoint('conversations.assign', 'POST', `${conversation}/assignee`, contactReferenceSchema),
};

const message = '/contact/{identifier}/message';
const messages = {
  list: defineEndpoint('messages.list', 'GET', `${message}/list`, createPageResponseSchema(messageSchema)),
  read: defineEndpoint('messages.read', 'GET', `${message}/{messageId}`, messageSchema),
};

const customFields = {
  list: defineEndpoint(
    'customFields.list',
    'GET',
    '/space/custom_field',
    createPageResponseSchema(customFieldSchema),
  ),
  create: defineEndpoint('customFields.create', 'POST', '/space/custom_field', customFieldSchema),
};

const tags = {
  create: defineEndpoint('tags.create', 'POST', '/space/tag', tagSchema),
  update: defineEndpoint('tags.update', 'PUT', '/space/tag', tagSchema),
  remove: defineEndpoint('tags.remove', 'DELETE', '/space/tag', acknowledgementSchema),
};

const users = {
  list: defineEndpoint('users.list', 'GET', '/space/user', createPageResponseSchema(userSchema)),
  read: defineEndpoint('users.read', 'GET', '/space/user/{id}', userSchema),
};

const closingNotes = {
  list: defineEndpoint(
    'closingNotes.list',
    'GET',
    '/space/closing_notes',
    createPageResponseSchema(closingNoteSchema),
  ),
};

const templates = {
  list: defineEndpoint(
    'templates.list',
    'GET',
    '/space/channel/{id}/template',
    createPageResponseSchema(templateSchema),
  ),
};

/** Every operation of the specification. */
export const allEndpoints: readonly Endpoint<unknown>[] = [
  contacts,
  conversations,
  messages,
  customFields,
  tags,
  users,
  closingNotes,
  templates,
].flatMap((group): Endpoint<unknown>[] => Object.values(group));

/** The endpoint of a probe, whose smallest request tests whether the workspace answers. */
export const probeEndpoint: Endpoint<unknown> = { ...users.list, response: z.unknown() };

// The same requests, for callers that keep the raw objects.
const listContacts = {
  ...contacts.list,
  response: createPageResponseSchema(createLosslessSchema(contactSchema)),
};
const listMessages = {
  ...messages.list,
  response: createPageResponseSchema(createLosslessSchema(messageSchema)),
};

/** 99, because the endpoint's own reference says "below 100", while the general rule allows 100. */
const contactsPerPage = 99;
const messagesPerPage = 50;

const ofPage = (limit: number) => (page: PageQuery) => ({ query: encodePageQuery(page, limit) });
const contactPage = ({ search, timezone, filter, ...page }: ContactListQuery) => ({
  query: encodePageQuery(page, contactsPerPage),
  body: { search, timezone, filter },
});

/** A call about a contact that a workspace offers beyond the specification, as the user declares it. */
interface Extension {
  readonly method: HttpMethod;
  /** Relative to the base URL: `/contact/{identifier}/tag`. */
  readonly path: string;
}

/**
 * Returns the endpoint of an extension. It accepts any JSON and an empty body, and is not idempotent, since the user
 * declares neither.
 */
export function createExtensionEndpoint({ method, path }: Extension): Endpoint<unknown> {
  return defineEndpoint('extensions.call', method, path, z.unknown(), {
    idempotent: false,
    emptyPasses: true,
  });
}

/** Returns every operation, grouped by subject, as a function that sends its request through `call`. */
export function createOperations(call: CallEndpoint) {
  return {
    contacts: {
      /** Creates a contact under its e-mail or phone; the answer has no id, and the contact takes time to appear. */
      create: createContactEndpointCall(call, contacts.create, (body: ContactBody) => ({ body })),
      read: createEndpointCall(call, contacts.read, (identifier: Identifier) => ({ params: { identifier } })),
      /**
       * Writes the fields in the body to the contact; if several contacts have the identifier, to the first of them.
       */
      update: createContactEndpointCall(call, contacts.update, (body: ContactBody) => ({ body })),
      /** Merges two contacts; the older one remains, with the fields in the body. */
      merge: createEndpointCall(
        call,
        contacts.merge,
        (body: ContactBody & { readonly contactIds: readonly [number, number] }) => ({ body }),
      ),
      list: createEndpointCall(call, contacts.list, contactPage),
      listLossless: createEndpointCall(call, listContacts, contactPage),
      /** Puts the contact into the lifecycle stage of that name; null or an empty name takes it out of any. */
      setLifecycle: createContactEndpointCall(call, contacts.setLifecycle, (name: string | null) => ({
        body: { name: name ?? '' },
      })),
      comment: createContactEndpointCall(call, contacts.comment, (text: string) => ({ body: { text } })),
    },
    conversations: {
      setStatus: createContactEndpointCall(call, conversations.setStatus, (body: ConversationStatus) => ({
        body,
      })),
      /** Assigns to a user, by id or e-mail; null unassigns. */
      assign: createContactEndpointCall(call, conversations.assign, (assignee: string | null) => ({
        body: { assignee },
      })),
    },
    messages: {
      list: createContactEndpointCall(call, messages.list, ofPage(messagesPerPage)),
      listLossless: createContactEndpointCall(call, listMessages, ofPage(messagesPerPage)),
      read: createContactEndpointCall(call, messages.read, (messageId: number) => ({
        params: { messageId },
      })),
    },
    customFields: {
      list: createEndpointCall(call, customFields.list, ofPage(100)),
      create: createEndpointCall(call, customFields.create, (body: NewCustomField) => ({ body })),
    },
    tags: {
      create: createEndpointCall(call, tags.create, (body: TagLook & { readonly name: string }) => ({
        body,
      })),
      /**
       * Changes the tag named `currentName`. After a lost answer the request is sent again; if the first one has
       * renamed the tag, the answer is then 'absent'.
       */
      update: createEndpointCall(
        call,
        tags.update,
        (body: TagLook & { readonly currentName: string; readonly name?: string }) => ({ body }),
      ),
      /**
       * Deletes the tag of that name. After a lost answer the request is sent again; if the first one has deleted the
       * tag, the answer is then 'absent'.
       */
      remove: createEndpointCall(call, tags.remove, (name: string) => ({ body: { name } })),
    },
    users: {
      list: createEndpointCall(call, users.list, ofPage(100)),
      read: createEndpointCall(call, users.read, (id: number) => ({ params: { id } })),
    },
    closingNotes: { list: createEndpointCall(call, closingNotes.list, ofPage(100)) },
    templates: {
      /** The message templates of a channel. */
      list: (channel: number, page: PageQuery, options?: EndpointCallOptions) =>
        createEndpointCall(call, templates.list, () => ({ params: { id: channel }, ...ofPage(100)(page) }))(
          page,
          options,
        ),
    },
    /** The extensions of this workspace. */
    extensions: {
      /** Sends the JSON body to the endpoint's path for that contact. */
      call: (to: Endpoint<unknown>, identifier: Identifier, body: unknown, options?: EndpointCallOptions) =>
        createContactEndpointCall(call, to, (sent: unknown) => ({ body: sent }))(identifier, body, options),
    },
  };
}
