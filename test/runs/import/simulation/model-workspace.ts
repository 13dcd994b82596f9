import type { CustomValue } from '../../../../src/model/custom-field.ts';
import type { TransportRequest, TransportResponse } from '../../../../src/model/ports.ts';

/** What the specification leaves open, one way or the other. */
export interface Manners {
  /** A create of somebody who is there: refused with 400, or a second contact. */
  readonly existing: 'refuse' | 'duplicate';
  /** Custom-field arrays of an update: laid over what is there, or in its place. */
  readonly arrays: 'merge' | 'replace';
  /** How long a new contact is not to be seen. */
  readonly processingMs: number;
}

export interface Person {
  readonly id: number;
  readonly fields: Readonly<Record<string, string | null>>;
  readonly custom: ReadonlyMap<string, CustomValue>;
  readonly readyAt: number;
}

interface Field {
  readonly id: number;
  readonly name: string;
  readonly dataType: string;
  readonly allowedValues?: readonly string[];
}

/** Whoever has this first name is refused by the model, create and update alike. */
export const refusedName = 'REFUSED';

/** A workspace in memory, as little of it as an import needs; strict where the specification is. */
export class ModelWorkspace {
  readonly people = new Map<number, Person>();
  readonly fields: Field[];
  /** Writes that were applied. */
  applied = 0;
  readonly #manners: Manners;
  #lastId = 100;

  constructor(manners: Manners, fields: readonly Field[]) {
    this.#manners = manners;
    this.fields = [...fields];
  }

  /** Puts somebody there without a request. */
  plant(fields: Person['fields'], custom: Readonly<Record<string, CustomValue>>, readyAt = 0): Person {
    this.#lastId += 1;
    const person = { id: this.#lastId, fields, custom: new Map(Object.entries(custom)), readyAt };
    this.people.set(person.id, person);
    return person;
  }

  handle({ method, path, body }: TransportRequest, now: number): TransportResponse {
    const sent: unknown = body === undefined ? undefined : JSON.parse(body);
    if (path === '/space/user') return page([{ id: 1, firstName: 'A', lastName: 'B', email: 'a@b.test' }]);
    if (path === '/space/custom_field') return method === 'GET' ? page(this.fields) : this.#addField(sent);
    const identifier = decodeURIComponent(path.replace('/contact/', ''));
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

  /** Everybody with this identifier, the oldest first. */
  #matching(identifier: string): readonly Person[] {
    const [kind = '', ...rest] = identifier.split(':');
    const value = rest.join(':').toLowerCase();
    return [...this.people.values()].filter((person) =>
      kind === 'id' ? String(person.id) === value : person.fields[kind]?.toLowerCase() === value,
    );
  }

  #read(identifier: string, now: number): TransportResponse {
    const person = this.#matching(identifier).find(({ readyAt }) => readyAt <= now);
    if (person === undefined) return error(404, 'Contact not found');
    const custom_fields = [...person.custom].map(([name, value]) => ({
      name,
      value: value === null ? null : String(value),
    }));
    return answer(200, { id: person.id, ...person.fields, custom_fields, status: 'closed', tags: [] });
  }

  #create(identifier: string, body: unknown, now: number): TransportResponse {
    const change = this.#change(body);
    if (typeof change === 'string') return error(400, change);
    if (this.#manners.existing === 'refuse' && this.#matching(identifier).length > 0)
      return error(400, 'there is such a contact');
    const [kind = '', ...rest] = identifier.split(':');
    const fields = { ...change.fields, [kind]: rest.join(':') };
    this.plant(fields, Object.fromEntries(change.custom), now + this.#manners.processingMs);
    this.applied += 1;
    return answer(201, { code: '201', message: 'being created' });
  }

  #update(identifier: string, body: unknown, now: number): TransportResponse {
    const [person] = this.#matching(identifier);
    if (person === undefined) return error(404, 'Contact not found');
    if (person.readyAt > now) return error(449, 'queued, try again in a few minutes');
    const change = this.#change(body);
    if (typeof change === 'string') return error(400, change);
    const given = isRecord(body) && 'custom_fields' in body;
    const kept = given && this.#manners.arrays === 'replace' ? [] : [...person.custom];
    const custom = new Map([...kept, ...change.custom].filter(([, value]) => value !== null));
    this.people.set(person.id, { ...person, fields: { ...person.fields, ...change.fields }, custom });
    this.applied += 1;
    return answer(200, { contactId: person.id });
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

  #change(
    body: unknown,
  ): string | { fields: Record<string, string | null>; custom: (readonly [string, CustomValue])[] } {
    if (!isRecord(body) || typeof body.firstName !== 'string') return 'firstName is required';
    if (body.firstName === refusedName) return 'this one is refused';
    const fields: Record<string, string | null> = {};
    for (const [name, value] of Object.entries(body)) {
      if (name === 'custom_fields') continue;
      if (typeof value !== 'string' && value !== null) return `${name} is not a string`;
      fields[name] = value;
    }
    const entries = Array.isArray(body.custom_fields) ? body.custom_fields : [];
    const custom: (readonly [string, CustomValue])[] = [];
    for (const entry of entries) {
      const value = this.#value(entry);
      if (typeof value === 'string') return value;
      custom.push([value.name, value.value]);
    }
    return { fields, custom };
  }

  #value(entry: unknown): string | { name: string; value: CustomValue } {
    if (!isRecord(entry) || typeof entry.name !== 'string') return 'a custom field needs a name';
    const { name, value } = entry;
    const type = this.fields.find((field) => field.name === name)?.dataType;
    const wanted = type === 'number' ? 'number' : type === 'checkbox' ? 'boolean' : 'string';
    if (type === undefined) return `there is no field ${name}`;
    if (value === null) return { name, value };
    if (typeof value !== wanted) return `${name} must be a ${wanted}`;
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? { name, value }
      : 'what is that';
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function answer(status: number, body: unknown): TransportResponse {
  return { status, retryAfter: undefined, body: JSON.stringify(body) };
}

export function error(status: number, message: string, retryAfter?: number): TransportResponse {
  return { status, retryAfter, body: JSON.stringify({ code: status, message }) };
}

function page(items: readonly unknown[]): TransportResponse {
  return answer(200, { items, pagination: { next: '', previous: '' } });
}
