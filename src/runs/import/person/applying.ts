import type { StepRecord } from '../../../journal/index.ts';
import type { Contact } from '../../../model/contact.ts';
import type { Draft, FieldValues } from '../../../model/draft.ts';
import { byId, identifierText } from '../../../model/identifier.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Problem } from '../../../model/problem.ts';
import { createContact, planCreate } from '../../../steps/create-contact.ts';
import { changesOf } from '../../../steps/field-change.ts';
import { mergeContacts, planMerge } from '../../../steps/merge-contacts.ts';
import type { Operation } from '../../../steps/operation.ts';
import { planUpdate, type UpdateEffect, updateContact } from '../../../steps/update-contact.ts';
import type { ImportContext } from '../context.ts';
import { type Aside, performStep, type Step, type StepEnd, settleStep } from '../step.ts';
import { type Applied, belongingHashes, fieldHashes, type Remembered } from './delta.ts';
import type { Remembering } from './end.ts';
import { mergeDraft } from './merge-draft.ts';
import type { Person } from './person.ts';

/** How the contact's own step ended: it stands, or the person must be looked up again, or it did not come off. */
export type ContactEnd =
  | { readonly kind: 'done'; readonly contact: Contact | null }
  | { readonly kind: 'again' }
  | { readonly kind: 'rejected'; readonly problem: Problem }
  | { readonly kind: 'failed'; readonly message: string };

/** The identifier that is another contact's and is not sent, and the note that says so. */
export interface Leaving {
  readonly leaveOut?: 'email' | 'phone';
  readonly note?: Problem;
}

/** The contact's own step of a person: create, update or merge, and what was done by it. */
export class Applying {
  readonly #context: ImportContext;
  readonly #person: Person;
  readonly #remembered: Remembered | undefined;
  readonly #draft: Draft;
  readonly #updating: Operation<UpdateEffect>;
  /** What this person has already brought about, in this process or before it was interrupted. */
  did: Extract<Outcome, 'created' | 'updated' | 'merged'> | undefined;
  /** When the contact was created (ms), where this run did it. */
  createdAt: number | undefined;
  /** The identifier that was another contact's and was not sent. */
  leftOut: 'email' | 'phone' | undefined;
  readonly notes: Problem[] = [];
  /** Hashes of the values that stand in the contact now. */
  #applied: Applied = {};
  /** The contact to which this row's own update may be on its way. */
  #own: number | undefined;
  /** What the workspace said when it refused the create. */
  #refusal: string | undefined;

  constructor(
    context: ImportContext,
    person: Person,
    remembered: Remembered | undefined,
    values: FieldValues,
  ) {
    this.#context = context;
    this.#person = person;
    this.#remembered = remembered;
    this.#draft = { ...person.draft, values };
    this.#updating = updateContact(context.rules);
  }

  readonly aside: Aside = (wait) => this.#context.pool.aside(wait);

  /** Finds out what became of the contact's steps that an interrupted run may have sent; says what could not be read. */
  async settleOpen(): Promise<string | undefined> {
    for (const open of this.#person.open) {
      const trouble = await this.#settleOne(open);
      if (trouble !== undefined) return trouble;
    }
    return undefined;
  }

