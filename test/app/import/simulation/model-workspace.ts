import type { Draft } from '../../../../src/model/draft.ts';
import type { TransportRequest, TransportResponse } from '../../../../src/model/ports.ts';
import { belongingOf, writesBelonging } from './model-belongings.ts';
import { answer, error, isRecord, type ModelField, page, valuesOf } from './model-body.ts';
import { joined, laidOver, type Plain, plain } from './plain.ts';

/** What the specification leaves open, one way or the other. */
export interface Manners {
  /** A create of somebody who is there: refused with 400, or a second contact. */
  readonly existing: 'refuse' | 'duplicate';
  /** Custom-field arrays of an update: laid over what is there, or in its place. */
  readonly arrays: 'merge' | 'replace';
  /** How long a new contact is not to be seen. */
  readonly processingMs: number;
  /** What follows a create is answered like this for another second. */
  readonly slow: 404 | 449;
  /** A contact that went into another one is not there, or answers as that one. */
  readonly merged: 'gone' | 'answers';
}

/** A contact of the model. */
export interface Person {
  readonly id: number;
  readonly readyAt: number;
  now: Plain;
  /** In the order in which they arrived. */
  comments: string[];
}

/** A workspace in memory, as little of it as an import needs; strict where the specification is. */
export class ModelWorkspace {
  readonly people = new Map<number, Person>();
  readonly fields: ModelField[];
  readonly tags = new Set<string>();
  /** Writes that were applied, merges among them. */
  applied = 0;
  merges = 0;
  readonly #manners: Manners;
  readonly #went = new Map<number, number>();
  #lastId = 100;

  constructor(manners: Manners, fields: readonly ModelField[]) {
    this.#manners = manners;
    this.fields = [...fields];
  }

  /** Puts somebody there without a request. */
  plant(now: Plain, readyAt = 0): Person {
    this.#lastId += 1;
    const person = { id: this.#lastId, readyAt, now, comments: [] };
    this.people.set(person.id, person);
    return person;
  }

  handle({ method, path, body }: TransportRequest, now: number): TransportResponse {
    const sent: unknown = body === undefined ? undefined : JSON.parse(body);
    const [, area, name = '', ...rest] = path.split('/');
    if (area === 'space') return this.#space(method, name, sent);
    if (path === '/contact/list') return this.#list(now);
    if (path === '/contact/merge') return this.#merge(sent, now);
    const identifier = decodeURIComponent(name);
    if (rest.length > 0) return this.#belonging(identifier, rest.join('/'), sent, now);
    switch (method) {
      case 'GET':
        return this.#read(identifier, now);
      case 'POST':
        return this.#create(identifier, sent, now);
      case 'PUT':
        return this.#update(identifier, sent, now);
      case 'DELETE':
        return error(404, 'no such thing');
    }
  }

  #space(method: string, name: string, sent: unknown): TransportResponse {
    switch (name) {
      case 'user':
        return page([{ id: 1, firstName: 'A', lastName: 'B', email: 'a@b.test' }]);
      case 'custom_field':
        return method === 'GET' ? page(this.fields) : this.#addField(sent);
      case 'tag':
        return method === 'PUT' ? this.#askTag(sent) : this.#addTag(sent);
      default:
        return error(404, 'no such thing');
    }
  }

