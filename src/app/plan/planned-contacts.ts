import { toComparableEmail, toComparablePhone } from '../../identity/comparable.ts';
import { createContactFingerprint } from '../../identity/contact-fingerprint.ts';
import type { WorkspaceAnswer } from '../../model/answer.ts';
import { type Contact, type ContactBody, contactFieldNames } from '../../model/contact.ts';
import { type Identifier, idToIdentifier } from '../../model/identifier.ts';
import { jsonColumn, optionalColumn } from '../../storage/columns.ts';
import { prepareQuery } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { contactSchema, type EndpointCallOptions } from '../../workspace/index.ts';
import { firstPlannedId } from '../run/plan-file.ts';

/**
 * The number of contacts kept in memory: those read or changed last, because the next change is likely about one of
 * them.
 */
const mostKept = 20_000;

/** Reads a contact of the live workspace. */
export type LiveContactReader = (
  identifier: Identifier,
  options?: EndpointCallOptions,
) => Promise<WorkspaceAnswer<Contact>>;

/** Returns all contacts of the live workspace that have this identifier (an e-mail or a phone). */
export type LiveContactLister = (identifier: Identifier) => Promise<readonly Contact[]>;

const absent: WorkspaceAnswer<never> = { kind: 'absent', message: 'Contact not found' };

const planned = jsonColumn(contactSchema);

/** The contacts of a workspace as they would be after the changes planned so far. */
export class PlannedContacts {
  readonly #readLive: LiveContactReader;
  readonly #listLive: LiveContactLister;
  readonly #byId;
  readonly #byEmail;
  readonly #byPhone;
  readonly #put;
  readonly #see;
  readonly #recent = new Map<number, Contact>();
  #next = firstPlannedId;