  async #settleOne(open: StepRecord): Promise<string | undefined> {
    switch (open.name) {
      case createContact.name:
        return await this.#settle(open, createContact, 'created');
      case mergeContacts.name:
        return await this.#settle(open, mergeContacts, 'merged');
      case this.#updating.name:
        if (open.state === 'sent') this.#noteInTheAir(open);
        return await this.#settle(open, this.#updating, 'updated');
      default:
        // What belongs to the contact is settled when its turn comes.
        return undefined;
    }
  }

  /** What an earlier session sent may still arrive: later rows of this contact must wait for it, this one need not. */
  #noteInTheAir(open: StepRecord): void {
    const effect = this.#updating.parse(open.intent);
    this.#own = effect.contactId;
    this.#context.journal.mayShowLate(this.#updating.overtakes(effect));
  }

  async #settle<E>(
    open: StepRecord,
    operation: Operation<E>,
    did: NonNullable<Applying['did']>,
  ): Promise<string | undefined> {
    if (open.state === 'sent') {
      const { journal } = this.#context;
      const effect = operation.parse(open.intent);
      const end = await settleStep(this.#context, this.#step(operation, effect), journal.begunAt);
      if (end?.kind === 'failed') return end.message;
      if (end?.kind !== 'done') return undefined;
    } else if (open.state !== 'acked') return undefined;
    this.did ??= did;
    if (did === 'created') this.createdAt ??= this.#context.journal.begunAt;
    return undefined;
  }

  async create(): Promise<ContactEnd> {
    // Acknowledged, or read already: sent again it would be a second contact.
    if (this.did === 'created')
      return { kind: 'failed', message: 'it was created, and then it was not there' };
    if (this.#refusal !== undefined) return rejected(this.#refusal);
    const { draft, identifiers } = this.#person;
    const plan = planCreate(draft, identifiers);
    if (!plan.ok) return { kind: 'rejected', problem: plan.problem };
    const end = await performStep(this.#context, {
      ...this.#step(createContact, plan.effect),
      remember: { sent: () => {}, acked: () => this.#rememberCreated(), notSent: () => {} },
    });
    switch (end.kind) {
      case 'done':
        this.did = 'created';
        this.createdAt = this.#context.clock.now();
        this.#applied = fieldHashes(draft.values);
        // Settled by reading: then what stands there is known, and may lack something.
        return { kind: 'done', contact: end.contact };
      case 'refused':
      case 'absent':
        // Somebody may have created the person in between: looked up once more before it is believed.
        this.#refusal = end.message;
        return { kind: 'again' };
      default:
        return ended(end);
    }
  }

  /** Before anything else of the person: another run must know that the contact is ours, even where this one is given up. */
  #rememberCreated(): void {
    const { journal } = this.#context;
    const { keys, rows } = this.#person;
    for (const [n, key] of keys.entries()) {
      const line = rows[n]?.line ?? 0;
      const identifiers = this.#identifierTexts();
      journal.known.remember({ key, line, contact: null, identifiers, created: true, applied: {} })();
    }
  }

  async update(
    contact: Contact,
    only: 'changed' | 'empty',
    { leaveOut, note }: Leaving,
  ): Promise<ContactEnd> {
    if (contact.id !== this.#own && (await this.#letArrive(contact))) return { kind: 'again' };
    const { rules } = this.#context;
    this.leftOut = leaveOut;
    const draft = this.#without(leaveOut);
    if (note !== undefined) this.notes.push(note);
    const plan = planUpdate(draft, contact, rules, only);
    if (plan.kind === 'problem') return { kind: 'rejected', problem: plan.problem };
    const changes = plan.kind === 'effect' ? plan.effect.changes : [];
    if (plan.kind === 'effect') {
      const end = await performStep(this.#context, this.#step(this.#updating, plan.effect));
      if (end.kind === 'refused' && this.did === undefined) return rejected(end.message);
      if (end.kind !== 'done') return end.kind === 'refused' ? failed(end.message) : ended(end);
      this.did ??= 'updated';
    } else if (contact.id === this.#own) {
      // It has arrived since it was settled.
      this.did ??= 'updated';
      const { seq } = this.#person.carrier;
      this.#context.journal.mark({ seq, name: this.#updating.name, item: '' }, 'acked');
    }
    const applied: Record<string, string> = { ...this.#applied, ...fieldHashes(draft.values) };
    // Under `fill` what stands there instead of the row's value was not applied.
    const done = new Set(
      changes.map(({ kind, name }) => (kind === 'custom' ? `customFields.${name}` : name)),
    );
    for (const { kind, name } of changesOf(draft.values, contact, rules, 'changed')) {
      const field = kind === 'custom' ? `customFields.${name}` : name;
      if (!done.has(field)) delete applied[field];
    }
    this.#applied = applied;
    return { kind: 'done', contact };
  }

  #without(identifier: 'email' | 'phone' | undefined): Draft {
    if (identifier === undefined) return this.#draft;
    const { [identifier]: _, ...contact } = this.#draft.values.contact;
    return { ...this.#draft, values: { ...this.#draft.values, contact } };
  }

  /** The merge has sent what is to stay, by the keep rules: the row's values over it would undo that. */
  standsAsMerged(): void {
    this.#applied = fieldHashes(this.#draft.values);
  }

  async merge(contacts: readonly [Contact, Contact]): Promise<ContactEnd> {
    const { keep, rules } = this.#context;
    const plan = planMerge(contacts, mergeDraft(this.#context, this.#person, contacts), keep, rules);
    if (plan.kind === 'problem') return { kind: 'rejected', problem: plan.problem };
    const end = await performStep(this.#context, this.#step(mergeContacts, plan.effect));
    if (end.kind === 'refused' && this.did === undefined) return rejected(end.message);
    if (end.kind !== 'done') return end.kind === 'refused' ? failed(end.message) : ended(end);
    this.did = 'merged';
    return { kind: 'done', contact: end.contact };
  }

  /** Waits until an earlier row's update that lost its answer has arrived or never will; false where there is none. */
  async #letArrive(contact: Contact): Promise<boolean> {
    const { journal, clock, signal, limits } = this.#context;
    const sentAt = journal.lastSentAbout(identifierText(byId(contact.id)));
    const left = sentAt === undefined ? 0 : sentAt + limits.settleMs - clock.now();
    if (left <= 0) return false;
    await this.aside(() => clock.sleep(left, signal));
    return true;
  }

  /** What is remembered of the person: what stands in the contact now, over what stood there before. */
  remembering(contact: Contact | null, belongings: Applied): Remembering {
    const { draft } = this.#person;
    const before = this.#remembered;
    const known = before?.contacts.length === 1 ? (before.contacts[0] ?? null) : null;
    const id = contact?.id ?? known;
    return {
      contact: id,
      identifiers: this.#identifierTexts(),
      created: this.did === 'created' || before?.created === true,
      applied: {
        ...stillSaid(before?.applied ?? {}, draft),
        ...this.#applied,
        ...belongings,
      },
    };
  }

  #identifierTexts(): readonly string[] {
    return this.#person.identifiers.map(identifierText);
  }

  #step<E>(operation: Operation<E>, effect: E): Step<E> {
    return { seq: this.#person.carrier.seq, operation, effect, aside: this.aside };
  }
}

/** What the row says nothing about any more is forgotten: said again, it is a change. */
function stillSaid(applied: Applied, draft: Draft): Applied {
  const said = { ...fieldHashes(draft.values), ...belongingHashes(draft, true) };
  return Object.fromEntries(Object.entries(applied).filter(([field]) => Object.hasOwn(said, field)));
}

function ended(end: Exclude<StepEnd, { kind: 'done' }>): ContactEnd {
  switch (end.kind) {
    case 'absent':
    case 'other':
      return { kind: 'again' };
    case 'uncertain':
      return failed('whether it took effect cannot be known');
    case 'refused':
    case 'failed':
      return failed(end.message);
  }
}

function failed(message: string): ContactEnd {
  return { kind: 'failed', message };
}

function rejected(message: string): ContactEnd {
  return {
    kind: 'rejected',
    problem: { code: 'workspace.refused', column: null, reason: `the workspace refused it: ${message}` },
  };
}