  /** Everybody with this identifier, the oldest first. */
  #matching(identifier: string): readonly Person[] {
    const [kind = '', ...rest] = identifier.split(':');
    const value = rest.join(':').toLowerCase();
    if (kind !== 'id')
      return [...this.people.values()].filter(({ now }) => now.fields[kind]?.toLowerCase() === value);
    const went = this.#manners.merged === 'answers' ? this.#went.get(Number(value)) : undefined;
    const person = this.people.get(went ?? Number(value));
    return person === undefined ? [] : [person];
  }

  #read(identifier: string, now: number): TransportResponse {
    const person = this.#matching(identifier).find(({ readyAt }) => readyAt <= now);
    return person === undefined ? error(404, 'Contact not found') : answer(200, contactOf(person));
  }

  #list(now: number): TransportResponse {
    return page([...this.people.values()].filter(({ readyAt }) => readyAt <= now).map(contactOf));
  }

  #create(identifier: string, body: unknown, now: number): TransportResponse {
    const values = valuesOf(body, this.fields);
    if (typeof values === 'string') return error(400, values);
    if (this.#manners.existing === 'refuse' && this.#matching(identifier).length > 0)
      return error(400, 'there is such a contact');
    const [kind = '', ...rest] = identifier.split(':');
    const contact = { ...values.contact, [kind]: rest.join(':') };
    this.plant(plain({ ...values, contact }), now + this.#manners.processingMs);
    this.applied += 1;
    return answer(201, { code: '201', message: 'being created' });
  }

  #update(identifier: string, body: unknown, now: number): TransportResponse {
    const [person] = this.#matching(identifier);
    if (person === undefined) return error(404, 'Contact not found');
    if (person.readyAt > now) return error(449, 'queued, try again in a few minutes');
    const values = valuesOf(body, this.fields);
    if (typeof values === 'string') return error(400, values);
    person.now = this.#written(person.now, values, body);
    this.applied += 1;
    return answer(200, { contactId: person.id });
  }

  #written(before: Plain, values: Draft['values'], body: unknown): Plain {
    const given = isRecord(body) && 'custom_fields' in body;
    const kept = given && this.#manners.arrays === 'replace' ? { ...before, custom: {} } : before;
    return laidOver(kept, values);
  }

  /** The older contact stays; sent again it finds only one of the two. */
  #merge(body: unknown, now: number): TransportResponse {
    const ids = isRecord(body) && Array.isArray(body.contactIds) ? body.contactIds.map(Number) : [];
    const [older, newer] = ids.sort((a, b) => a - b).map((id) => this.people.get(id));
    if (older === undefined || newer === undefined) return error(400, 'Validation error.');
    if (Math.max(older.readyAt, newer.readyAt) > now) return error(449, 'queued');
    const values = valuesOf(body, this.fields);
    if (typeof values === 'string') return error(400, values);
    older.now = this.#written(joined(older.now, newer.now), values, body);
    older.comments = [...older.comments, ...newer.comments];
    this.people.delete(newer.id);
    this.#went.set(newer.id, older.id);
    this.applied += 1;
    this.merges += 1;
    return answer(200, { contactId: older.id });
  }

  #belonging(identifier: string, what: string, body: unknown, now: number): TransportResponse {
    const [person] = this.#matching(identifier);
    if (person === undefined || person.readyAt > now) return error(404, 'Contact not found');
    if (person.readyAt > 0 && person.readyAt + 1_000 > now) return error(this.#manners.slow, 'not yet');
    const change = belongingOf(what, body);
    if (typeof change === 'string') return error(400, change);
    writesBelonging(person, change);
    this.applied += 1;
    return change.response(person.id);
  }

  #addField(body: unknown): TransportResponse {
    if (!isRecord(body) || typeof body.name !== 'string' || typeof body.dataType !== 'string')
      return error(400, 'Validation error.');
    const { name, dataType } = body;
    if (this.fields.some((field) => field.name === name)) return error(400, 'the field is there');
    const field = { id: 900 + this.fields.length, name, dataType, description: '' };
    this.fields.push(field);
    this.applied += 1;
    return answer(201, field);
  }

  #askTag(body: unknown): TransportResponse {
    const name = isRecord(body) ? String(body.currentName) : '';
    return this.tags.has(name.toLowerCase()) ? answer(200, { id: 1, name }) : error(404, 'Contact not found');
  }

  #addTag(body: unknown): TransportResponse {
    const name = isRecord(body) ? String(body.name) : '';
    if (this.tags.has(name.toLowerCase())) return error(409, 'the name is taken');
    this.tags.add(name.toLowerCase());
    this.applied += 1;
    return answer(200, { id: this.tags.size, name });
  }
}

function contactOf({ id, now }: Person): object {
  const { fields, custom, lifecycle, assignee, status, tags } = now;
  const custom_fields = Object.entries(custom).map(([name, value]) => ({ name, value: String(value) }));
  const user = { id: assignee, firstName: 'U', lastName: 'S', email: 'u@s.test' };
  return {
    ...{ id, ...fields, custom_fields, lifecycle, status, tags, created_at: 1_600_000_000 + id },
    ...{ isBlocked: status === 'blocked', assignee: assignee === null ? null : user },
  };
}
