import type { Answer } from '../../../src/model/answer.ts';
import type { Contact, ContactBody } from '../../../src/model/contact.ts';
import { byId, type Identifier, identifierText } from '../../../src/model/identifier.ts';
import type { ImportRequest } from '../../../src/runs/import/request.ts';

/** A write that was kept back, as it would have gone over HTTP. */
export interface KeptBack {
  readonly request: string;
  readonly body: unknown;
}

/** Answers reads from the real workspace with its own writes laid over them, and sends none of these. */
export class RecordingWorkspace {
  readonly writes: KeptBack[] = [];
  readonly #real: ImportRequest['workspace'];
  /** Contacts as they would be, by id; null for one that was merged into another. */
  readonly #changed = new Map<number, Contact | null>();
  #placeholder = 0;

  constructor(real: ImportRequest['workspace']) {
    this.#real = real;
  }

  /** What an import is handed in place of the real one. */
  get workspace(): ImportRequest['workspace'] {
    const real = this.#real;
    return {
      ...real,
      contacts: {
        list: real.contacts.list,
        read: (identifier) => this.#read(identifier),
        create: (identifier, body) => {
          this.#placeholder -= 1;
          this.#changed.set(this.#placeholder, { ...nobody, id: this.#placeholder, ...fieldsOf(body) });
          return this.#keep(`POST /contact/${identifierText(identifier)}`, body, acknowledged);
        },
        update: (identifier, body) =>
          this.#change(identifier, `PUT /contact/${identifierText(identifier)}`, body, fieldsOf(body)),
        merge: ({ contactIds: [older, newer], ...body }) => {
          this.#changed.set(newer, null);
          const request = { contactIds: [older, newer], ...body };
          return this.#change(byId(older), 'POST /contact/merge', request, fieldsOf(body));
        },
        setLifecycle: async (identifier, name) => {
          const path = `POST /contact/${identifierText(identifier)}/lifecycle/update`;
          await this.#change(identifier, path, { name: name ?? '' }, { lifecycle: name });
          return { kind: 'ok', value: acknowledged };
        },
        comment: async (identifier, text) => {
          const path = `POST /contact/${identifierText(identifier)}/comment`;
          return await this.#keep(path, { text }, { contactId: 0, text, created_at: 0 });
        },
      },
      conversations: {
        setStatus: (identifier, body) =>
          this.#change(identifier, `POST /contact/${identifierText(identifier)}/conversation/status`, body, {
            status: body.status === 'close' ? 'closed' : body.status,
          }),
        assign: (identifier, assignee) =>
          this.#change(
            identifier,
            `POST /contact/${identifierText(identifier)}/conversation/assignee`,
            { assignee },
            {},
          ),
      },
      customFields: {
        list: real.customFields.list,
        create: (field) => this.#keep('POST /space/custom_field', field, { id: -1, ...field }),
      },
      tags: {
        update: (tag) => this.#keep('PUT /space/tag', tag, { id: -1, name: tag.currentName }),
        create: (tag) => this.#keep('POST /space/tag', tag, { id: -1, name: tag.name }),
      },
      extensions: {
        call: ({ method, template }, identifier, body) =>
          this.#keep(
            `${method} ${template.replace('{identifier}', identifierText(identifier))}`,
            body,
            undefined,
          ),
      },
    };
  }

  async #read(identifier: Identifier): Promise<Answer<Contact>> {
    const planned = [...this.#changed.values()].find(
      (contact) => contact !== null && has(contact, identifier),
    );
    if (planned) return { kind: 'ok', value: planned };
    if (identifier.kind === 'id' && Number(identifier.value) < 0) return absent;
    const answer = await this.#real.contacts.read(identifier);
    // Changed in a way that it has this identifier no more.
    return answer.kind === 'ok' && this.#changed.has(answer.value.id) ? absent : answer;
  }

  async #change(
    identifier: Identifier,
    request: string,
    body: unknown,
    values: Partial<Contact>,
  ): Promise<Answer<{ readonly contactId: number }>> {
    const answer = await this.#read(identifier);
    if (answer.kind !== 'ok') return answer;
    this.#changed.set(answer.value.id, { ...answer.value, ...values });
    return await this.#keep(request, body, { contactId: answer.value.id });
  }

  #keep<T>(request: string, body: unknown, value: T): Promise<Answer<T>> {
    this.writes.push({ request, body: JSON.parse(JSON.stringify(body)) });
    return Promise.resolve({ kind: 'ok', value });
  }
}

const absent: Answer<never> = { kind: 'absent', message: 'Contact not found' };
const acknowledged = { code: '200', message: 'kept back' };

const nobody: Contact = {
  id: 0,
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  language: null,
  profilePic: null,
  countryCode: null,
  custom_fields: [],
  status: 'open',
  tags: [],
  assignee: null,
  lifecycle: null,
  created_at: null,
  isBlocked: false,
};

function fieldsOf({ custom_fields: custom, ...fields }: ContactBody): Partial<Contact> {
  return { ...fields, ...(custom && { custom_fields: custom }) };
}

function has(contact: Contact, { kind, value }: Identifier): boolean {
  return kind === 'id' ? String(contact.id) === value : contact[kind] === value;
}