  constructor(file: SqliteConnection, readLive: LiveContactReader, listLive: LiveContactLister) {
    this.#readLive = readLive;
    this.#listLive = listLive;
    this.#byId = prepareQuery(
      file,
      { after: optionalColumn(planned) },
      'SELECT after FROM contact WHERE id = ?',
    );
    this.#byEmail = prepareQuery(
      file,
      { after: planned },
      'SELECT after FROM contact WHERE email = ? ORDER BY id',
    );
    this.#byPhone = prepareQuery(
      file,
      { after: planned },
      'SELECT after FROM contact WHERE phone = ? ORDER BY id',
    );
    this.#put = file.prepare<[number, string | null, string | null, string | null]>(
      'INSERT OR REPLACE INTO contact VALUES (?, ?, ?, ?)',
    );
    this.#see = file.prepare<[number, string]>('INSERT OR IGNORE INTO seen VALUES (?, ?)');
  }

  /**
   * Returns the contact with the identifier, the one with the lowest id if there are several; an `absent` answer if
   * there is none.
   */
  async read(identifier: Identifier, options?: EndpointCallOptions): Promise<WorkspaceAnswer<Contact>> {
    if (identifier.kind === 'id') return await this.#readId(Number(identifier.value), options);
    const planned = this.#answering(identifier)[0];
    const ours: WorkspaceAnswer<Contact> = planned === undefined ? absent : { kind: 'ok', value: planned };
    // The workspace has no contact that the plan itself creates.
    if (planned !== undefined && planned.id >= firstPlannedId) return ours;
    const live = await this.#live(identifier, options);
    if (live.kind !== 'ok') return live.kind === 'absent' ? ours : live;
    if (this.#byId.get(live.value.id) === undefined)
      return planned === undefined || live.value.id < planned.id ? live : ours;
    if (planned?.id === live.value.id) return ours;
    return await this.#nextLive(identifier, planned, options);
  }

  /**
   * Returns the contact that has the identifier after a planned change has removed it from the live contact with which
   * the workspace answers: the one with the lowest id among `planned` and the live contacts that the plan has not
   * changed. Returns an `absent` answer if there is none.
   */
  async #nextLive(
    identifier: Identifier,
    planned: Contact | undefined,
    options: EndpointCallOptions | undefined,
  ): Promise<WorkspaceAnswer<Contact>> {
    const others = (await this.#listLive(identifier)).filter(({ id }) => this.#byId.get(id) === undefined);
    const [next] = others.sort((a, b) => a.id - b.id);
    if (next !== undefined && (planned === undefined || next.id < planned.id))
      return await this.#live(idToIdentifier(next.id), options);
    return planned === undefined ? absent : { kind: 'ok', value: planned };
  }

  /** Adds a contact under a placeholder id, which no workspace uses. */
  create(body: ContactBody, createdAt: number): void {
    this.#keep(applyContactBody({ ...emptyContact, id: this.#next, created_at: createdAt }, body));
    this.#next += 1;
  }

  /**
   * Changes the contact with the identifier; returns the changed contact, or the answer to reading it if that is not
   * ok.
   */
  async change(
    identifier: Identifier,
    changed: (contact: Contact) => Partial<Contact>,
  ): Promise<WorkspaceAnswer<Contact>> {
    const recent = identifier.kind === 'id' ? this.#recent.get(Number(identifier.value)) : undefined;
    const there: WorkspaceAnswer<Contact> = recent
      ? { kind: 'ok', value: recent }
      : await this.read(identifier);
    if (there.kind !== 'ok') return there;
    return { kind: 'ok', value: this.#keep({ ...there.value, ...changed(there.value) }) };
  }

  /** Merges the second contact into the first; returns the merged contact, or the answer to a read that is not ok. */
  async merge(
    [older, newer]: readonly [number, number],
    body: ContactBody,
  ): Promise<WorkspaceAnswer<Contact>> {
    const other = await this.read(idToIdentifier(newer));
    if (other.kind !== 'ok') return other;
    const merged = await this.change(idToIdentifier(older), (contact) =>
      mergedContact(contact, other.value, body),
    );
    if (merged.kind !== 'ok') return merged;
    this.#recent.delete(newer);
    this.#put.run(newer, null, null, null);
    return merged;
  }

  async #readId(id: number, options: EndpointCallOptions | undefined): Promise<WorkspaceAnswer<Contact>> {
    const planned = this.#byId.get(id);
    if (planned === undefined)
      return id >= firstPlannedId ? absent : await this.#live(idToIdentifier(id), options);
    return planned.after === undefined ? absent : { kind: 'ok', value: planned.after };
  }

  async #live(
    identifier: Identifier,
    options: EndpointCallOptions | undefined,
  ): Promise<WorkspaceAnswer<Contact>> {
    const live = await this.#readLive(identifier, options);
    if (live.kind !== 'ok') return live;
    const { id } = live.value;
    this.#see.run(id, createContactFingerprint(live.value));
    if (this.#byId.get(id) === undefined) this.#remember(live.value);
    return live;
  }

  #answering({ kind, value }: Identifier): readonly Contact[] {
    const key = kind === 'email' ? toComparableEmail(value) : toComparablePhone(value);
    if (key === null) return [];
    return (kind === 'email' ? this.#byEmail : this.#byPhone).all(key).map(({ after }) => after);
  }

  #keep(contact: Contact): Contact {
    const { id, email, phone } = contact;
    this.#remember(contact);
    this.#put.run(id, toComparableEmail(email), toComparablePhone(phone), JSON.stringify(contact));
    return contact;
  }

  #remember(contact: Contact): void {
    this.#recent.delete(contact.id);
    this.#recent.set(contact.id, contact);
    if (this.#recent.size <= mostKept) return;
    for (const oldest of this.#recent.keys()) {
      this.#recent.delete(oldest);
      return;
    }
  }
}

/** Returns a contact with the values of an update or a merge applied. */
export function applyContactBody(
  contact: Contact,
  { custom_fields: sent = [], ...fields }: ContactBody,
): Contact {
  const names = new Set(sent.map(({ name }) => name));
  const custom_fields = [...contact.custom_fields.filter(({ name }) => !names.has(name)), ...sent];
  return { ...contact, ...fields, custom_fields };
}

/**
 * Returns the merged contact: the older one, with values of the newer one where it has none. This is an assumption: the
 * specification does not say which values of the newer contact a merge keeps.
 */
function mergedContact(older: Contact, newer: Contact, body: ContactBody): Contact {
  const fields = Object.fromEntries(contactFieldNames.map((name) => [name, older[name] ?? newer[name]]));
  const names = new Set(older.custom_fields.map(({ name }) => name));
  const custom_fields = [
    ...older.custom_fields,
    ...newer.custom_fields.filter(({ name }) => !names.has(name)),
  ];
  const whole = {
    ...older,
    ...fields,
    custom_fields,
    tags: [...new Set([...older.tags, ...newer.tags])],
    lifecycle: older.lifecycle ?? newer.lifecycle,
    assignee: older.assignee ?? newer.assignee,
  };
  return applyContactBody(whole, body);
}

/** A contact right after its creation, as the specification describes it. */
const emptyContact: Omit<Contact, 'id'> = {
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
