import { z } from 'zod';
import type { Answer } from '../../model/answer.ts';
import type { Contact, ContactBody } from '../../model/contact.ts';
import type { Identifier } from '../../model/identifier.ts';
import { contactPath } from '../path.ts';
import {
  type Acknowledgement,
  acknowledgement,
  type ContactReference,
  contactReference,
  type Lossless,
  lossless,
  type Page,
  type PageQuery,
  pageOf,
  pageQuery,
} from './answers.ts';
import { contactSchema } from './contact-schema.ts';
import type { Call, CallOptions, CallRequest, Endpoint } from './endpoint.ts';

/** What a condition compares with: the specification knows a text only; published clients also send the other two. */
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

/** Which contacts, and which page of them. */
export interface ContactListQuery extends PageQuery {
  readonly search?: string;
  readonly timezone?: string;
  readonly filter?: { readonly $and: readonly FilterCondition[] };
}

/** The body of a merge: two contacts, the older of which remains, and the fields it has afterwards. */
export type MergeBody = ContactBody & { readonly contactIds: readonly [number, number] };

/** An internal comment as it was added. */
export interface Comment {
  readonly contactId: number;
  readonly text: string;
  readonly created_at: number;
}

/** The general rule allows 100, the endpoint's own reference says below 100. */
const pageSize = 99;

const create: Endpoint<Acknowledgement> = {
  operation: 'contacts.create',
  method: 'POST',
  template: '/contact/{identifier}',
  idempotent: false,
  response: acknowledgement,
};

const read: Endpoint<Contact> = {
  operation: 'contacts.read',
  method: 'GET',
  template: '/contact/{identifier}',
  idempotent: true,
  exact: true,
  response: contactSchema,
};

const update: Endpoint<ContactReference> = {
  operation: 'contacts.update',
  method: 'PUT',
  template: '/contact/{identifier}',
  idempotent: true,
  response: contactReference,
};

const merge: Endpoint<ContactReference> = {
  operation: 'contacts.merge',
  method: 'POST',
  template: '/contact/merge',
  idempotent: false,
  response: contactReference,
};

const list: Endpoint<Page<Contact>> = {
  operation: 'contacts.list',
  method: 'POST',
  template: '/contact/list',
  idempotent: true,
  readOnly: true,
  response: pageOf(contactSchema),
};

/** The same request, for those who keep contacts as they were given. */
const listLossless: Endpoint<Page<Lossless<Contact>>> = {
  ...list,
  response: pageOf(lossless(contactSchema)),
};

const setLifecycle: Endpoint<Acknowledgement> = {
  operation: 'contacts.setLifecycle',
  method: 'POST',
  template: '/contact/{identifier}/lifecycle/update',
  idempotent: false,
  response: acknowledgement,
};

const comment: Endpoint<Comment> = {
  operation: 'contacts.comment',
  method: 'POST',
  template: '/contact/{identifier}/comment',
  idempotent: false,
  response: z.looseObject({ contactId: z.int(), text: z.string(), created_at: z.number() }),
};

export const contactEndpoints = [create, read, update, merge, list, setLifecycle, comment] as const;

/** The operations on contacts (specification: Endpoints, Contacts). */
export interface ContactCalls {
  /** Creates a contact under its e-mail or phone; the answer has no id, and the contact takes time to appear. */
  create(identifier: Identifier, body: ContactBody, options?: CallOptions): Promise<Answer<Acknowledgement>>;
  read(identifier: Identifier, options?: CallOptions): Promise<Answer<Contact>>;
  /** Writes the fields present in the body; where several contacts have the identifier, to the first. */
  update(identifier: Identifier, body: ContactBody, options?: CallOptions): Promise<Answer<ContactReference>>;
  merge(body: MergeBody, options?: CallOptions): Promise<Answer<ContactReference>>;
  list(query: ContactListQuery, options?: CallOptions): Promise<Answer<Page<Contact>>>;
  listLossless(query: ContactListQuery, options?: CallOptions): Promise<Answer<Page<Lossless<Contact>>>>;
  /** Puts the contact into the lifecycle stage of that name; null or an empty name takes it out of any. */
  setLifecycle(
    identifier: Identifier,
    name: string | null,
    options?: CallOptions,
  ): Promise<Answer<Acknowledgement>>;
  comment(identifier: Identifier, text: string, options?: CallOptions): Promise<Answer<Comment>>;
}

export function contactCalls(call: Call): ContactCalls {
  return {
    create: (identifier, body, options) => call(create, { path: contactPath(identifier), body }, options),
    read: (identifier, options) => call(read, { path: contactPath(identifier) }, options),
    update: (identifier, body, options) => call(update, { path: contactPath(identifier), body }, options),
    merge: (body, options) => call(merge, { path: merge.template, body }, options),
    list: (query, options) => call(list, listRequest(query), options),
    listLossless: (query, options) => call(listLossless, listRequest(query), options),
    setLifecycle: (identifier, name, options) =>
      call(
        setLifecycle,
        { path: contactPath(identifier, '/lifecycle/update'), body: { name: name ?? '' } },
        options,
      ),
    comment: (identifier, text, options) =>
      call(comment, { path: contactPath(identifier, '/comment'), body: { text } }, options),
  };
}

function listRequest({ limit, cursor, search, timezone, filter }: ContactListQuery): CallRequest {
  return {
    path: list.template,
    query: pageQuery({ cursor, ...(limit === undefined ? {} : { limit }) }, pageSize),
    body: { search, timezone, filter },
  };
}
